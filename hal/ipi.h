/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Software interrupts between harts. One pending bit for each hart: many sends before the
 * receiver looks are one interrupt, so a receiver always looks at everything.
 *
 * A driver also has `ipi_take` for the start code, which has no stack: it takes back the software interrupt of the hart
 * whose number is in t0, and changes t1 and t2 only.
 */
#ifndef HAL_IPI_H
#define HAL_IPI_H

#include <stdint.h>

/** Raise the software interrupt of a hart. What was written before is visible to that hart once
 * it has called ipi_clear(); the caller needs no fence of its own.
 * @param hart  Below hart_count(); not checked. */
void ipi_send(uint32_t hart);

/** Take back this hart's own software interrupt. Look for work only after this call: what is sent later raises a new
 * interrupt, and what was sent earlier is visible by then. */
void ipi_clear(void);

#endif /* HAL_IPI_H */

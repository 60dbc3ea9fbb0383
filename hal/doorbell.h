/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The doorbell between host and device. The host's ring arrives as the software interrupt of
 * hart 0, just like an ipi_send(), or as its external interrupt, which doorbell_answer() takes back;
 * the other direction is doorbell_ring_host().
 */
#ifndef HAL_DOORBELL_H
#define HAL_DOORBELL_H

#include <stdbool.h>

/** Find the doorbell device and make it interrupt hart 0. Called once, by hart 0, with
 * interrupts disabled.
 * @return  false when the board has none or it does not answer: the host then has to poll. */
bool doorbell_init(void);

/** Whether doorbell_init() found one. */
bool doorbell_present(void);

/** Take back the external interrupt (IRQ_CAUSE_EXTERNAL). Look for work only after this call, because a ring after it
 * interrupts again. Called by the interrupt handler. */
void doorbell_answer(void);

/** Interrupt the host. What was written before is visible to it then. Without a doorbell this
 * does nothing. */
void doorbell_ring_host(void);

#endif /* HAL_DOORBELL_H */

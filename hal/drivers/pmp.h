/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * RISC-V physical memory protection. pmp.c and pmp_encode.c are hal/protection.h.
 */
#ifndef HAL_DRIVERS_PMP_H
#define HAL_DRIVERS_PMP_H

#include <stdint.h>

/** Turn all entries off and count those that can be written. A core without them has 0.
 * In pmp_count.S.
 * @return  0 … 16. */
uint32_t pmp_count(void);

#endif /* HAL_DRIVERS_PMP_H */

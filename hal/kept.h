/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Variables that hal_restart() leaves as they are. All others are as at the first start.
 */
#ifndef HAL_KEPT_H
#define HAL_KEPT_H

/** Says of a static variable that it is 0 after power on, and stays as it is over a restart. linker/cp.ld.S has the place. */
#define HAL_KEPT __attribute__((section(".bss..kept")))

#endif /* HAL_KEPT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CLINT (or the ACLINT's software and timer devices): software interrupts and deadlines of all
 * harts. clint.c and clint.S are hal/ipi.h and the deadlines of hal/timer.h.
 */
#ifndef HAL_DRIVERS_CLINT_H
#define HAL_DRIVERS_CLINT_H

#include <stdint.h>

/** Constants of a board: where the CLINT is. */
struct clint_map {
	uintptr_t msip;     /**< One word for each hart. First: clint.S reads it. */
	uintptr_t mtimecmp; /**< Two words for each hart, low first. */
	uintptr_t mtime;    /**< Two words, low first. */
	uint32_t hz;        /**< Ticks of mtime in a second. */
};

_Static_assert(__builtin_offsetof(struct clint_map, msip) == 0, "clint.S reads the first member");

extern const struct clint_map board_clint;

#endif /* HAL_DRIVERS_CLINT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The test finisher of SiFive and QEMU. finisher.c is hal/finisher.h.
 */
#ifndef HAL_DRIVERS_FINISHER_H
#define HAL_DRIVERS_FINISHER_H

#include <stdint.h>

/** Constant of a board: where the finisher is. */
struct finisher_map {
	uintptr_t address; /**< One word. */
};

extern const struct finisher_map board_finisher;

#endif /* HAL_DRIVERS_FINISHER_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * PL011 serial line with FIFOs of 32 bytes, at the interrupt controller of a Hazard3 core, as a link to the host.
 * pl011_link.c is hal/link.h. It cannot be the console at the same time.
 */
#ifndef HAL_DRIVERS_PL011_LINK_H
#define HAL_DRIVERS_PL011_LINK_H

#include <stdint.h>

/** Constants of a board: where the line is, and its speed. */
struct pl011_link_map {
	uintptr_t base;    /**< Registers are words. */
	uint32_t divisor;  /**< Clock / (16 × baud), whole part. */
	uint32_t fraction; /**< The rest of it, in 64ths. */
	uint32_t source;   /**< Its number at the interrupt controller. */
};

extern const struct pl011_link_map board_pl011_link;

#endif /* HAL_DRIVERS_PL011_LINK_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The board, as constant data: the numbers of its board.mk. Addresses of devices are not here:
 * drivers have constants of their own.
 */
#ifndef HAL_HAL_H
#define HAL_HAL_H

#include <stdbool.h>
#include <stdint.h>

struct hal_board {
	const char *name;    /**< Name of the folder under boards/. */
	bool device_tree;    /**< The boot loader hands over a device tree. */
	uint32_t harts_max;  /**< Most harts, hart 0 included. */
	uint32_t harts;      /**< Harts when there is no device tree. */
	uintptr_t ram_base;  /**< RAM when there is no device tree. */
	uintptr_t ram_bytes; /**< RAM when there is no device tree: the least that the board has. */

	uintptr_t cp_base;   /**< Image, data and stack of the control processor. */
	uint32_t cp_bytes;   /**< Bytes for them. */
	uintptr_t sm_base;   /**< Image of the SMs, and its entry. */
	uint32_t sm_bytes;   /**< Bytes for it. */
	uintptr_t abi_base;  /**< Capability block. */
	uint32_t slots;      /**< Slots of the task table. */
	uint32_t sm_ctas;    /**< CTA slots of an SM. */
	uint32_t sm_warps;   /**< Warp slots of an SM. */
	uint32_t sm_units;   /**< Units that an SM's memory is cut into. */
	uint32_t sm_shared;  /**< Bytes of shared memory of an SM. */
	uint32_t sm_private; /**< Bytes of private memory of an SM. */
	uint32_t warp;       /**< Threads of a warp. */
};

extern const struct hal_board hal_board;

#endif /* HAL_HAL_H */

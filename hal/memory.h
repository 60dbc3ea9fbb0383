/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the machine has: RAM and harts, from the device tree or else from the board's constants.
 */
#ifndef HAL_MEMORY_H
#define HAL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct memory_map {
	uintptr_t ram_base;  /**< Address of the RAM that holds this firmware. */
	uintptr_t ram_bytes; /**< Its size. */
	uint32_t harts; /**< Harts that can be used, hart 0 included; 1 … hal_board.harts_max. */
	uint32_t harts_found; /**< Harts that the machine has; more than `harts` are left asleep. */
	bool device_tree;     /**< The values are from a device tree, not from the board. */
};

/** Find out. A machine without a device tree may say something itself (hal/machine.h). Called once, by hart 0, before memory_map() and hart_count().
 * @param dtb  Address of a flattened device tree, as the boot loader gave it; 0 for none. A tree
 *             that is damaged counts as none. */
void memory_discover(uintptr_t dtb);

/** What memory_discover() found. */
const struct memory_map *memory_map(void);

/** Try out where the RAM ends; without a device tree nothing else tells for certain. Interrupts are disabled.
 * @param bytes  Size that the RAM should have.
 * @return       `bytes`, or less: then there is no RAM at the end of so many bytes, or it is the same as the RAM at
 *               the end of what is returned. */
uintptr_t memory_ends_at(uintptr_t bytes);

#endif /* HAL_MEMORY_H */

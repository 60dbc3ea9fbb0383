/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a machine without a device tree says of itself, to be compared with what the board says.
 */
#ifndef HAL_MACHINE_H
#define HAL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct machine_facts {
	uint32_t harts;      /**< Harts, hart 0 included; 0: it does not say. */
	uintptr_t ram_bytes; /**< RAM from hal_board.ram_base on; 0: it does not say. */
};

/** Ask the machine. Called by hart 0, with interrupts disabled.
 * @param[out] facts  Written when the result is true.
 * @return            false when the device to ask is not there: this image is for another machine. */
bool machine_ask(struct machine_facts *facts);

#endif /* HAL_MACHINE_H */

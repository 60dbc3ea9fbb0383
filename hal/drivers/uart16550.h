/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * 16550 serial line, for output only. uart16550.c is hal/console.h. The boot loader or the reset
 * value sets speed and format.
 */
#ifndef HAL_DRIVERS_UART16550_H
#define HAL_DRIVERS_UART16550_H

#include <stdint.h>

/** Constants of a board: where the line is, and how long it may take. */
struct uart16550_map {
	uintptr_t base;      /**< Registers are a byte wide. */
	uint32_t stride;     /**< Bytes from one register to the next: 1 or 4. */
	uint32_t wait_polls; /**< Reads of the line status before a character is dropped. */
};

extern const struct uart16550_map board_uart16550;

#endif /* HAL_DRIVERS_UART16550_H */

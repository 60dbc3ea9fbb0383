/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * NEORV32's UART, for output only. neorv32_uart.c is hal/console.h. The boot loader sets the speed
 * (19200 baud, 8 bits, 1 stop bit); a UART that nobody has enabled takes no characters.
 */
#ifndef HAL_DRIVERS_NEORV32_UART_H
#define HAL_DRIVERS_NEORV32_UART_H

#include <stdint.h>

/** Constants of a board: where the UART is. */
struct neorv32_uart_map {
	uintptr_t base;      /**< CTRL; DATA is the next word. */
	uint32_t wait_polls; /**< Reads of CTRL before a character is dropped. */
};

extern const struct neorv32_uart_map board_neorv32_uart;

#endif /* HAL_DRIVERS_NEORV32_UART_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * 16550 serial line as a link to the host. uart_link.c is hal/link.h. It cannot be the console at
 * the same time: such a board has `no_console`, or another line for it.
 */
#ifndef HAL_DRIVERS_UART_LINK_H
#define HAL_DRIVERS_UART_LINK_H

#include <stdint.h>

/** Constants of a board: where the line is, and its speed. */
struct uart_link_map {
	uintptr_t base;  /**< Registers are a byte wide. */
	uint32_t stride; /**< Bytes from one register to the next: 1 or 4. */
	uint32_t fifo;   /**< Characters that an empty transmitter takes: 16, or 1 without FIFOs. */
	uint32_t divisor; /**< Clock / (16 × baud); 0: the speed stays as it is. */
	uintptr_t plic;   /**< Interrupt controller; 0: the line is hart 0's external interrupt. */
	uint32_t source;  /**< Its number at the controller. */
};

extern const struct uart_link_map board_uart_link;

#endif /* HAL_DRIVERS_UART_LINK_H */

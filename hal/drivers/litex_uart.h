/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * LiteX's serial line, for output only. litex_uart.c is hal/console.h. Its speed is fixed when the SoC
 * is built. Each register is a word of its own; where it is differs from build to build.
 */
#ifndef HAL_DRIVERS_LITEX_UART_H
#define HAL_DRIVERS_LITEX_UART_H

#include <stdint.h>

/** Constants of a board: addresses of the CSRs of the same names, from csr.json. */
struct litex_uart_map {
	uintptr_t rxtx;       /**< Character to send, or received. */
	uintptr_t txfull;     /**< 1: takes no character. */
	uintptr_t rxempty;    /**< 1: has no character. */
	uintptr_t ev_pending; /**< Bit 1: a character came; writing it takes the character away. */
	uint32_t wait_polls;  /**< Reads of txfull before a character is dropped. */
};

extern const struct litex_uart_map board_litex_uart;

#endif /* HAL_DRIVERS_LITEX_UART_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SiFive's serial line (sifive,uart0) as a link to the host. sifive_uart_link.c is hal/link.h. It cannot be the console at the
 * same time.
 */
#ifndef HAL_DRIVERS_SIFIVE_UART_LINK_H
#define HAL_DRIVERS_SIFIVE_UART_LINK_H

#include <stdint.h>

/** Constants of a board: where the line is, and its speed. */
struct sifive_uart_link_map {
	uintptr_t base;   /**< Registers are words. */
	uint32_t divisor; /**< Clock / baud - 1; 0: the speed stays as it is. */
	uintptr_t plic;   /**< Interrupt controller. */
	uint32_t source;  /**< Its number at the controller. */
};

extern const struct sifive_uart_link_map board_sifive_uart_link;

#endif /* HAL_DRIVERS_SIFIVE_UART_LINK_H */

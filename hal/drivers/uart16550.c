/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/uart16550.h"

#include <stdbool.h>

#include "hal/console.h"
#include "hal/mmio.h"

enum uart16550_register {
	REGISTER_DATA = 0,
	REGISTER_LINE_STATUS = 5,
};

#define LINE_STATUS_EMPTY 0x20u /**< The transmitter takes a character. */

static uint8_t *uart_register(enum uart16550_register number)
{
	return (uint8_t *)(board_uart16550.base + (uintptr_t)number * board_uart16550.stride);
}

static bool wait_until_empty(void)
{
	const uint8_t *status = uart_register(REGISTER_LINE_STATUS);

	for (uint32_t poll = 0; poll < board_uart16550.wait_polls; poll++) {
		if ((mmio_read8(status) & LINE_STATUS_EMPTY) != 0) {
			return true;
		}
	}
	return false;
}

void console_put(char character)
{
	if (wait_until_empty()) {
		mmio_write8(uart_register(REGISTER_DATA), (uint8_t)character);
	}
}

void console_write(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		console_put(text[i]);
	}
}

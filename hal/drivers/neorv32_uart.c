/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/neorv32_uart.h"

#include <stdbool.h>

#include "hal/console.h"
#include "hal/mmio.h"

#define UART_CTRL 0u
#define UART_DATA 4u

#define CTRL_ENABLE      (1u << 0)
#define CTRL_TX_NOT_FULL (1u << 19)

/* A UART that is off never becomes ready, so it is not waited for. */
static bool wait_until_not_full(void)
{
	const uint32_t *control = mmio_word(board_neorv32_uart.base, UART_CTRL);

	for (uint32_t poll = 0; poll < board_neorv32_uart.wait_polls; poll++) {
		const uint32_t state = mmio_read32(control);

		if ((state & CTRL_ENABLE) == 0) {
			return false;
		}
		if ((state & CTRL_TX_NOT_FULL) != 0) {
			return true;
		}
	}
	return false;
}

void console_put(char character)
{
	if (wait_until_not_full()) {
		mmio_write32(mmio_word(board_neorv32_uart.base, UART_DATA), (uint8_t)character);
	}
}

void console_write(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		console_put(text[i]);
	}
}

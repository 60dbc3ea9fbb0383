/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/litex_uart.h"

#include <stdbool.h>

#include "hal/console.h"
#include "hal/mmio.h"

static bool wait_until_not_full(void)
{
	const uint32_t *full = mmio_word(board_litex_uart.txfull, 0);

	for (uint32_t poll = 0; poll < board_litex_uart.wait_polls; poll++) {
		if ((mmio_read32(full) & 1) == 0) {
			return true;
		}
	}
	return false;
}

void console_put(char character)
{
	if (wait_until_not_full()) {
		mmio_write32(mmio_word(board_litex_uart.rxtx, 0), (uint8_t)character);
	}
}

void console_write(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		console_put(text[i]);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The 16550 of the reference SoC as the link to the host, in place of the file: test_serial.py. */
#include "hal/drivers/uart_link.h"

const struct uart_link_map board_uart_link = {
	.base = 0x10000000,
	.stride = 1,
	.fifo = 16,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* The 16550 of the reference SoC as the link to the host: on an FPGA, and in tests of the line. */
#include "hal/drivers/uart_link.h"

const struct uart_link_map board_uart_link = {
	.base = BOARD_IO_BASE + 0x10000000,
	.stride = 1,
	.fifo = 16,
	.divisor = 0, /* top.v sets the speed */
	.plic = 0,
	.source = 0,
};

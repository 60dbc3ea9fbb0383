/* SPDX-License-Identifier: Apache-2.0 */
/* The serial line of QEMU's `virt` machine as the link to the host; the rest is qemu-virt64's. */
#include "hal/drivers/uart_link.h"

const struct uart_link_map board_uart_link = {
	.base = 0x10000000,
	.stride = 1,
	.fifo = 16,
	.divisor = 1, /* only decides how soon it interrupts for fewer than 8 bytes */
	.plic = 0x0c000000,
	.source = 10,
};

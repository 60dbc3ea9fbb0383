/* SPDX-License-Identifier: Apache-2.0 */
/* SiFive FU540-C000 on the HiFive Unleashed: where its devices are. QEMU's `sifive_u` has them at the same places. */
#include "hal/drivers/clint.h"
#include "hal/drivers/sifive_uart_link.h"

const struct clint_map board_clint = {
	.msip = 0x02000000,
	.mtimecmp = 0x02004000,
	.mtime = 0x0200bff8,
	.hz = 1000000,
};

const struct sifive_uart_link_map board_sifive_uart_link = {
	.base = 0x10010000, /* UART 0, at the board's USB port */
	.divisor = 0,       /* the boot loader (FSBL) has set 115,200 bits a second */
	.plic = 0x0c000000,
	.source = 4,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* Microchip PolarFire SoC: where its devices are. QEMU's `microchip-icicle-kit` has them at the same places. */
#include "hal/drivers/clint.h"
#include "hal/drivers/uart_link.h"

const struct clint_map board_clint = {
	.msip = 0x02000000,
	.mtimecmp = 0x02004000,
	.mtime = 0x0200bff8,
	.hz = 1000000,
};

const struct uart_link_map board_uart_link = {
	.base = 0x20000000, /* MMUART 0 */
	.stride = 4,
	.fifo = 16,
	.divisor = 0, /* the boot loader (HSS) has set 115,200 bits a second */
	.plic = 0x0c000000,
	.source = 90,
};

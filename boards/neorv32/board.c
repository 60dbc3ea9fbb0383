/* SPDX-License-Identifier: Apache-2.0 */
/* NEORV32 1.13: where its devices are. The CLINT is laid out as usual and counts the clock. */
#include "hal/drivers/clint.h"
#include "hal/drivers/neorv32_harts.h"
#include "hal/drivers/neorv32_uart.h"

const struct clint_map board_clint = {
	.msip = 0xfff40000,
	.mtimecmp = 0xfff44000,
	.mtime = 0xfff4bff8,
	.hz = BOARD_CLOCK_HZ,
};

const struct neorv32_harts_map board_neorv32_harts = {
	.sysinfo = 0xfffe0000,
	.wait_polls = 100000,
};

const struct neorv32_uart_map board_neorv32_uart = {
	.base = 0xfff50000,
	.wait_polls = 100000,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* A LiteX SoC with VexRiscv-SMP: where its devices are. The CLINT counts the system clock. */
#include "boards/litex/addresses.h"
#include "hal/drivers/clint.h"
#include "hal/drivers/litex_uart.h"

const struct clint_map board_clint = {
	.msip = LITEX_CLINT,
	.mtimecmp = LITEX_CLINT + 0x4000,
	.mtime = LITEX_CLINT + 0xbff8,
	.hz = BOARD_CLOCK_HZ,
};

const struct litex_uart_map board_litex_uart = {
	.rxtx = LITEX_UART_RXTX,
	.txfull = LITEX_UART_TXFULL,
	.rxempty = LITEX_UART_RXEMPTY,
	.ev_pending = LITEX_UART_EV_PENDING,
	.wait_polls = 100000,
};

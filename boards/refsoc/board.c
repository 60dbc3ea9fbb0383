/* SPDX-License-Identifier: Apache-2.0 */
/* The reference SoC (rtl/soc.v): where its devices are. The same for all cores. */
#include "hal/drivers/clint.h"
#include "hal/drivers/finisher.h"
#include "hal/drivers/mailbox.h"
#include "hal/drivers/uart16550.h"

const struct clint_map board_clint = {
	.msip = BOARD_IO_BASE + 0x02000000,
	.mtimecmp = BOARD_IO_BASE + 0x02004000,
	.mtime = BOARD_IO_BASE + 0x0200bff8,
	.hz = BOARD_CLOCK_HZ, /* mtime counts cycles */
};

const struct uart16550_map board_uart16550 = {
	.base = BOARD_IO_BASE + 0x10000000,
	.stride = 1,
	.wait_polls = 10000,
};

const struct finisher_map board_finisher = {
	.address = BOARD_IO_BASE + 0x00100000,
};

const struct mailbox_map board_mailbox = {
	.address = BOARD_IO_BASE + 0x10020000,
};

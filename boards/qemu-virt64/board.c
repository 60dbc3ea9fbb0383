/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's `virt` machine: where its devices are. The same for 32 and 64 bits. */
#include "hal/drivers/clint.h"
#include "hal/drivers/finisher.h"
#include "hal/drivers/ivshmem.h"
#include "hal/drivers/uart16550.h"

const struct clint_map board_clint = {
	.msip = 0x02000000,
	.mtimecmp = 0x02004000,
	.mtime = 0x0200bff8,
	.hz = 10000000,
};

const struct uart16550_map board_uart16550 = {
	.base = 0x10000000,
	.stride = 1,
	.wait_polls = 10000,
};

const struct finisher_map board_finisher = {
	.address = 0x00100000,
};

const struct ivshmem_map board_ivshmem = {
	.ecam = 0x30000000,
	.registers = 0x40000000,
	.msix_table = 0x40001000,
	.shared_memory = 0x44000000,
	.message_address = 0x02000000,
	.host_peer = 1,
};

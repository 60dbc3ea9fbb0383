/* SPDX-License-Identifier: Apache-2.0 */
/* hart_number of the start code (hal/riscv/start.S) from the mailbox block: t0 = number. Changes
 * nothing else; gp is not there yet. */
#include "hal/drivers/mailbox.h"
#include "hal/riscv/asm.h"

	.section .text.hart_number, "ax", @progbits
	.globl hart_number
	.type hart_number, @function
	.option push
	.option norelax
hart_number:
	la	t0, board_mailbox	/* its first member: the address of the block */
	REG_L	t0, 0(t0)
	lw	t0, MAILBOX_WHOAMI(t0)
	ret
	.option pop
	.size hart_number, . - hart_number

/* SPDX-License-Identifier: Apache-2.0 */
/* ipi_take of the start code (hal/riscv/start.S): take back the software interrupt of this hart.
 * t0 = its number; changes t1 and t2 only. */
#include "hal/riscv/asm.h"

	.section .text.ipi, "ax", @progbits
	.globl ipi_take
	.type ipi_take, @function
	.option push
	.option norelax			/* gp has the value of whoever ran before */
ipi_take:
	REG_L	t1, board_clint		/* its first member: address of the msip words */
	slli	t2, t0, 2
	add	t1, t1, t2
	sw	zero, 0(t1)
	ret
	.option pop
	.size ipi_take, . - ipi_take

/* SPDX-License-Identifier: Apache-2.0 */
/* ipi_take of the start code (hal/riscv/start.S), and rp2350_unblock(). */
#include "hal/drivers/rp2350_sio.h"

	.section .text.ipi_take, "ax", @progbits
	.globl ipi_take
	.type ipi_take, @function
ipi_take:				/* t0 = hart; changes t1 and t2 only */
	li	t1, RP2350_SIO
	li	t2, 0x100
	sll	t2, t2, t0
	sw	t2, RP2350_SOFTIRQ(t1)
	ret
	.size ipi_take, . - ipi_take

	.section .text.rp2350_unblock, "ax", @progbits
	.globl rp2350_unblock
	.type rp2350_unblock, @function
rp2350_unblock:
	slt	zero, zero, ra		/* a hint, which Hazard3 takes as h3.unblock: the register is x1 */
	ret
	.size rp2350_unblock, . - rp2350_unblock

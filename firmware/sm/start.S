/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry of the SM image. The control processor starts each SM's hart here with a0 = hart and
 * a1 = its struct sm_boot, which is the start of the SM's area and of its struct sm. Interrupts
 * are off; there is no stack and no trap vector yet.
 */
#include "firmware/sm/sm_asm.h"

#define MSTATUS_MPIE (1 << 7)
#define MSTATUS_MPP  (3 << 11)

	.section .text.start, "ax", @progbits
	.globl sm_start
	.type sm_start, @function
sm_start:
	mv	tp, a1
	li	sp, SM_STACK_OFFSET
	add	sp, sp, a1
	la	t0, sm_trap
	csrw	mtvec, t0
	csrw	mscratch, zero
	/* What mret will restore: user mode. A core that has none goes on in machine mode, and then
	 * needs MPIE for interrupts. Each trap and mret leaves both as they are. */
	li	t0, MSTATUS_MPP
	csrc	mstatus, t0
	li	t0, MSTATUS_MPIE
	csrs	mstatus, t0
	mv	a0, a1
	j	sm_main
	.size sm_start, . - sm_start

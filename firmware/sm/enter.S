/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the runtime into a kernel (enter.h).
 */
#include "firmware/sm/sm_asm.h"
#include "hal/riscv/asm.h"

/* x\number of the context at \base. */
.macro restore number, base
	REG_L	x\number, \number * SM_WORD(\base)
.endm

	.text
	.globl sm_enter
	.type sm_enter, @function
sm_enter:
#if HAL_SCRATCH
	csrw	mscratch, tp
#else
	REG_L	t0, 4 * SM_WORD(a0)
	REG_S	tp, SM_BELOW_SM(t0)
#endif
	REG_L	t0, 0(a0)
	csrw	mepc, t0
	.irp	number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
	restore	\number, a0
	.endr
	.irp	number, 24, 25, 26, 27, 28, 29, 30, 31, 10
	restore	\number, a0
	.endr
	mret
	.size sm_enter, . - sm_enter

/* Nothing of the runtime or of another CTA is left in the registers. */
	.globl sm_begin
	.type sm_begin, @function
sm_begin:
#if HAL_SCRATCH
	csrw	mscratch, tp
#else
	REG_S	tp, SM_BELOW_SM(a1)
#endif
	csrw	mepc, a0
	mv	tp, a1
	mv	sp, a2
	mv	a0, a3
	.irp	number, 1, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
	li	x\number, 0
	.endr
	.irp	number, 25, 26, 27, 28, 29, 30, 31
	li	x\number, 0
	.endr
	mret
	.size sm_begin, . - sm_begin

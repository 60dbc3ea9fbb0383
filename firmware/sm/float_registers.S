/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating-point registers (float.h). The image itself is built without F and D, so that it runs
 * on cores that have none; these functions are called only on cores that do.
 */
#include "firmware/sm/sm_asm.h"

	.option arch, +f, +d

/* The loads and stores of all registers relative to sp have two bytes where the core has C (single precision: only
 * with 32 bits), so sp is lent for them. Machine mode takes no interrupts, and nothing here traps. */
.macro each_float instruction, base
	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	\instruction	f\number, \number * 8(\base)
	.endr
	.irp	number, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\instruction	f\number, \number * 8(\base)
	.endr
.endm

	.text
	.globl float_save
	.type float_save, @function
float_save:
	csrr	t0, fcsr
	sw	t0, SM_FCSR_OFFSET(a0)
	mv	t1, sp
	mv	sp, a0
	bnez	a1, 1f
	each_float fsw, sp
	j	2f
1:	each_float fsd, sp
2:	mv	sp, t1
	ret
	.size float_save, . - float_save

	.globl float_load
	.type float_load, @function
float_load:
	lw	t0, SM_FCSR_OFFSET(a0)
	csrw	fcsr, t0
	mv	t1, sp
	mv	sp, a0
	bnez	a1, 1f
	each_float flw, sp
	j	2f
1:	each_float fld, sp
2:	mv	sp, t1
	ret
	.size float_load, . - float_load

/* Writes zeros of single precision. With D the upper halves then become ones, which is no value of any CTA either. */
	.globl float_zero
	.type float_zero, @function
float_zero:
	csrw	fcsr, zero
	.irp	number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	fmv.w.x	f\number, zero
	.endr
	.irp	number, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	fmv.w.x	f\number, zero
	.endr
	ret
	.size float_zero, . - float_zero

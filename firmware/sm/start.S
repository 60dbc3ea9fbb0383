/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry of the SM image. The control processor starts each SM's hart here with a0 = hart and
 * a1 = its struct sm_boot, which is the start of the SM's runtime and of its struct sm. Interrupts
 * are off; there is no stack and no trap vector yet.
 */
#include "firmware/sm/sm_asm.h"
#include "hal/riscv/csr.h"

	.section .text.start, "ax", @progbits
	.globl sm_start
	.type sm_start, @function
sm_start:
	mv	tp, a1
	li	sp, SM_STACK_OFFSET
	add	sp, sp, a1
	la	t0, trap_vector
	csrw	mtvec, t0
#if HAL_SCRATCH
	csrw	mscratch, zero
#else
	sw	zero, SM_BELOW_SM(tp)
#endif
	mv	a0, a1
	j	sm_main
	.size sm_start, . - sm_start

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a kernel into the runtime (trap.h). A CTA that exits is not saved: the most
 * frequent trap costs a dozen instructions.
 */
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/sm_asm.h"
#include "hal/riscv/asm.h"

/* mcause of a call is 8 from user mode and 11 on a core without it. So its lowest two bits are ignored; the
 * highest bit, which marks an interrupt, is not. */
#define CAUSE_CALL 8

/* x\number of the context at \base. */
.macro save number, base
	REG_S	x\number, \number * SM_WORD(\base)
.endm

/* An empty M-mode stack; mscratch says that machine mode has the hart. */
.macro own_stack
#if HAL_SCRATCH
	csrw	mscratch, zero
#endif
	li	sp, SM_STACK_OFFSET
	add	sp, sp, tp
.endm

	.text
	.globl trap_vector
	.type trap_vector, @function
trap_vector:
	trap_table sm_trap
	.size trap_vector, . - trap_vector

	.globl sm_trap
	.type sm_trap, @function
sm_trap:
#if HAL_SCRATCH
	csrrw	tp, mscratch, tp
	beqz	tp, own_trap
	REG_S	t0, SM_SCRATCH_OFFSET(tp)
#else
	REG_S	t0, SM_BELOW_WORD(tp)
	REG_L	t0, SM_BELOW_SM(tp)
	beqz	t0, own_trap
	REG_S	tp, SM_TP_OFFSET(t0)
	mv	tp, t0
	REG_L	t0, SM_TP_OFFSET(tp)
	REG_L	t0, SM_BELOW_WORD(t0)
	REG_S	t0, SM_SCRATCH_OFFSET(tp)
#endif
	csrr	t0, mcause
	andi	t0, t0, ~3
	addi	t0, t0, -CAUSE_CALL
	bnez	t0, save_all
	addi	t0, a7, -GG_CALL_EXIT
	bnez	t0, save_all
	own_stack
	mv	a2, a0
	li	a1, 1
	mv	a0, tp
	j	sm_run

save_all:
	REG_L	t0, SM_CURRENT_OFFSET(tp)
save_to_t0:
	.irp	number, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
	save	\number, t0
	.endr
	.irp	number, 24, 25, 26, 27, 28, 29, 30, 31
	save	\number, t0
	.endr
	REG_L	t1, SM_SCRATCH_OFFSET(tp)
	REG_S	t1, 5 * SM_WORD(t0)
#if HAL_SCRATCH
	csrr	t1, mscratch
#else
	REG_L	t1, SM_TP_OFFSET(tp)
#endif
	REG_S	t1, 4 * SM_WORD(t0)
	csrr	t1, mepc
	REG_S	t1, 0(t0)
	own_stack
	mv	a0, tp
	csrr	a1, mcause
	csrr	a2, mtval
	addi	t1, tp, SM_BUG_OFFSET
	beq	t0, t1, own_bug
	j	sm_trapped
own_bug:
	j	sm_bug

/* Machine mode trapped: tp pointed at struct sm, and mscratch was 0. That 0 is saved as tp. */
own_trap:
#if HAL_SCRATCH
	csrrw	tp, mscratch, tp
#else
	REG_S	tp, SM_TP_OFFSET(tp)
	REG_L	t0, SM_BELOW_WORD(tp)
#endif
	REG_S	t0, SM_SCRATCH_OFFSET(tp)
	addi	t0, tp, SM_BUG_OFFSET
	j	save_to_t0
	.size sm_trap, . - sm_trap

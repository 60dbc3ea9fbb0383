/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps of the control processor. Interrupts do not nest and stay on the stack they interrupt;
 * only what a C function may change is saved. Exceptions do not trust the stack: the registers
 * go to the breadcrumb, and cp_panic() has a stack of its own. Only on cores without mscratch two words
 * are written to the stack before.
 */
#include "hal/riscv/asm.h"
#include "hal/riscv/csr.h"

#define SAVED_BYTES (16 * REG_BYTES)

	.section .text.trap, "ax", @progbits
	.globl trap_vector
	.type trap_vector, @function
trap_vector:
	trap_table trap_entry
	.size trap_vector, . - trap_vector

	.globl trap_entry
	.type trap_entry, @function
trap_entry:
#if HAL_SCRATCH
	csrw	mscratch, t0
	csrr	t0, mcause
	bgez	t0, exception

	addi	sp, sp, -SAVED_BYTES
	REG_S	a0, 0 * REG_BYTES(sp)
	andi	a0, t0, 0x3ff		/* the cause without the bit that says "interrupt" */
	csrr	t0, mscratch
	REG_S	t0, 1 * REG_BYTES(sp)
#else
	addi	sp, sp, -SAVED_BYTES
	REG_S	t0, 1 * REG_BYTES(sp)
	csrr	t0, mcause
	bgez	t0, exception
	REG_S	a0, 0 * REG_BYTES(sp)
	andi	a0, t0, 0x3ff
#endif
	REG_S	t1, 2 * REG_BYTES(sp)
	REG_S	t2, 3 * REG_BYTES(sp)
	REG_S	t3, 4 * REG_BYTES(sp)
	REG_S	t4, 5 * REG_BYTES(sp)
	REG_S	t5, 6 * REG_BYTES(sp)
	REG_S	t6, 7 * REG_BYTES(sp)
	REG_S	ra, 8 * REG_BYTES(sp)
	REG_S	a1, 9 * REG_BYTES(sp)
	REG_S	a2, 10 * REG_BYTES(sp)
	REG_S	a3, 11 * REG_BYTES(sp)
	REG_S	a4, 12 * REG_BYTES(sp)
	REG_S	a5, 13 * REG_BYTES(sp)
	REG_S	a6, 14 * REG_BYTES(sp)
	REG_S	a7, 15 * REG_BYTES(sp)
	call	cp_interrupt
	REG_L	a0, 0 * REG_BYTES(sp)
	REG_L	t0, 1 * REG_BYTES(sp)
	REG_L	t1, 2 * REG_BYTES(sp)
	REG_L	t2, 3 * REG_BYTES(sp)
	REG_L	t3, 4 * REG_BYTES(sp)
	REG_L	t4, 5 * REG_BYTES(sp)
	REG_L	t5, 6 * REG_BYTES(sp)
	REG_L	t6, 7 * REG_BYTES(sp)
	REG_L	ra, 8 * REG_BYTES(sp)
	REG_L	a1, 9 * REG_BYTES(sp)
	REG_L	a2, 10 * REG_BYTES(sp)
	REG_L	a3, 11 * REG_BYTES(sp)
	REG_L	a4, 12 * REG_BYTES(sp)
	REG_L	a5, 13 * REG_BYTES(sp)
	REG_L	a6, 14 * REG_BYTES(sp)
	REG_L	a7, 15 * REG_BYTES(sp)
	addi	sp, sp, SAVED_BYTES
	mret

	/* struct trap_frame (hal/entry.h) is the first member of hal_breadcrumb. */
	.option push
	.option norelax			/* a wrong gp may be the reason of the exception */
exception:
	la	t0, dead
	csrw	mtvec, t0		/* an exception in this code leaves the first frame alone */
	la	t0, hal_breadcrumb
	REG_S	zero, 0 * REG_BYTES(t0)
	.irp	n, 1,2,3,4,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	REG_S	x\n, \n * REG_BYTES(t0)
	.endr
#if HAL_SCRATCH
	csrr	t1, mscratch		/* x5 is t0 */
#else
	addi	t1, sp, SAVED_BYTES
	REG_S	t1, 2 * REG_BYTES(t0)
	REG_L	t1, 1 * REG_BYTES(sp)
#endif
	REG_S	t1, 5 * REG_BYTES(t0)
	csrr	t1, mepc
	REG_S	t1, 32 * REG_BYTES(t0)
	csrr	t1, mcause
	REG_S	t1, 33 * REG_BYTES(t0)
	csrr	t1, mtval
	REG_S	t1, 34 * REG_BYTES(t0)
	csrr	t1, mstatus
	REG_S	t1, 35 * REG_BYTES(t0)
	la	gp, __global_pointer$
	la	sp, __panic_stack_top
	mv	a0, t0
	call	cp_panic
	j	dead
	.option pop
	.size trap_entry, . - trap_entry

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start and traps of the smoke images, for every core: RV32I, no mhartid, no mscratch. All harts come here
 * and call smoke(hart), each on 1 KiB of stack; a hart that returns sleeps, hart 0 says that all is well.
 */
#define HART    -16	/* both registers of the SoC are within reach of x0 */
#define SCRATCH -12

	.section .text.start, "ax", @progbits
	.globl _start
_start:
	j	start

	/* A table: some cores jump to base + 4 * cause for interrupts, some always to the base. */
	.balign 256
	.option push
	.option norvc
vectors:
	.rept 32
	j	trap_entry
	.endr
	.option pop

start:
	la	t0, vectors
	csrw	mtvec, t0
	csrw	mie, zero
	lw	a0, HART(zero)
	la	sp, stacks
	slli	t0, a0, 10
	add	sp, sp, t0
	addi	sp, sp, 1024
	mv	s0, a0
	call	smoke
	bnez	s0, sleep
	call	pass
sleep:
	csrw	mie, zero
	wfi
	j	sleep

trap_entry:
	sw	t0, SCRATCH(zero)
	addi	sp, sp, -80
	sw	ra, 0(sp)
	lw	t0, SCRATCH(zero)
	sw	t0, 4(sp)
	sw	t1, 8(sp)
	sw	t2, 12(sp)
	sw	t3, 16(sp)
	sw	t4, 20(sp)
	sw	t5, 24(sp)
	sw	t6, 28(sp)
	sw	a0, 32(sp)
	sw	a1, 36(sp)
	sw	a2, 40(sp)
	sw	a3, 44(sp)
	sw	a4, 48(sp)
	sw	a5, 52(sp)
	sw	a6, 56(sp)
	sw	a7, 60(sp)
	lw	a0, HART(zero)
	csrr	a1, mcause
	csrr	a2, mepc
	call	trap
	csrw	mepc, a0
	lw	ra, 0(sp)
	lw	t0, 4(sp)
	lw	t1, 8(sp)
	lw	t2, 12(sp)
	lw	t3, 16(sp)
	lw	t4, 20(sp)
	lw	t5, 24(sp)
	lw	t6, 28(sp)
	lw	a0, 32(sp)
	lw	a1, 36(sp)
	lw	a2, 40(sp)
	lw	a3, 44(sp)
	lw	a4, 48(sp)
	lw	a5, 52(sp)
	lw	a6, 56(sp)
	lw	a7, 60(sp)
	addi	sp, sp, 80
	mret

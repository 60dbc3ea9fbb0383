/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Things that a core may not have, tried out (try.h). While one is tried, mtvec leads to try_vector,
 * so that an exception is the way out with what a0 holds at that moment. Then mtvec is set to the image's own trap_vector
 * again: on some cores it cannot be read. Interrupts are disabled. mstatus.MPP and MPIE are not kept.
 */
#include "hal/riscv/asm.h"
#include "hal/riscv/csr.h"

	.section .text.try, "ax", @progbits
	trap_align
	.globl try_vector
	.type try_vector, @function
try_vector:
	la	t0, trap_vector
	csrw	mtvec, t0
	ret
	.size try_vector, . - try_vector

/* a0 is the answer if it traps. */
.macro begin name
	.globl \name
	.type \name, @function
\name:
	mv	t1, a0
	li	a0, 0
	la	t0, try_vector
	csrw	mtvec, t0
.endm

.macro end name
	li	a0, 1
	j	try_vector
	.size \name, . - \name
.endm

.macro write_csr name, number
	.section .text.try.\name, "ax", @progbits
	begin	\name
	csrw	\number, t1
	end	\name
.endm

	write_csr try_mcountinhibit, CSR_MCOUNTINHIBIT
	write_csr try_mcounteren, CSR_MCOUNTEREN
	write_csr try_scounteren, CSR_SCOUNTEREN
	write_csr try_fcsr, CSR_FCSR

	.section .text.try.misa, "ax", @progbits
	.globl try_misa
	.type try_misa, @function
try_misa:
	li	a0, 0
	la	t0, try_vector
	csrw	mtvec, t0
	csrr	a0, misa
	j	try_vector
	.size try_misa, . - try_misa

	.section .text.try.multiply, "ax", @progbits
	.option push
	.option arch, +m
	begin	try_multiply		/* a core may ignore an instruction that it does not know */
	addi	t2, t1, 2
	mul	t2, t2, t1		/* t1 (t1 + 2) */
	divu	t2, t2, t1
	sub	t2, t2, t1
	addi	t2, t2, -2
	bnez	t2, try_vector
	end	try_multiply
	.option pop

/* An instruction that makes t2 what t1 is. */
.macro copies instruction:vararg
	li	t2, 0
	\instruction
	bne	t2, t1, try_vector
.endm

	.section .text.try.bits, "ax", @progbits
	begin	try_bits
#ifdef __riscv_zba
	copies	sh1add t2, zero, t1
#endif
#ifdef __riscv_zbb
	copies	maxu t2, t1, zero
#endif
#ifdef __riscv_zbs
	copies	bset t2, t1, zero	/* bit 0 of an odd value */
#endif
	end	try_bits

	.section .text.try.load, "ax", @progbits
	begin	try_load
	lw	t1, 0(t1)
	sw	t1, 0(a1)
	end	try_load

	.section .text.try.store, "ax", @progbits
	begin	try_store
	sw	a1, 0(t1)
	fence	iorw, iorw
	end	try_store

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start of the loops without firmware. Every hart begins at the first instruction and calls
 * static_main(hart) on a stack of its own. A software interrupt ends its sleep; no trap is taken.
 */
#define STACK_SHIFT  13			/* static.ld has room for 64 of them */
#define MSTATUS_FS   0x6000		/* floating point on */
#define MIE_MSIE     8

	.section .text.start, "ax", @progbits
	.globl _start
	.type _start, @function
_start:
	la	t0, stop
	csrw	mtvec, t0
	li	t0, MIE_MSIE
	csrw	mie, t0
	li	t0, MSTATUS_FS
	csrs	mstatus, t0
	csrr	a0, mhartid
	la	sp, __stacks_end
	slli	t0, a0, STACK_SHIFT
	sub	sp, sp, t0
	call	static_main

	/* A trap ends here, too: the host's time limit notices. */
	.balign 4
stop:
	csrw	mie, zero
	wfi
	j	stop
	.size _start, . - _start

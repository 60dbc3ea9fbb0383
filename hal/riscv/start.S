/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start of the control processor's image. Every hart begins at its first instruction, or 0x80 bytes
 * behind it: some cores are reset there.
 *
 * Hart 0 makes the static data ready and calls cp_main(hart, dtb). All others sleep until
 * hart_start() has filled their slot and raised their software interrupt. They touch nothing
 * before: hart 0 may still be clearing the slots. Needs neither A, C nor M, nor a stack: hart_number
 * (hal/hart.h) changes t0 and ra only, ipi_take (hal/ipi.h) t1, t2 and ra. An image is far smaller than the
 * 1 MiB that jal reaches, so no call takes two instructions.
 */
#include "hal/riscv/asm.h"
#include "hal/riscv/csr.h"
#include "hal/riscv/hart_slot.h"

#define RESET_OFFSET 0x80

.macro sleep
#if HAL_WFI != 0
	wfi
#endif
.endm

	.section .text.start, "ax", @progbits
	.globl _start
	.type _start, @function
	.option push
	.option norvc
	.option norelax			/* gp has the value of whoever ran before */
_start:
	j	reset
	j	stop			/* must be at HART_STOP_OFFSET, the only other way in */

	/* A hart that ran comes back to sleep. */
stop:
	csrw	mie, zero
	csrci	mstatus, MSTATUS_MIE
	jal	hart_number
	beqz	t0, dead		/* nobody could wake hart 0 */
	la	s0, hart_slots
	slli	t1, t0, HART_SLOT_SHIFT
	add	s0, s0, t1
	lw	t1, HART_SLOT_TAKEN(s0)
	fence	rw, w
	sw	t1, HART_SLOT_STOPPED(s0)
	j	park

	/* A hart that sleeps was woken. t0 = hart, s0 = its slot. This block is here because of the gap before RESET_OFFSET. */
take:
	/* The interrupt is taken back first: a start that is asked for afterwards raises a new one. */
	jal	ipi_take
	fence	iorw, iorw
	lw	t1, HART_SLOT_ASKED(s0)
	lw	t2, HART_SLOT_TAKEN(s0)
	beq	t1, t2, park_wait
	fence	r, rw
	REG_L	t3, HART_SLOT_ENTRY(s0)
	REG_L	a1, HART_SLOT_ARGUMENT(s0)
	sw	t1, HART_SLOT_TAKEN(s0)
	csrw	mie, zero
	fence.i				/* the code may have been written after this hart fetched it */
	mv	a0, t0
	la	ra, stop		/* returning is hart_stop() */
	jr	t3

	.org	RESET_OFFSET
reset:
	csrw	mie, zero
	csrci	mstatus, MSTATUS_MIE
	jal	hart_number
	beqz	t0, first

	/* Sleep. t0 = hart */
park:
	la	t1, dead
	csrw	mtvec, t1
	la	s0, hart_slots
	slli	t1, t0, HART_SLOT_SHIFT
	add	s0, s0, t1
	la	t1, __hart_slots_end
	bgeu	s0, t1, dead		/* more harts than the board has room for */
	csrwi	mie, MIP_MSIP
park_wait:
	sleep
	csrr	t1, mip
	andi	t1, t1, MIP_MSIP
	beqz	t1, park_wait
	j	take

	.globl dead
	trap_align			/* it is a trap vector, too: the code around it is in an order that leaves small gaps */
dead:
	csrw	mie, zero
	sleep
	j	dead

	/* Hart 0. s1 keeps what the boot loader gave. */
first:
	mv	s1, a1
	la	s2, __hart_slots_end
	.globl	start_ready
start_ready:				/* s1 = second argument of cp_main(), s2 = end of the memory that is cleared */
	la	t0, trap_vector
	csrw	mtvec, t0
	la	gp, __global_pointer$

	/* Initialised data is copied from the image each time, so that a warm restart is like the first start. */
	la	t0, __data_start
	la	t1, __data_end
	la	t2, __data_load
copy_data:
	bgeu	t0, t1, clear
	REG_L	t3, 0(t2)
	REG_S	t3, 0(t0)
	addi	t2, t2, REG_BYTES
	addi	t0, t0, REG_BYTES
	j	copy_data
clear:
	la	t0, __bss_start
	mv	t1, s2
clear_bss:
	bgeu	t0, t1, stack
	REG_S	zero, 0(t0)
	addi	t0, t0, REG_BYTES
	j	clear_bss
stack:
	la	sp, __stack_top
	li	a0, 0
	mv	a1, s1
	li	s0, 0			/* end of the chain of frames, for debuggers */
	jal	cp_main
	j	dead

	.option pop
	.size _start, . - _start

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Image of the control processor. Goes through the C preprocessor with the numbers of board.mk.
 *
 *   BOARD_CP_BASE   code, constants, first values of the data: what is loaded; never written
 *   + CP_IMAGE      data, zeroed data, what a restart keeps: hart slots
 *                   ...
 *                   stack, growing down to __stack_end
 *                   stack for panics
 *   + CP_BYTES      breadcrumb: the last 512 bytes; in no segment, so no loader clears it
 */
#include "hal/riscv/hart_slot.h"

#define BREADCRUMB_BYTES  512
#define PANIC_STACK_BYTES 2048
#define RAM_BYTES         (BOARD_CP_BYTES - BOARD_CP_IMAGE_BYTES)

OUTPUT_ARCH(riscv)
ENTRY(_start)

MEMORY {
	image (rx) : ORIGIN = BOARD_CP_BASE, LENGTH = BOARD_CP_IMAGE_BYTES
	ram (rw)   : ORIGIN = BOARD_CP_BASE + BOARD_CP_IMAGE_BYTES, LENGTH = RAM_BYTES
}

PHDRS {
	code PT_LOAD FLAGS(5);
	data PT_LOAD FLAGS(6);
	zero PT_LOAD FLAGS(6);
}

SECTIONS {
	.start : {
		KEEP(*(.text.start))
		*(.text.trap)
		*(.text.try)
	} >image :code

	/* Constants come before most of the code. Were they behind it, some would be near gp until calls have been made
	 * shorter, and out of its reach afterwards, which ld refuses. */
	.rodata : ALIGN(16) {
		*(.rodata .rodata.* .srodata .srodata.*)
		. = ALIGN(16);
	} >image :code

	.text : {
		*(.text .text.*)
		. = ALIGN(16);
	} >image :code

	.data : ALIGN(16) {
		__data_start = .;
		LONG(0) /* the segment is never empty, because an empty segment would lie at address 0 */
		*(.data .data.*)
		__global_pointer$ = . + 0x800;
		*(.sdata .sdata.*)
		. = ALIGN(16);
		__data_end = .;
	} >ram AT>image :data
	__data_load = LOADADDR(.data);

	.bss (NOLOAD) : ALIGN(32) {
		__bss_start = .;
		*(.sbss .sbss.*)
		*(.bss .bss.[!.]* COMMON)
		. = ALIGN(32);
		__bss_end = .;
	} >ram AT>ram :zero

	.kept (NOLOAD) : ALIGN(32) { /* not cleared by a restart (hal/kept.h) */
		*(.bss..kept)
		. = ALIGN(32);
		hart_slots = .;
		. += (BOARD_SMS_MAX + 1) * HART_SLOT_BYTES;
		__hart_slots_end = .;
	} >ram AT>ram :zero

	hal_breadcrumb = BOARD_CP_BASE + BOARD_CP_BYTES - BREADCRUMB_BYTES;
	__panic_stack_top = hal_breadcrumb;
	__stack_top = __panic_stack_top - PANIC_STACK_BYTES;
	__stack_end = __stack_top - BOARD_CP_STACK_BYTES;

	.thread_data : { *(.tdata .tdata.* .tbss .tbss.*) } >ram AT>ram :zero
	.constructors : { *(.init_array .init_array.* .ctors .ctors.*) } >image :code
	/DISCARD/ : { *(.eh_frame .eh_frame.* .note.*) }
}

ASSERT(_start == BOARD_CP_BASE, "every hart is reset to BOARD_CP_BASE: _start has to be first")
ASSERT(__bss_end == ADDR(.kept), "the start code clears both in one go")
ASSERT(__hart_slots_end <= __stack_end, "data and stack do not fit into BOARD_CP_BYTES")
ASSERT(SIZEOF(.thread_data) == 0, "there is one thread: _Thread_local (errno?) has no place")
ASSERT(SIZEOF(.constructors) == 0, "nobody calls constructors")
ASSERT(BOARD_CP_BASE % 16 == 0 && BOARD_CP_BYTES % 16 == 0, "stacks are aligned to 16 bytes")
ASSERT(BOARD_CP_IMAGE_BYTES % 32 == 0, "hart slots are aligned to 32 bytes")

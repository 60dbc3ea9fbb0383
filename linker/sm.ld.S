/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Image of the SMs. Goes through the C preprocessor with the numbers of board.mk.
 *
 * All SMs run the one copy at the same time, so it has code and constants and nothing else: what
 * an SM writes is in its own area, whose address it gets when it is started. There is no
 * __global_pointer$, so the linker makes nothing depend on gp.
 */
OUTPUT_ARCH(riscv)
ENTRY(sm_start)

MEMORY {
	image (rx) : ORIGIN = BOARD_SM_BASE, LENGTH = BOARD_SM_BYTES
	none (rw)  : ORIGIN = 0, LENGTH = 0x10000
}

PHDRS {
	code PT_LOAD FLAGS(5);
	data PT_NULL;
}

SECTIONS {
	.text : {
		KEEP(*(.text.start))
		*(.text .text.*)
	} >image :code

	.rodata : ALIGN(16) {
		*(.rodata .rodata.* .srodata .srodata.*)
		. = ALIGN(16);
	} >image :code

	.data : {
		*(.data .data.* .sdata .sdata.* .init_array .init_array.* .tdata .tdata.*)
	} >none :data
	.bss (NOLOAD) : {
		*(.sbss .sbss.* .bss .bss.* COMMON .tbss .tbss.*)
	} >none :data

	/DISCARD/ : { *(.eh_frame .eh_frame.* .note.*) }
}

ASSERT(sm_start == BOARD_SM_BASE, "SMs are started at BOARD_SM_BASE: put sm_start into .text.start")
ASSERT(SIZEOF(.data) == 0, "SMs share this image: initialised data would be shared, too")
ASSERT(SIZEOF(.bss) == 0, "SMs share this image: static variables would be shared, too")

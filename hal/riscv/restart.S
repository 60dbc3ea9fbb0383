/* SPDX-License-Identifier: Apache-2.0 */
/* The way of hart 0 back into the start code, whatever it did (hal/entry.h). */
#include "hal/riscv/asm.h"
#include "hal/riscv/csr.h"

	.section .text.hal_restart, "ax", @progbits
	.globl hal_restart
	.type hal_restart, @function
hal_restart:
	csrw	mie, zero
	csrci	mstatus, MSTATUS_MIE
	li	s1, 0
	la	s2, __bss_end
	tail	start_ready
	.size hal_restart, . - hal_restart

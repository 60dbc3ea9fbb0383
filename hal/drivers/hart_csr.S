/* SPDX-License-Identifier: Apache-2.0 */
/* hart_number of the start code (hal/riscv/start.S) from mhartid: t0 = number. Changes nothing else. */
#include "hal/riscv/csr.h"

	.section .text.hart_number, "ax", @progbits
	.globl hart_number
	.type hart_number, @function
hart_number:
	csrr	t0, mhartid
	ret
	.size hart_number, . - hart_number

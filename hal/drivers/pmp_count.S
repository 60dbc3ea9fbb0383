/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uint32_t pmp_count(void): turn all PMP entries off and count them. An entry exists when its
 * address keeps what is written. A register that is missing traps; the trap vector leads back to the
 * caller meanwhile, with the count in a0 (hal/riscv/try.S).
 */
#include "hal/riscv/asm.h"
#include "hal/riscv/csr.h"

	.section .text.pmp_count, "ax", @progbits
	.globl pmp_count
	.type pmp_count, @function
pmp_count:
	li	a0, 0
	li	t1, -1
	la	t0, try_vector
	csrw	mtvec, t0
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.if	\n % REG_BYTES == 0
	csrw	CSR_PMPCFG0 + \n / 4, zero
	.endif
	csrw	CSR_PMPADDR0 + \n, t1
	csrr	t2, CSR_PMPADDR0 + \n
	snez	t2, t2
	add	a0, a0, t2
	.endr
	j	try_vector
	.size pmp_count, . - pmp_count

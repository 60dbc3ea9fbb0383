/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uint32_t pmp_count(void): turn all PMP entries off and count them. An entry exists when its
 * address keeps what is written. A register that is missing traps; the trap vector leads to the
 * end meanwhile, so the count just stops there.
 */
#include "hal/riscv/asm.h"
#include "hal/riscv/csr.h"

	.section .text.pmp_count, "ax", @progbits
	.globl pmp_count
	.type pmp_count, @function
pmp_count:
	li	a0, 0
	li	t1, -1
	la	t0, done
	csrrw	t0, mtvec, t0
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.if	\n % REG_BYTES == 0
	csrw	CSR_PMPCFG0 + \n / 4, zero
	.endif
	csrw	CSR_PMPADDR0 + \n, t1
	csrr	t2, CSR_PMPADDR0 + \n
	beqz	t2, done
	addi	a0, a0, 1
	.endr
	.balign 4			/* it is a trap vector */
done:
	csrw	mtvec, t0
	ret
	.size pmp_count, . - pmp_count

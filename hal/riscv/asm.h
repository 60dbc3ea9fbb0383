/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * For assembly that serves both register widths: how a register is loaded and stored.
 */
#ifndef HAL_RISCV_ASM_H
#define HAL_RISCV_ASM_H

#include "hal/riscv/csr.h"

#if __riscv_xlen == 64
#define REG_BYTES 8
#define REG_L     ld
#define REG_S     sd
#else
#define REG_BYTES 4
#define REG_L     lw
#define REG_S     sw
#endif

#ifdef __ASSEMBLER__
/* clang-format off */

/* Before a trap vector that takes exceptions only. Cores whose mtvec is always vectored want 256 bytes of
 * alignment; exceptions come to the first entry. */
.macro trap_align
	.if	HAL_VECTORS != 0
	.balign	256
	.else
	.balign	4
	.endif
.endm

/* A vector for all traps, right before its handler, in both modes of mtvec. Direct: everything comes to the
 * first entry. Vectored: interrupt n comes to entry n. The handler asks mcause. */
.macro trap_table handler
	trap_align
	.if	HAL_VECTORS != 0
	.option push
	.option norvc
	.rept	32
	j	\handler
	.endr
	.option pop
	.endif
.endm

/* clang-format on */
#endif

#endif /* HAL_RISCV_ASM_H */

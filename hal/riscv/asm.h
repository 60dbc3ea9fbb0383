/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * For assembly that serves both register widths: how a register is loaded and stored.
 */
#ifndef HAL_RISCV_ASM_H
#define HAL_RISCV_ASM_H

#if __riscv_xlen == 64
#define REG_BYTES 8
#define REG_L     ld
#define REG_S     sd
#else
#define REG_BYTES 4
#define REG_L     lw
#define REG_S     sw
#endif

#endif /* HAL_RISCV_ASM_H */

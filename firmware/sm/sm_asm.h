/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the assembly files know of the structures in sm.h. Included by C and by assembly; the
 * asserts at the end tie the two together.
 */
#ifndef FIRMWARE_SM_SM_ASM_H
#define FIRMWARE_SM_SM_ASM_H

#if __riscv_xlen == 64
#define SM_WORD 8 /**< Bytes of a register. */
#else
#define SM_WORD 4
#endif

#define SM_CURRENT_OFFSET 32                            /**< sm.current */
#define SM_SCRATCH_OFFSET (SM_CURRENT_OFFSET + SM_WORD) /**< sm.scratch */
#define SM_TP_OFFSET      (SM_SCRATCH_OFFSET + SM_WORD) /**< sm.kernel_tp */
#define SM_BUG_OFFSET     (SM_TP_OFFSET + SM_WORD)      /**< sm.bug */
#define SM_FCSR_OFFSET    256                           /**< sm_floats.fcsr */

#ifndef SM_RUNTIME_BYTES
#define SM_RUNTIME_BYTES 40960u /**< As in sm_area.h. */
#endif
#define SM_STACK_OFFSET (SM_RUNTIME_BYTES - 16) /**< Top of the M-mode stack in the runtime. */

/* Two words of trap.S on cores without mscratch. They lie just below what `tp` points at: while a kernel runs that
 * is in the CTA's block, whose last two words nobody else uses; in the runtime it is below struct sm, at the end of
 * the runtime before or of the CTA blocks. */
#define SM_BELOW_SM   -16 /**< While a kernel runs: struct sm; below struct sm: 0. */
#define SM_BELOW_WORD -8  /**< For trap.S. */

#ifndef __ASSEMBLER__

#include <assert.h>
#include <stddef.h>

#include "firmware/sm/sm.h"

static_assert(offsetof(struct sm, current) == SM_CURRENT_OFFSET, "trap.S");
static_assert(offsetof(struct sm, scratch) == SM_SCRATCH_OFFSET, "trap.S");
static_assert(offsetof(struct sm, kernel_tp) == SM_TP_OFFSET, "trap.S");
static_assert(offsetof(struct sm, bug) == SM_BUG_OFFSET, "trap.S");
static_assert(offsetof(struct sm_context, x) == SM_WORD, "trap.S");
static_assert(offsetof(struct sm_cta, context) == 0, "trap.S");
static_assert(offsetof(struct sm_floats, fcsr) == SM_FCSR_OFFSET, "float_registers.S");

#endif /* __ASSEMBLER__ */

#endif /* FIRMWARE_SM_SM_ASM_H */

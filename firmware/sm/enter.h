/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * From the runtime into a kernel (enter.S): the only ways out of machine mode.
 */
#ifndef FIRMWARE_SM_ENTER_H
#define FIRMWARE_SM_ENTER_H

#include "firmware/sm/sm.h"

/** Go on with a CTA whose registers are in its context. */
_Noreturn void sm_enter(const struct sm_context *context);

/** Start a kernel: sp, tp and a0 as gg_cta.h says, all other registers 0.
 * @param entry  Program entry.
 * @param tp     Base of the shared memory.
 * @param sp     Top of the first stack.
 * @param block  The CTA's block. */
_Noreturn void sm_begin(uintptr_t entry, uintptr_t tp, uintptr_t sp, uintptr_t block);

#endif /* FIRMWARE_SM_ENTER_H */

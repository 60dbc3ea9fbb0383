/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Between a kernel and the runtime: trap.S, and the functions that it calls.
 *
 * The M-mode stack is empty whenever a kernel runs: each way into machine mode starts it anew and
 * ends in sm_enter() or sm_begin(), so nothing of the runtime's own has to be saved.
 */
#ifndef FIRMWARE_SM_TRAP_H
#define FIRMWARE_SM_TRAP_H

#include "firmware/sm/sm.h"

/** Go on with a CTA whose registers are in its context. */
_Noreturn void sm_enter(const struct sm_context *context);

/** Start a kernel: sp, tp and a0 as gg_cta.h says, all other registers 0.
 * @param entry  Program entry.
 * @param tp     Base of the shared memory.
 * @param sp     Top of the first stack.
 * @param block  The CTA's block. */
_Noreturn void sm_begin(uintptr_t entry, uintptr_t tp, uintptr_t sp, uintptr_t block);

/** trap.S: the current CTA called GG_CALL_EXIT; its registers are not kept. */
_Noreturn void sm_exited(struct sm *sm, uintptr_t status);

/** trap.S: any other trap of the current CTA; its integer registers are in its context.
 * @param cause  mcause.
 * @param value  mtval. */
_Noreturn void sm_trapped(struct sm *sm, uintptr_t cause, uintptr_t value);

/** trap.S: a trap of our own, registers in sm->bug. */
_Noreturn void sm_bug(struct sm *sm, uintptr_t cause, uintptr_t value);

/** start.S: the hart has a stack and a trap vector. */
_Noreturn void sm_main(struct sm *sm);

#endif /* FIRMWARE_SM_TRAP_H */

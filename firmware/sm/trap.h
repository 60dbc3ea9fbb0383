/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * From a kernel into the runtime: trap.S saves the registers, then calls one of these functions, or sm_run().
 *
 * The M-mode stack is empty whenever a kernel runs: each way into machine mode starts it anew and
 * ends in sm_enter() or sm_begin() (enter.h), so nothing of the runtime's own has to be saved.
 */
#ifndef FIRMWARE_SM_TRAP_H
#define FIRMWARE_SM_TRAP_H

#include "firmware/sm/sm.h"

/** A trap of the current CTA, but for its end (sm_run()); its integer registers are in its context.
 * @param cause  mcause.
 * @param value  mtval. */
_Noreturn void sm_trapped(struct sm *sm, uintptr_t cause, uintptr_t value);

/** A trap of our own, registers in sm->bug. */
_Noreturn void sm_bug(struct sm *sm, uintptr_t cause, uintptr_t value);

#endif /* FIRMWARE_SM_TRAP_H */

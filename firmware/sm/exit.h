/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * From a kernel into the runtime, when its CTA has ended: trap.S calls this function, as those of trap.h. It has a file
 * of its own because it is the most frequent trap, and is compiled for speed.
 */
#ifndef FIRMWARE_SM_EXIT_H
#define FIRMWARE_SM_EXIT_H

#include "firmware/sm/sm.h"

/** The current CTA called GG_CALL_EXIT; its registers are not kept. */
_Noreturn void sm_exited(struct sm *sm, uintptr_t status);

#endif /* FIRMWARE_SM_EXIT_H */

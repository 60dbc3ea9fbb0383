/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The boot of an SM: it finds its blocks, probes its core, announces itself and enters its loop.
 */
#ifndef FIRMWARE_SM_SM_MAIN_H
#define FIRMWARE_SM_SM_MAIN_H

#include "firmware/sm/sm.h"

/** Called by start.S: the hart has a stack and a trap vector. */
_Noreturn void sm_main(struct sm *sm);

#endif /* FIRMWARE_SM_SM_MAIN_H */

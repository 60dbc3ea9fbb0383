/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The loop of an SM's hart. It looks at all that the CP has sent, gives the hart to the first CTA of the
 * queue, and sleeps when there is none. It calls all other units; only the boot and the traps call it.
 *
 * The timer runs only while a turn has to end: several CTAs are resident, one has a time limit,
 * ended CTAs wait to be reported, one has a window into another CTA's memory open, or one with a
 * time limit waits at a barrier.
 */
#ifndef FIRMWARE_SM_SM_RUN_H
#define FIRMWARE_SM_SM_RUN_H

#include "firmware/sm/sm.h"

/** The hart has come back from a kernel: take the time, and count for the heartbeat (sm_state.health). */
void sm_run_arrive(struct sm *sm);

/** Take back the interrupt, then look at all that the CP may have sent: in this order, so that
 * nothing is missed. sm->now is the time after that. */
void sm_run_look(struct sm *sm);

/** A timer interrupt: the turn of the CTA on the hart is over, and what is gathered is reported. */
void sm_run_tick(struct sm *sm);

/** All CTAs in the queue only give way to each other (sm->nap_due): sleep for a part of a time slice, or until
 * the CP sends something. */
void sm_run_nap(struct sm *sm);

/** Run the first CTA of the queue, or sleep until there is one.
 * @param exited  The current CTA called GG_CALL_EXIT, which is the most frequent trap: it ends first. Its registers are not kept.
 * @param status  The argument of that call; 0: it has ended well. */
_Noreturn void sm_run(struct sm *sm, bool exited, uintptr_t status);

#endif /* FIRMWARE_SM_SM_RUN_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Who has the hart: resident CTAs in the order of their arrival (S0-R41), changed at yields and
 * time slices, within their time limits; and the sleep when there is none, or all are blocked.
 *
 * The timer runs only while a turn has to end: several CTAs are resident, one has a time limit,
 * ended CTAs wait to be reported, one has a window into another CTA's memory open, or one with a
 * time limit waits at a barrier.
 */
#ifndef FIRMWARE_SM_SCHEDULE_H
#define FIRMWARE_SM_SCHEDULE_H

#include "firmware/sm/sm.h"

/** Put a CTA at the end of the queue. */
void schedule_add(struct sm *sm, const struct sm_cta *cta);

/** Take a CTA out of the queue, wherever it is. */
void schedule_remove(struct sm *sm, const struct sm_cta *cta);

/** Take a CTA that waits for the CP or for its CGA out of the queue: it stays resident.
 * @param state  SM_CTA_BLOCKED or SM_CTA_AT_BARRIER. */
void schedule_block(struct sm *sm, struct sm_cta *cta, enum sm_cta_state state);

/** What a blocked CTA waited for has come: back to the end of the queue, charged for the wait. */
void schedule_go_on(struct sm *sm, struct sm_cta *cta);

/** A blocked CTA ends. */
void schedule_unblock(struct sm *sm);

/** The CTA on the hart gives way to the next, and to the CP when nobody has anything to do. */
void schedule_yield(struct sm *sm);

/** A timer interrupt: the turn of the CTA on the hart is over, and what is gathered is reported. */
void schedule_tick(struct sm *sm);

/** Charge the CTA that has just left the hart for its turn.
 * @return  false when it is past its time limit. */
bool schedule_charge(struct sm *sm, struct sm_cta *cta);

/** Run the first CTA of the queue, or sleep until there is one. */
_Noreturn void schedule_run(struct sm *sm);

#endif /* FIRMWARE_SM_SCHEDULE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The CTAs that are resident on the SM, and the order in which they get its hart: the order of their
 * arrival (S0-R41), changed at yields and at the ends of time slices. A CTA that waits for the CP or for
 * its CGA is resident, but it is not in the queue for the hart.
 *
 * What the hart does next is decided in sm_run.c.
 */
#ifndef FIRMWARE_SM_SCHEDULE_H
#define FIRMWARE_SM_SCHEDULE_H

#include "firmware/sm/sm.h"

/** A CTA of a packet has arrived: make its record and put it at the end of the queue. The caller fills in
 * where the CTA lies in its grid, and calls schedule_arrived() when all CTAs of the packet are here.
 * @param task  Of the packet.
 * @param cta   Its record, which is free.
 * @param unit  Its lowest unit, and the number of its record. */
void schedule_arrive(struct sm *sm, const struct gg_packet *packet, struct sm_task *task,
		     struct sm_cta *cta, uint32_t unit);

/** Count the CTAs that schedule_arrive() has put into the queue, and show them.
 * @param ctas  Their number. */
void schedule_arrived(struct sm *sm, struct sm_task *task, uint32_t ctas);

/** A CTA that was parked is here again: put it at the end of the queue. The caller has filled in its record. */
void schedule_come_back(struct sm *sm, struct sm_cta *cta);

/** Take the CTA that has the hart, or had it until now, out of the queue: it is the first one. */
void schedule_remove_first(struct sm *sm);

/** Take a CTA out of the queue, wherever it is. */
void schedule_remove(struct sm *sm, const struct sm_cta *cta);

/** Take the streams of a PULL grid that are between two CTAs out of the queue, but for those that have their next one. They are
 * free then.
 * @return  Bit u: that of unit u. */
uint32_t schedule_remove_streams(struct sm *sm, struct sm_task *task);

/** Take a CTA that waits for the CP or for its CGA out of the queue. It stays resident.
 * @param state  SM_CTA_BLOCKED or SM_CTA_AT_BARRIER. */
void schedule_block(struct sm *sm, struct sm_cta *cta, enum sm_cta_state state);

/** What a blocked CTA waited for has come: put it back at the end of the queue, and charge it for the wait. */
void schedule_go_on(struct sm *sm, struct sm_cta *cta);

/** A blocked CTA ends. */
void schedule_unblock(struct sm *sm);

/** The first CTA of the queue. The queue is not empty. */
struct sm_cta *schedule_first(struct sm *sm);

/** The first CTA of the queue goes to its end. The queue is not empty. */
void schedule_rotate(struct sm *sm);

/** The CTA on the hart gives way to the next one. Sets sm->nap_due when all CTAs here have done nothing but
 * give way for a while. */
void schedule_yield(struct sm *sm);

/** Charge the CTA that has just left the hart for its turn.
 * @return  false when it is past its time limit. */
bool schedule_charge(struct sm *sm, struct sm_cta *cta);

#endif /* FIRMWARE_SM_SCHEDULE_H */

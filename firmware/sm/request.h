/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What CTAs ask of the CP: to start a child task (S0-R07), to push items into a queue and to close
 * one (S0-R05), to print. A CTA that asked is blocked: it is resident, but not in the queue for the hart,
 * until the CP has answered. Its time goes on meanwhile.
 *
 * Requests are numbered from 0; request i lies at place i % launch_entries and so does its answer,
 * and the CP answers in order. A blocked CTA can be cancelled, and another CTA take its record
 * before the answer comes: an answer is for a CTA that is blocked with just this number, else it is
 * dropped. Because of requests of CTAs that are gone, a CTA may find the ring full: then it makes
 * its call again when its next turn comes.
 */
#ifndef FIRMWARE_SM_REQUEST_H
#define FIRMWARE_SM_REQUEST_H

#include "firmware/sm/sm.h"
#include "hal/mmio.h"

/** A CTA off the hart called GG_CALL_LAUNCH, …_QUEUE_PUSH, …_QUEUE_CLOSE, …_PRINT or …_OCCUPANCY, with the arguments
 * in its registers. It is blocked, or answered at once. */
void request_ask(struct sm *sm, struct sm_cta *cta);

/** Whether answers have come. */
static inline bool request_is_answered(const struct sm *sm)
{
	return mmio_read32(&sm->rings->request_get) != sm->request_get;
}

/** Take the answers that have come; their CTAs go on.
 * @return  A CTA that printed more than its task may, at its call: the caller ends it with a record, and calls
 *          again for the other answers. NULL: all answers are taken. */
struct sm_cta *request_look(struct sm *sm);

#endif /* FIRMWARE_SM_REQUEST_H */

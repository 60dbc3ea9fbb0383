/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * PULL grids: streams of CTAs whose items the SM takes itself (S4-R16, S4-R43…R48, S4-R62…R91).
 *
 * A packet of a PULL grid makes a stream of each of its start bits. A stream has the units of one CTA
 * and stays in the queue for the hart; whenever it has no item it takes one of those that the SM has
 * in hand, and when there is none the SM takes a chunk (hand.c): from the WORK entry of the slot, or, in
 * a far GPC, from the LOCAL queue. A stream ends when nothing is found, when a CTA of the task failed, and
 * when the CP has cleared the SM's bit in the entry, which is looked at before each CTA. The report
 * of the last one gives back what is in hand.
 *
 * Items come with a packet only when the SM has none in hand, or one for each stream at most. A
 * packet without pull_more works on cores without atomics: then the entry is only read.
 */
#ifndef FIRMWARE_SM_PULL_PULL_H
#define FIRMWARE_SM_PULL_PULL_H

#include "firmware/sm/sm.h"

/** A task was assigned: note whether it has an `nd_range`. Whether its CTAs are streams its first packet says. */
void pull_prime(struct sm_task *task);

/** A packet of a PULL grid has arrived: make its streams. */
void pull_packet(struct sm *sm, const struct gg_packet *packet);

/** Give a stream that has no item its next one. It is then a CTA that waits to start.
 * @return  false when there is no item: the caller ends the stream. */
bool pull_next(struct sm *sm, struct sm_cta *cta);

/** The CTA of a stream has ended without an error. It becomes a stream without an item. */
void pull_ended(struct sm *sm, struct sm_cta *cta);

/** A stream ends.
 * @param status  GG_OK, or why it ends: then no other stream takes an item (S4-R49). */
void pull_leave(struct sm *sm, struct sm_cta *cta, int32_t status);

/** A stream without an item has ended, and was gathered for a report. If that is because nothing was left to take, the other
 * ones without an item end with it. */
void pull_left(struct sm *sm, struct sm_task *task);

/** Items that go back to the CP with the last report.
 * @param[out] first  Position of the first one.
 * @return            Their number. */
uint32_t pull_rest(const struct sm *sm, const struct sm_task *task, uint64_t *first);

/** Whether the streams of a task ended because nothing was left to take. Then the SM has nothing in hand, either. */
bool pull_is_through(const struct sm_task *task);

/** The last report was sent: nothing is in hand any more. */
void pull_forget(struct sm *sm, const struct sm_task *task);

#endif /* FIRMWARE_SM_PULL_PULL_H */

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/pull/pull.h"

#include "firmware/abi/field.h"
#include "firmware/sm/position.h"
#include "firmware/sm/pull/hand.h"
#include "firmware/sm/pull/run.h"
#include "firmware/sm/schedule.h"
#include "hal/mmio.h"

#define PULLED_MOST \
	0x40000000u /* CTAs that one report can count; then the streams end and are started again */

static uint32_t pull_slot(const struct sm_task *task)
{
	return gg_get(task->name, GG_PACKET_SLOT);
}

void pull_prime(struct sm_task *task)
{
	const struct gg_tmd *tmd = task->tmd;

	task->pull = false;
	task->ranged = task->items == 0 && (tmd->queue_lo | tmd->queue_hi) != 0;
	task->given = true;
	task->over = SM_OVER_NOT;
	task->gathered.ctas = 0;
	task->run = 0;
}

/* Take the items that came with the packet: into the hand when it is empty, else one for each of the first streams. */
static void pull_give(struct sm *sm, const struct gg_packet *packet, struct hand *hand)
{
	struct sm_task *task = &sm->tasks[gg_get(packet->task, GG_PACKET_SLOT)];
	const uint64_t first = gg_join(packet->first_lo, packet->first_hi);
	const uint32_t items = gg_get(packet->pull, GG_PACKET_PULL_ITEMS);
	uint32_t given = 0;

	if (items != 0 && hand->left == 0) {
		task->given = true;
		hand_fill(sm, hand, first, items);
		return;
	}
	for (uint32_t unit = 0; unit < SM_UNITS_MAX && given < items; unit++) {
		if ((packet->starts >> unit & 1u) != 0) {
			sm->ctas[unit].stream |= SM_STREAM_OWN;
			sm->ctas[unit].launch = first + given;
			hand_run(sm, unit, first + given, 0);
			given++;
		}
	}
	sm_assert(given == items);
}

SM_COLD void pull_packet(struct sm *sm, const struct gg_packet *packet)
{
	const uint32_t slot = gg_get(packet->task, GG_PACKET_SLOT);
	const bool more = gg_get(packet->pull, GG_PACKET_PULL_MORE) != 0;
	const uint8_t stream = SM_STREAM | (more ? SM_STREAM_MORE : 0);
	struct sm_task *task = &sm->tasks[slot];
	struct hand *hand = hand_of(sm, slot);

	task->pull = true;
	if (task->resident == 0) {
		hand_begin(sm, task, hand);
		run_prime(task);
	}
	if (task->over == SM_OVER_THROUGH) {
		task->over = SM_OVER_NOT;
	}
	uint32_t streams = 0;

	for (uint32_t unit = 0; unit < SM_UNITS_MAX && packet->starts >> unit != 0; unit++) {
		if ((packet->starts >> unit & 1u) != 0) {
			struct sm_cta *cta = &sm->ctas[unit];

			schedule_arrive(sm, packet, task, cta, unit);
			cta->state = SM_CTA_STREAM;
			cta->stream = stream;
			hand_stop(sm, unit);
			streams++;
		}
	}
	schedule_arrived(sm, task, streams);
	pull_give(sm, packet, hand);
}

/* Whether there is an item in hand for a stream. Takes a new chunk if it has to. */
static bool pull_find(struct sm *sm, struct sm_task *task, const struct sm_cta *cta,
		      struct hand *hand)
{
	const bool more = (cta->stream & SM_STREAM_MORE) != 0;

	if (task->over != SM_OVER_NOT || task->gathered.ctas >= PULLED_MOST ||
	    hand_is_recalled(sm, task)) {
		return false;
	}
	if (hand->left != 0) {
		return more || task->given;
	}
	if (!more) {
		return false;
	}
	if (!hand_chunk(sm, task, hand)) {
		task->over = SM_OVER_THROUGH;
	}
	return task->over == SM_OVER_NOT;
}

bool pull_next(struct sm *sm, struct sm_cta *cta)
{
	struct sm_task *task = cta->task;
	struct hand *hand = hand_of(sm, pull_slot(task));
	uint64_t item = cta->launch; /* its own one */

	if ((cta->stream & SM_STREAM_OWN) == 0) {
		if (!pull_find(sm, task, cta, hand)) {
			return false;
		}
		item = hand_take(sm, hand, cta->unit, run_begin(sm, cta, hand->left));
	} else {
		cta->stream &= (uint8_t)~SM_STREAM_OWN;
	}
	position_take(&sm->raster, cta, item);
	cta->used = 0;
	cta->floats_kept = false;
	cta->state = SM_CTA_WAITING;
	return true;
}

SM_APART void pull_ended(struct sm *sm, struct sm_cta *cta)
{
	struct sm_task *task = cta->task;

	run_settle(sm, cta);
	hand_stop(sm, cta->unit);
	run_count(task, cta, 1);
	cta->state = SM_CTA_STREAM;
	if (task->run != 0 || cta->more != 0) {
		run_end(sm, cta);
	}
}

void pull_leave(struct sm *sm, struct sm_cta *cta, int32_t status)
{
	struct sm_task *task = cta->task;

	hand_stop(sm, cta->unit);
	if (status != GG_OK) {
		task->over = SM_OVER_FAILED;
	}
}

SM_COLD void pull_left(struct sm *sm, struct sm_task *task)
{
	if (pull_is_through(task)) {
		task->gathered.starts |= schedule_remove_streams(sm, task);
	}
}

uint32_t pull_rest(const struct sm *sm, const struct sm_task *task, uint64_t *first)
{
	const struct hand *hand = hand_of(sm, pull_slot(task));

	*first = gg_join(hand->next_lo, hand->next_hi);
	return hand->left;
}

bool pull_is_through(const struct sm_task *task)
{
	return task->over == SM_OVER_THROUGH;
}

void pull_forget(struct sm *sm, const struct sm_task *task)
{
	mmio_write32(&hand_of(sm, pull_slot(task))->left, 0);
}

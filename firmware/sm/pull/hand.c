/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/pull/hand.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/pull/local_queue.h"
#include "hal/fence.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define LOCAL_TRIES 64u                 /* attempts, while another SM fetches a portion */
#define HAND_ITEMS  GG_REPORT_PULL_REST /* items of a chunk, at most */
#define GPCS        32u                 /* GPCs that have LOCAL queues, at most */

#define SAME(ours, field, theirs) \
	_Static_assert(offsetof(struct hand, ours) == offsetof(struct gg_hand, theirs), field)
SAME(next_lo, "where the rest starts", next_lo);
SAME(history.chunks, "history", chunks);
SAME(history.last_ticks, "history", last_ticks);
SAME(first_lo, "chunk", first_lo);
SAME(portions, "chunk", portions);
_Static_assert(sizeof(struct hand) == sizeof(struct gg_hand), "shared size");
_Static_assert(sizeof(struct work_entry) == sizeof(struct gg_work_entry), "shared size");
_Static_assert(offsetof(struct work_entry, approved) == offsetof(struct gg_work_entry, approved),
	       "shared layout");
_Static_assert(sizeof(struct local_queue) == sizeof(struct gg_local_queue), "shared size");
_Static_assert(offsetof(struct local_queue, approved) == offsetof(struct gg_local_queue, approved),
	       "shared layout");
_Static_assert(SM_SLOTS == WORK_ENTRIES, "an entry for each slot");

struct hand *hand_of(const struct sm *sm, uint32_t slot)
{
	return (struct hand *)&sm->pull->hands[sizeof(struct hand) / 4u * slot];
}

static uint32_t hand_slot(const struct sm_task *task)
{
	return gg_get(task->name, GG_PACKET_SLOT);
}

static struct work_entry *hand_entry(const struct sm *sm, uint32_t slot)
{
	return (struct work_entry *)((uintptr_t)sm->cap + sm->cap->work_offset) + slot;
}

static struct local_queue *hand_local(const struct sm *sm, uint32_t slot)
{
	return (struct local_queue *)((uintptr_t)sm->cap + sm->cap->local_offset) +
	       sm->gpc * SM_SLOTS + slot;
}

static void hand_note(struct sm *sm, uint32_t unit, uint64_t item, uint32_t follow)
{
	uint32_t *running = &sm->pull->running[2u * unit];

	mmio_write32(&sm->pull->last[unit], gg_low(item) + follow);
	mmio_write32(&running[0], gg_low(item));
	mmio_write32(&running[1], gg_high(item));
}

SM_COLD void hand_run(struct sm *sm, uint32_t unit, uint64_t item, uint32_t follow)
{
	hand_note(sm, unit, item, follow);
}

void hand_stop(struct sm *sm, uint32_t unit)
{
	mmio_write32(&sm->pull->running[2u * unit + 1u], HAND_NONE);
}

void hand_init(struct sm *sm)
{
	sm->approved = &hand_entry(sm, 0)->approved[sm->boot.sm / 32u];
	for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
		hand_stop(sm, unit);
	}
}

void hand_fill(struct sm *sm, struct hand *hand, uint64_t first, uint32_t items)
{
	hand->first_lo = gg_low(first);
	hand->first_hi = gg_high(first);
	hand->next_lo = gg_low(first);
	hand->next_hi = gg_high(first);
	hand->items = items;
	hand->since_lo = gg_low(sm->now);
	hand->since_hi = gg_high(sm->now);
	fence_release(); /* write the rest before the word that decides */
	mmio_write32(&hand->left, items);
}

uint64_t hand_take(struct sm *sm, struct hand *hand, uint32_t unit, uint32_t items)
{
	const uint64_t item = gg_join(hand->next_lo, hand->next_hi);

	hand_note(sm, unit, item, items - 1u);
	mmio_write32(&hand->left, hand->left - items);
	mmio_write32(&hand->next_lo, gg_low(item + items));
	mmio_write32(&hand->next_hi, gg_high(item + items));
	return item;
}

/* Memory is equally near to all SMs of these boards, so an SM that is configured as far waits here (S4-R76). */
static void hand_away(struct sm *sm)
{
	if (sm->way != 0) {
		const uint64_t until = timer_now() + sm->way;

		do {
			sm->now = timer_now();
		} while (sm->now < until);
	}
}

bool hand_is_recalled(const struct sm *sm, const struct sm_task *task)
{
	const uint32_t word =
		mmio_read32(sm->approved + sizeof(struct work_entry) / 4u * hand_slot(task));

	return (word >> sm->boot.sm % 32u & 1u) == 0;
}

/* Take from the local queue of a far GPC (S4-R66, S4-R83). */
static enum work_result hand_ask_local(struct sm *sm, const struct sm_task *task, struct hand *hand,
				       struct work_grant *grant)
{
	struct work_entry *entry = hand_entry(sm, hand_slot(task));
	struct local_queue *queue = hand_local(sm, hand_slot(task));
	enum work_result result = WORK_WAIT;

	for (uint32_t tries = 0; result == WORK_WAIT && tries < LOCAL_TRIES; tries++) {
		if (hand_is_recalled(sm, task)) {
			return WORK_NOT_APPROVED;
		}
		result = local_take(queue, entry, sm->boot.sm, 0, &hand->history, grant);
		if (grant->fetched) {
			hand->portions++;
			hand_away(sm);
		}
	}
	return result;
}

/* A far SM asks its local queue first. So when the entry has nothing left it is done: what another SM fetches
 * meanwhile is for that one to run. As long as no CTA has ended here, they may be long, or wait for something: each stream takes
 * one, so that none is in hand here while another SM has room. */
static bool hand_grant(struct sm *sm, const struct sm_task *task, struct hand *hand,
		       struct work_grant *grant)
{
	const uint32_t wish = task->gathered.ctas == 0 ? 1 : 0;
	enum work_result result = WORK_NOT_APPROVED;

	if (sm->far) {
		result = hand_ask_local(sm, task, hand, grant);
	}
	if (result == WORK_WAIT || result == WORK_NOT_APPROVED) {
		hand_away(sm);
		result = work_pull(hand_entry(sm, hand_slot(task)), sm->boot.sm, wish,
				   &hand->history, grant);
	}
	return result == WORK_GRANTED;
}

/* The chunk is finished, except for the items that streams still run: learn from the time it took. */
static void hand_learn(const struct sm *sm, const struct sm_task *task, struct hand *hand)
{
	const uint64_t ticks = sm->now - gg_join(hand->since_lo, hand->since_hi);
	const uint32_t shift = hand_entry(sm, hand_slot(task))->plan.shift;

	/* Who looks on counts an item once: as one that was started, or in a chunk that is finished. */
	mmio_write32(&hand->next_lo, hand->first_lo);
	mmio_write32(&hand->next_hi, hand->first_hi);
	if (!task->given) {
		chunk_record(&hand->history, ((hand->items - 1u) >> shift) + 1u,
			     ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX);
	}
}

SM_COLD bool hand_chunk(struct sm *sm, struct sm_task *task, struct hand *hand)
{
	struct work_grant grant;

	hand_learn(sm, task, hand);
	hand->history.worth = (uint32_t)task->run >> hand_entry(sm, hand_slot(task))->plan.shift;
	task->given = true; /* until it has a chunk of its own */
	if (!hand_grant(sm, task, hand, &grant)) {
		return false;
	}
	sm_assert(grant.items <= HAND_ITEMS);
	task->given = false;
	hand_fill(sm, hand, grant.first, (uint32_t)grant.items);
	sm->now = timer_now(); /* its CTAs start later */
	return true;
}

/* Look up what the board's CONFIG says of this SM's way to the queue. A wait is no longer than a time slice. */
static void hand_look_up(struct sm *sm)
{
	const struct gg_config *config =
		(const struct gg_config *)((uintptr_t)sm->cap + sm->cap->config_offset);
	const uint32_t group = mmio_read32(&config->group[sm->boot.sm]);
	uint32_t way;

	sm->gpc = gg_get(group, GG_CONFIG_GPC) % GPCS;
	way = mmio_read32(&config->latency[sm->gpc]);
	sm->far = chunk_is_far(way, mmio_read32(&config->far_ticks));
	sm->way = way < sm->boot.slice_ticks ? way : sm->boot.slice_ticks;
}

/* The history of another task that had the same slot says nothing about this one. */
void hand_begin(struct sm *sm, const struct sm_task *task, struct hand *hand)
{
	sm_assert(task->pull && hand->left == 0);
	hand_look_up(sm);
	if (hand->id != task->name) {
		hand->history.chunks = 0;
		hand->history.granules = 0;
		hand->history.ticks_per_granule = 0;
		hand->history.last_granules = 0;
		hand->history.last_ticks = 0;
		hand->portions = 0;
		hand->id = task->name;
	}
}

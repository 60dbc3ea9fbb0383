/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/pull/pull.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/pull/pull_place.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave.h"
#include "hal/mmio.h"

static uint8_t
	in_reserve[CP_SMS]
		  [CP_SLOTS]; /* places in reserve for ranges that each SM may give back, by slot */

void pull_init(void)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		for (uint32_t sm = 0; sm < CP_SMS; sm++) {
			in_reserve[sm][slot] = 0;
		}
	}
	pull_slot_init();
	pull_place_init();
}

static bool has_entry(const struct task *task)
{
	return task->turn.slot != TASK_NO_SLOT && (pull_in_use >> task->turn.slot & 1u) != 0;
}

/* The items that no SM has taken are always the last ones of the set. */
void pull_count(struct task *task)
{
	const struct work_entry *entry = pull_entry(task->turn.slot);
	const struct work_plan *plan = &entry->plan;
	uint64_t first = gg_join(plan->first_low, plan->first_high) +
			 gg_join(plan->items_low, plan->items_high);
	const uint64_t rest = work_rest(entry, &first);

	task_work_set(task, first, rest + task->back.ctas);
}

void pull_open(struct task *task)
{
	if (!has_entry(task)) {
		pull_place(task, &pull_slots_of[task->turn.slot]);
		pull_in_use |= 1u << task->turn.slot;
		due_note(DUE_PULLS, true);
	}
}

void pull_approve(const struct task *task, uint32_t sm)
{
	uint32_t *word = &pull_entry(task->turn.slot)->approved[sm / 32];

	mmio_write32(word, *word | 1u << sm % 32);
}

/* Places in reserve for what an SM may give back. */
static uint32_t reserved(uint32_t sm, uint32_t slot)
{
	return in_reserve[sm][slot] + (bits_has(pull_slots_of[slot].lent, sm) ? 1u : 0u);
}

/* An SM gives back items with the report of its last stream, so at most as often as it has streams. */
static void reserve(uint32_t sm, uint32_t slot, uint32_t streams)
{
	if (reserved(sm, slot) < bits_count(launch_starts(sm, slot)) + streams) {
		const bool has_place = range_reserve(1);

		assert(has_place);
		in_reserve[sm][slot] = (uint8_t)(in_reserve[sm][slot] + (has_place ? 1u : 0u));
	}
}

void pull_send(struct task *task, uint32_t sm, uint32_t streams, const struct task_range *items,
	       bool more)
{
	struct pull_slot *slot = &pull_slots_of[task->turn.slot];
	const uint32_t count = (uint32_t)items->count;

	assert(items->count <= RANGE_MOST);
	reserve(sm, task->turn.slot, streams);
	bits_set(slot->pulling, sm);
	if (more || items->count > streams) {
		bits_set(slot->endless, sm);
	}
	if (items->losses != 0) {
		bits_set(slot->again, sm);
	}
	launch_streams(sm, task, streams, items->first,
		       gg_put(GG_PACKET_PULL_VALID, 1) | gg_put(GG_PACKET_PULL_MORE, more ? 1 : 0) |
			       gg_put(GG_PACKET_PULL_ITEMS, count));
}

void pull_lend(struct task *task, const uint32_t *sms)
{
	struct pull_slot *slot = &pull_slots_of[task->turn.slot];
	uint32_t count = 0;

	for (uint32_t word = 0; word < device.sm_words; word++) {
		slot->lent[word] = sms[word];
		slot->pulling[word] = sms[word];
		slot->endless[word] = sms[word];
		count += bits_count(sms[word]);
	}
	const bool has_places = range_reserve(count);

	assert(has_places);
	(void)has_places;
	device.perf->pull_packets += count;
	task_work_set(task, task->work.position + task->work.left, 0);
}

bool pull_fits(const struct task *task, uint32_t ctas, struct wave_share *share)
{
	return wave_is_here() && task_is_pull(task) && pull_place_is_near() &&
	       range_free() >= device.sms_count &&
	       wave_fits(&task->rules.needs, ctas, PULL_ENDLESS, share);
}

void pull_launch_idle(struct task *task, uint32_t ctas, const struct wave_share *share)
{
	task_work_set(task, 0, ctas);
	pull_open(task);
	pull_lend(task, wave_launch_idle(task, share));
}

void pull_collect(struct task *task)
{
	const struct work_plan *plan = &pull_entry(task->turn.slot)->plan;
	const uint64_t items = gg_join(plan->items_low, plan->items_high);
	struct pull_slot *slot = &pull_slots_of[task->turn.slot];

	task_work_complete(task, items);
	perf_add(&device.perf->ctas_lo, &device.perf->ctas_hi, gg_low(items));
	device.perf->ctas_hi += gg_high(items);
	for (uint32_t word = 0; word < device.sm_words; word++) {
		range_unreserve(bits_count(slot->lent[word]));
		slot->lent[word] = 0;
		slot->pulling[word] = 0;
		slot->endless[word] = 0;
	}
}

/* Keeps items that an SM took and did not start, in a place of the SM's reserve. For an SM that gives back more
 * often than it had packets, the pool may be full. */
static bool take_back(struct task *task, uint32_t sm, const struct task_range *items)
{
	uint8_t *reserve = &in_reserve[sm][task->turn.slot];
	uint32_t *lent = pull_slots_of[task->turn.slot].lent;

	if (*reserve > 0) {
		--*reserve;
		range_unreserve(1);
	} else if (bits_has(lent, sm)) {
		bits_clear(lent, sm);
		range_unreserve(1);
	}
	return range_add(task, items);
}

void pull_release(struct task *task, uint32_t sm)
{
	const uint32_t slot = task->turn.slot;

	range_unreserve(reserved(sm, slot));
	in_reserve[sm][slot] = 0;
	bits_clear(pull_slots_of[slot].lent, sm);
}

void pull_gone(struct task *task, uint32_t sm)
{
	struct pull_slot *slot = &pull_slots_of[task->turn.slot];

	pull_release(task, sm);
	bits_clear(slot->pulling, sm);
	bits_clear(slot->endless, sm);
	bits_clear(slot->again, sm);
	pull_place_gone(task, sm);
	if (task->work.left == 0) {
		(void)work_mark(&slot->seen, sm);
	}
}

struct refusal pull_report(struct task *task, uint32_t sm, const struct gg_report *report)
{
	const struct task_range items = {
		.first = gg_join(report->cta_lo, report->cta_hi),
		.count = gg_get(report->pull_rest, GG_REPORT_PULL_REST),
	};

	task_work_complete(task, report->pull_ctas);
	perf_add(&device.perf->ctas_lo, &device.perf->ctas_hi, report->pull_ctas);
	const bool kept = items.count == 0 || take_back(task, sm, &items);

	if (launch_starts(sm, task->turn.slot) == 0) {
		pull_gone(task, sm);
	}
	pull_count(task);
	return kept ? refusal_none() : refusal_of(GG_ERR_NO_MEMORY, 0, items.count);
}

void pull_stop(struct task *task)
{
	if (has_entry(task)) {
		work_stop(pull_entry(task->turn.slot));
		pull_place_stop(task->turn.slot);
	}
}

void pull_close(struct task *task)
{
	const uint32_t slot = task->turn.slot;
	struct work_seen *seen = &pull_slots_of[slot].seen;
	struct work_entry *entry = pull_entry(slot);

	if (!has_entry(task)) {
		return;
	}
	pull_count(task);
	if (task->back.lost && task->work.left == 0) {
		/* a lost SM did not report the CTAs that it had completed; all items are done now, each counted once */
		task_work_complete(task, task->work.position -
						 gg_join(task->tmd.resume_lo, task->tmd.resume_hi) -
						 task->work.done);
	}
	/* SMs that got no stream, or none since items were given back, have no items of it either. */
	for (uint32_t word = 0; word < device.sm_words; word++) {
		BITS_ASSERT((seen->missing[word] & pull_slots_of[slot].pulling[word]) == 0);
	}
	seen->left = 0;
	if (!work_free(entry, seen)) {
		assert(false);
	}
	pull_place_close(slot);
	pull_in_use &= ~(1u << slot);
	due_note(DUE_PULLS, pull_in_use != 0);
}

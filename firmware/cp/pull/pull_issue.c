/* SPDX-License-Identifier: Apache-2.0 */
/* Streams for SMs with free slots (S4-R39, R43…R47). As long as more items remain than the SMs have slots, an SM
 * gets streams that take more items themselves. Items that were given back go with them first, since no SM can take
 * those from the entry. In three cases the CP takes the items itself and sends them along: the last items, so that
 * they go to the SMs with the most free slots as CTAs of other grids do; items that are counted because of the
 * minimum share; and chunks for SMs without atomics. */
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/sms/availability.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_recall.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave.h"
#include "firmware/cp/wave/wave_launch.h"
#include "hal/atomic.h"
#include "hal/mmio.h"

/** One call of the policy. */
struct round {
	struct task *task;
	bool limited; /* the number of CTAs is limited: each stream gets one item */
	bool last;    /* there are slots for all remaining items */
};

static uint64_t smaller(uint64_t left, uint64_t right)
{
	return left < right ? left : right;
}

static bool has_atomics(uint32_t sm)
{
	return ATOMIC_SHARED((mmio_read32(&device.sms[sm].features) >> GG_FEATURE_ATOMICS & 1u) !=
			     0);
}

/* How many given-back items to send with streams. An SM without streams gets an even share, but at least one item
 * for each stream; it gets the whole range when no place is free for the rest of it. An SM with streams gets one
 * item for each new one. */
static uint64_t share(const struct round *round, uint32_t streams, bool idle)
{
	const struct task *task = round->task;
	const uint64_t even = task->back.ctas / device.sms_count;

	if (idle && range_free() == 0) {
		return RANGE_MOST;
	}
	if (!idle || round->limited || round->last || even < streams) {
		return streams;
	}
	return smaller(even, RANGE_MOST);
}

/* Takes items from the entry for an SM; none when SMs have emptied it. */
static struct task_range grant(const struct round *round, uint32_t sm, uint32_t streams, bool idle)
{
	struct work_entry *entry = pull_entry(round->task->turn.slot);
	const uint32_t shift = entry->plan.shift;
	struct work_grant taken = { .items = 0 };

	if (!idle || round->limited || round->last) {
		(void)work_take(entry, sm, (streams + (1u << shift) - 1) >> shift, &taken);
	} else if (work_pull(entry, sm, 0, NULL, &taken) == WORK_GRANTED) {
		perf_count(&device.perf->pull_grants);
	}
	return (struct task_range){ .first = taken.first, .count = taken.items };
}

/* The items that go with the streams: given-back ranges first, since no SM can take those from the entry. */
static struct task_range find_items(const struct round *round, uint32_t sm, uint32_t streams,
				    bool idle)
{
	struct task *task = round->task;
	const bool counts = round->limited || round->last || !has_atomics(sm);
	/* a granule of several items goes only to an SM without streams */
	const bool fine = idle || pull_entry(task->turn.slot)->plan.shift == 0;

	if (task->back.ctas != 0) {
		perf_count(&device.perf->pull_ranges);
		return range_take(task, share(round, streams, idle));
	}
	return counts && fine ? grant(round, sm, streams, idle)
			      : (struct task_range){ .first = task->work.position };
}

/* Whether streams may be sent. They may not when the number of CTAs is limited and the SM still has endless streams:
 * to approve the SM again would let those go on. */
static bool may_send(const struct round *round, uint32_t sm, bool idle)
{
	const struct task *task = round->task;
	const uint64_t next = range_next(task);

	if (!idle && round->limited && bits_has(pull_slot(task->turn.slot)->endless, sm)) {
		return false;
	}
	/* the range that the SM may give back needs a free place, or the place of the range that it gets */
	return range_free() != 0 || (idle && next != 0 && next <= RANGE_MOST);
}

static void send(const struct round *round, uint32_t sm, uint32_t streams)
{
	struct task *task = round->task;
	const bool idle = launch_starts(sm, task->turn.slot) == 0;

	if (task->work.left == 0 || !may_send(round, sm, idle)) {
		return;
	}
	pull_approve(task, sm);

	const struct task_range items = find_items(round, sm, streams, idle);
	const uint32_t rest = work_remaining(pull_entry(task->turn.slot));
	const bool more = !round->limited && has_atomics(sm) && rest != 0;
	const uint64_t most = more ? items.count + rest : items.count;

	streams = (uint32_t)smaller(streams, most);
	if (streams != 0) {
		pull_send(task, sm, streams, &items, more);
		task_work_send(task,
			       smaller(items.count != 0 ? items.count : streams, task->work.left));
	}
}

static void send_to_rank(const struct round *round, const struct availability *levels,
			 struct availability_fill *fill, uint32_t rank)
{
	uint32_t streams = levels->level[rank] - fill->final;

	if (fill->extra != 0) {
		fill->extra--;
		streams++;
	}
	if (streams != 0) {
		send(round, sm_state_sm(rank), streams);
		fill->ctas -= streams;
	}
}

static void send_all(const struct round *round, const struct availability *levels,
		     struct availability_fill fill)
{
	for (uint32_t word = 0; fill.ctas != 0; word++) {
		uint32_t ranks = availability_at_least(levels, fill.final, word);

		while (ranks != 0 && fill.ctas != 0) {
			send_to_rank(round, levels, &fill, word * 32 + bits_lowest(ranks));
			ranks &= ranks - 1;
		}
	}
}

/* The first streams go to idle SMs by a wave, when each SM gets all that it has room for, and takes all items itself. */
static bool send_wave(const struct round *round, const struct availability *levels,
		      const struct availability_fill *fill)
{
	struct task *task = round->task;
	const uint32_t *sms;

	if (round->limited || round->last || pull_slot(task->turn.slot)->far != 0 ||
	    range_free() < device.sms_count) {
		return false;
	}
	sms = wave_launch(task, levels, fill, PULL_ENDLESS);
	if (sms != NULL) {
		pull_lend(task, sms);
	}
	return sms != NULL;
}

static void pull_issue(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	const struct availability *levels = sm_class_levels(&task->rules.needs, sms);
	struct round round = { .task = task, .limited = ctas < task->work.left };

	if (round.limited) {
		pull_recall_endless(task);
	}
	if (levels->filled == 0) {
		return;
	}
	pull_open(task);
	const uint64_t wanted = smaller(ctas, task->work.left);
	const struct availability_fill fill = availability_pour(levels, wanted);

	round.last = fill.ctas == wanted;
	if (wave_is_here() && send_wave(&round, levels, &fill)) {
		return;
	}
	send_all(&round, levels, fill);
}

const struct policy policy_pull = { .issue = pull_issue };

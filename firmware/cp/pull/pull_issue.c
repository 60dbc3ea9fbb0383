/* SPDX-License-Identifier: Apache-2.0 */
/* Streams for SMs with free slots (S4-R39, R43…R47). As long as more items remain than SMs have slots, an SM gets
 * streams that take more themselves; with ranges that were given back first, since nobody else can take those.
 * The last items, and those that the floor counts, the CP takes itself and sends along, so that they go to SMs
 * with most free slots as CTAs of other grids do; and chunks for SMs without atomics. */
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
#include "hal/atomic.h"
#include "hal/mmio.h"

/** One call of the policy. */
struct round {
	struct task *task;
	bool limited; /* no more streams than asked for, each of one item */
	bool last;    /* there are slots for all items that remain */
};

static uint64_t smaller(uint64_t left, uint64_t right)
{
	return left < right ? left : right;
}

static bool has_atomics(uint32_t sm)
{
	return ATOMIC_SHARED != 0 &&
	       (mmio_read32(&device.sms[sm].features) >> GG_FEATURE_ATOMICS & 1u) != 0;
}

/* Items for an SM that has nothing in hand: an even share of what was given back, but one for each stream. Without
 * a place for the rest, all of it. An SM that has something in hand gets one for each stream. */
static uint64_t share(const struct round *round, uint32_t streams, bool idle)
{
	const struct task *task = round->task;
	const uint64_t even = task->pull.given_back / device.sms_count;

	if (idle && pull_range_free() == 0) {
		return PULL_ITEMS_MOST;
	}
	if (!idle || round->limited || round->last || even < streams) {
		return streams;
	}
	return smaller(even, PULL_ITEMS_MOST);
}

/* Items that the CP takes for an SM; none when SMs have emptied the entry. */
static struct pull_items grant(const struct round *round, uint32_t sm, uint32_t streams, bool idle)
{
	struct work_entry *entry = pull_entry(round->task->turn.slot);
	const uint32_t shift = entry->plan.shift;
	struct work_grant taken = { .items = 0 };

	if (!idle || round->limited || round->last) {
		(void)work_take(entry, sm, (streams + (1u << shift) - 1) >> shift, &taken);
	} else if (work_pull(entry, sm, 0, NULL, &taken) == WORK_GRANTED) {
		perf_count(&device.perf->pull_grants);
	}
	return (struct pull_items){ .first = taken.first, .count = taken.items };
}

/* What goes with the streams: ranges first, since nobody else can take those. */
static struct pull_items find_items(const struct round *round, uint32_t sm, uint32_t streams,
				    bool idle)
{
	struct task *task = round->task;
	const bool counts = round->limited || round->last || !has_atomics(sm);
	/* granules of several items are for one who has nothing in hand */
	const bool fine = idle || pull_entry(task->turn.slot)->plan.shift == 0;

	if (task->pull.given_back != 0) {
		perf_count(&device.perf->pull_ranges);
		return pull_range_take(task, share(round, streams, idle));
	}
	return counts && fine ? grant(round, sm, streams, idle)
			      : (struct pull_items){ .first = task->work.position };
}

/* Streams of an SM that were told to end are not to go on when CTAs are counted. */
static bool may_send(const struct round *round, uint32_t sm, bool idle)
{
	const struct task *task = round->task;
	const uint64_t next = pull_range_next(task);

	if (!idle && round->limited && bits_has(pull_slot(task->turn.slot)->endless, sm)) {
		return false;
	}
	/* a place is free for what the SM may give back, or becomes free with the range that it gets */
	return pull_range_free() != 0 || (idle && next != 0 && next <= PULL_ITEMS_MOST);
}

static void send(const struct round *round, uint32_t sm, uint32_t streams)
{
	struct task *task = round->task;
	const bool idle = launch_starts(sm, task->turn.slot) == 0;

	if (task->work.left == 0 || !may_send(round, sm, idle)) {
		return;
	}
	pull_approve(task, sm);

	const struct pull_items items = find_items(round, sm, streams, idle);
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
	send_all(&round, levels, fill);
}

const struct policy policy_pull = { .issue = pull_issue };

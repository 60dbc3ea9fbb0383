/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/pull/pull_lost.h"

#include <assert.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/task_table.h"
#include "hal/atomic.h"
#include "hal/fence.h"
#include "hal/mmio.h"

#define HAND_WORDS  (sizeof(struct gg_hand) / 4u)
#define NOT_AN_ITEM 0x80000000u /* bit in the high word of pull.running */
#define LOOKS       10000u      /* most reads of a local queue's state while an SM fetches */
#define KIND_SHIFT  12u         /* position of the kind in local_queue.state */

static bool give_back(struct task *task, uint64_t first, uint32_t count)
{
	const struct task_range items = { .first = first, .count = count, .losses = 1 };

	device.perf->pull_reissued += count;
	retry_count(task, count);
	return count == 0 || range_add(task, &items);
}

/* Gives back the items of packets that the SM has not read. Returns their streams. */
static uint32_t take_packets(struct task *task, uint32_t sm)
{
	const uint32_t end = launch_written[sm];
	uint32_t starts = 0;

	for (uint32_t number = mmio_read32(&device.sms[sm].launch_get); number != end; number++) {
		const struct gg_packet *packet = launch_place(sm, number);

		if (packet->task == task_table_name(task)) {
			const bool kept =
				give_back(task, gg_join(packet->first_lo, packet->first_hi),
					  gg_get(packet->pull, GG_PACKET_PULL_ITEMS));

			assert(kept); /* each packet had a place in reserve */
			(void)kept;
			starts |= packet->starts;
		}
	}
	return starts;
}

/* Gives back the items that its streams run and those in its hand, which are the last `left` items of the chunk. Items
 * that have just been taken can be in both. */
static bool take_hand(struct task *task, uint32_t sm, uint32_t starts)
{
	const struct gg_pull *pull = &device.pulls[sm];
	const struct gg_hand *hand =
		(const struct gg_hand *)&pull->hands[HAND_WORDS * task->turn.slot];
	const bool holds = hand->id == task_table_name(task);
	uint32_t left = holds ? mmio_read32(&hand->left) : 0;
	uint64_t next = gg_join(hand->first_lo, hand->first_hi) + hand->items - left;
	bool kept = true;

	for (; starts != 0; starts &= starts - 1) {
		const uint32_t unit = bits_lowest(starts);
		const uint32_t *running = &pull->running[2u * unit];
		const uint64_t item = gg_join(running[0], running[1]);

		if ((running[1] & NOT_AN_ITEM) == 0) {
			const uint32_t items = pull->last[unit] - gg_low(item) + 1u;

			kept = give_back(task, item, items) && kept;
			if (left != 0 && item == next) {
				next += items;
				left -= items;
			}
		}
	}
	return give_back(task, next, left) && kept;
}

/* Waits until no SM fetches a portion for a local queue. That takes a short time, unless the lost SM was fetching:
 * then it is unknown which items it was about to take. */
static bool is_fetched(const struct local_queue *queue)
{
	for (uint32_t look = 0; look < LOOKS; look++) {
		if (atomic_load(&queue->state) >> KIND_SHIFT != LOCAL_FETCHING) {
			return true;
		}
	}
	return false;
}

static bool was_fetching(uint32_t slot, uint32_t sm)
{
	for (uint32_t far = pull_slot(slot)->far; far != 0; far &= far - 1) {
		const struct local_queue *queue = pull_local(bits_lowest(far), slot);

		if (bits_has(queue->approved, sm) && !is_fetched(queue)) {
			return true;
		}
	}
	return false;
}

/* Whether the items of the SM may be issued again. Those of a grid that the device chose to pull may not: nobody has said that its
 * CTAs may run twice. Each time that some of them had been lost before counts against the limit
 * of the task, so no item runs again more often than that. */
static bool may_again(struct task *task, uint32_t sm)
{
	if (gg_get(task->tmd.header, GG_TMD_MODE) != GG_TASK_MODE_PULL) {
		return false;
	}
	if (!bits_has(pull_slot(task->turn.slot)->again, sm)) {
		return true;
	}
	return retry_again(task);
}

bool pull_lost(struct task *task, uint32_t sm)
{
	const uint32_t out = launch_starts(sm, task->turn.slot);

	if (task_has_failed(task) || !may_again(task, sm) || was_fetching(task->turn.slot, sm)) {
		return false;
	}
	fence_acquire(); /* that the SM has stopped is read before what it left */
	pull_release(task, sm);
	retry_lost(task);

	const uint32_t not_taken = take_packets(task, sm);

	return out == not_taken || take_hand(task, sm, out & ~not_taken);
}

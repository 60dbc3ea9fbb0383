/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/stall.h"

#include <stddef.h>
#include <string.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/trace.h"
#include "hal/timer.h"

#define SUM(name) (offsetof(struct gg_perf, name) / 4)

static uint32_t turn; /* turns of the loop so far */

void stall_init(void)
{
	turn = 0;
}

void stall_turn(void)
{
	turn++;
	device.perf->passes = turn;
}

uint32_t stall_turns(void)
{
	return turn;
}

/* Records a reason that is over, unless that is none, and when the next one begins. It is the last thing that its caller
 * does, so that no registers are saved while the device is not traced. */
static __attribute__((cold, noinline)) void trace(struct task *task, enum gg_reason over)
{
	const uint64_t now = timer_now();

	if (over != GG_REASON_NONE) {
		trace_write_wait(task, over, now);
	}
	task->stall.began = now;
}

void stall_set(struct task *task, enum gg_reason reason)
{
	enum gg_reason over = (enum gg_reason)task->stall.reason;

	if (over == reason) {
		return;
	}
	if (turn == task->stall.since) {
		over = GG_REASON_NONE;
	}
	if (over != GG_REASON_NONE) {
		task->stall.turns[over] += turn - task->stall.since;
		task->stall.reasons |= 1u << over;
	}
	task->stall.reason = (uint8_t)reason;
	task->stall.since = turn;
	if (task->turn.slot != TASK_NO_SLOT) {
		device.slots[task->turn.slot].reason = reason;
	}
	if (trace_is_on()) {
		trace(task, over);
	}
}

/* The PERF block has no counter for suspended tasks. */
void stall_close(struct task *task)
{
	static const uint8_t sums[] = {
		[GG_REASON_SLOT] = SUM(not_issued_slot),
		[GG_REASON_SM] = SUM(not_issued_sm),
		[GG_REASON_AFFINITY] = SUM(not_issued_affinity),
		[GG_REASON_THROTTLE] = SUM(not_issued_throttle),
		[GG_REASON_SEQUENCE] = SUM(not_issued_sequence),
		[GG_REASON_QUOTA] = SUM(not_issued_quota),
		[GG_REASON_COALESCE] = SUM(not_issued_coalesce),
		[GG_REASON_DEPENDENCE] = SUM(not_issued_dependence),
		[GG_REASON_CLUSTER] = SUM(not_issued_cluster),
	};
	uint32_t reasons;

	stall_set(task, GG_REASON_NONE);
	reasons = task->stall.reasons & bits_ones(sizeof(sums)) & ~(1u << GG_REASON_SUSPENDED);
	for (; reasons != 0; reasons &= reasons - 1) {
		const uint32_t reason = bits_lowest(reasons);

		((uint32_t *)device.perf)[sums[reason]] += task->stall.turns[reason];
	}
}

void stall_forget(struct task *task)
{
	task->stall.reasons = 0;
	memset(task->stall.turns, 0, sizeof(task->stall.turns));
}

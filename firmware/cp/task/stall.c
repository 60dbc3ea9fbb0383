/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/stall.h"

#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/trace.h"
#include "hal/timer.h"

#define SUM(name) (offsetof(struct gg_perf, name) / 4)

static uint32_t turn; /* turns of the loop so far */

void stall_turn(void)
{
	turn++;
}

void stall_set(struct task *task, enum gg_reason reason)
{
	if (task->stall.reason == reason) {
		return;
	}
	if (turn != task->stall.since && task->stall.reason != GG_REASON_NONE) {
		task->stall.turns[task->stall.reason] += turn - task->stall.since;
		task->stall.reasons |= 1u << task->stall.reason;
		trace_wait(task);
	}
	task->stall.reason = (uint8_t)reason;
	task->stall.since = turn;
	if (trace_is_on()) {
		task->stall.began = timer_now();
	}
	if (task->turn.slot != TASK_NO_SLOT) {
		device.slots[task->turn.slot].reason = reason;
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

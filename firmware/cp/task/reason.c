/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/reason.h"

#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"

#define SUM(name) (offsetof(struct gg_perf, name) / 4)

static uint32_t turn; /* turns of the loop so far */

void reason_turn(void)
{
	turn++;
}

void reason_set(struct task *task, enum gg_reason reason)
{
	if (task->reason == reason) {
		return;
	}
	if (turn != task->reason_since) {
		task->not_issued[task->reason] += turn - task->reason_since;
		task->reasons |= 1u << task->reason;
	}
	task->reason = (uint8_t)reason;
	task->reason_since = turn;
	if (task->slot != TASK_NO_SLOT) {
		device.slots[task->slot].reason = reason;
	}
}

/* The device's counters; suspending has none. */
void reason_close(struct task *task)
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

	reason_set(task, GG_REASON_NONE);
	reasons = task->reasons & bits_ones(sizeof(sums)) & ~(1u << GG_REASON_SUSPENDED);
	for (; reasons != 0; reasons &= reasons - 1) {
		const uint32_t reason = bits_lowest(reasons);

		((uint32_t *)device.perf)[sums[reason]] += task->not_issued[reason];
	}
}

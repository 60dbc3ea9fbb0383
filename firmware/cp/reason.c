/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/reason.h"

#include "firmware/cp/device.h"

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
	task->not_issued[task->reason] += turn - task->reason_since;
	task->reason = (uint8_t)reason;
	task->reason_since = turn;
	if (task->slot != TASK_NO_SLOT) {
		device.slots[task->slot].reason = reason;
	}
}

/* The device's sums stand in the order of the reasons; suspending has none. */
void reason_close(struct task *task)
{
	uint32_t *sums[] = {
		[GG_REASON_SLOT] = &device.perf->not_issued_slot,
		[GG_REASON_SM] = &device.perf->not_issued_sm,
		[GG_REASON_AFFINITY] = &device.perf->not_issued_affinity,
		[GG_REASON_THROTTLE] = &device.perf->not_issued_throttle,
		[GG_REASON_SEQUENCE] = &device.perf->not_issued_sequence,
		[GG_REASON_QUOTA] = &device.perf->not_issued_quota,
		[GG_REASON_COALESCE] = &device.perf->not_issued_coalesce,
		[GG_REASON_DEPENDENCE] = &device.perf->not_issued_dependence,
	};

	reason_set(task, GG_REASON_NONE);
	for (uint32_t reason = 0; reason < sizeof(sums) / sizeof(sums[0]); reason++) {
		*sums[reason] += task->not_issued[reason];
	}
}

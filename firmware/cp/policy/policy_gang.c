/* SPDX-License-Identifier: Apache-2.0 */
/* Gang: all CTAs of a task that may be issued start together, or none does. A task with more CTAs than the SMs that it may use
 * can hold when they are idle starts as many as that together, again and again. While a gang waits for room, nothing behind it
 * is issued, so it gets it. CTAs are spread over the SMs as load balancing does. */
#include "firmware/cp/base/bits.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/sms/sm_class.h"

static uint64_t free_slots(const struct availability *levels)
{
	uint64_t slots = 0;

	for (uint32_t filled = levels->filled; filled != 0; filled &= filled - 1) {
		const uint32_t level = bits_lowest(filled);

		slots += (uint64_t)level * levels->count[level];
	}
	return slots;
}

static void gang_issue(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	const uint64_t most = free_slots(sm_class_idle(&task->rules.needs, sms));
	const uint64_t gang = ctas < most ? ctas : most;

	if (gang != 0 && gang <= free_slots(sm_class_levels(&task->rules.needs, sms))) {
		policy_balance.issue(task, gang, sms);
	}
}

const struct policy policy_gang = { .issue = gang_issue };

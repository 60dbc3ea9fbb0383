/* SPDX-License-Identifier: Apache-2.0 */
/* Shortest first: of the tasks of the best priority, the one with the least work left is next; among equals, the oldest. The
 * control processor does not know how long a CTA runs: work is CTAs times warps. */
#include "firmware/cp/policy/policy.h"

static uint64_t work(const struct task *task)
{
	return task->work.left * task->rules.needs.warps;
}

static uint32_t shortest(struct task *const *tasks, uint32_t count)
{
	uint32_t best = 0;

	for (uint32_t index = 1; index < count; index++) {
		if (tasks[index]->rules.priority == tasks[0]->rules.priority &&
		    work(tasks[index]) < work(tasks[best])) {
			best = index;
		}
	}
	return best;
}

const struct policy_order policy_shortest_first = { .next = shortest, .seat = shortest };

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How many CTAs a task's own rules let be issued: what is left, its queue, one in flight (S0-R23), its launch
 * quota (S0-R24). Of a task of CGAs, always whole top-level CGAs.
 */
#ifndef FIRMWARE_CP_SCHEDULE_ALLOWANCE_H
#define FIRMWARE_CP_SCHEDULE_ALLOWANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** The smaller of two. */
static inline uint64_t allowance_smaller(uint64_t left, uint64_t right)
{
	return left < right ? left : right;
}

/** allowance() of a task that has rules. */
uint64_t allowance_by_rules(const struct task *task);

/** CTAs that the task's own rules let be issued now. */
static inline uint64_t allowance(const struct task *task)
{
	const bool rules =
		task->rules.sequential || task_queue(task) != NULL || task->tmd.quota != 0;

	return rules ? allowance_by_rules(task) : task->work.left;
}

/** A limit from outside, in whole CGAs: rounded up, so at least one.
 * @param ctas  Not 0; UINT64_MAX: none. */
uint64_t allowance_whole(const struct task *task, uint64_t ctas);

/** CTAs were issued: they count for the quota. */
void allowance_use(struct task *task, uint64_t ctas);

/** Whether a task has used up its quota. */
bool allowance_quota_is_used(const struct task *task);

#endif /* FIRMWARE_CP_SCHEDULE_ALLOWANCE_H */

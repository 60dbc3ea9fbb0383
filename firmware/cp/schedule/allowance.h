/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How many CTAs of a task its own rules allow to be issued now: the CTAs that are left, the window of its queue, at
 * most one CTA in flight (S0-R23), and its launch quota (S0-R24). For a task of CGAs these are always whole
 * top-level CGAs.
 */
#ifndef FIRMWARE_CP_SCHEDULE_ALLOWANCE_H
#define FIRMWARE_CP_SCHEDULE_ALLOWANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** The smaller of two numbers. */
static inline uint64_t allowance_smaller(uint64_t left, uint64_t right)
{
	return left < right ? left : right;
}

/** As allowance(), for a task that is sequential, has a queue or has a launch quota.
 * @param ctas  CTAs that are left and not parked. */
uint64_t allowance_by_rules(const struct task *task, uint64_t ctas);

/** How many CTAs the task's own rules allow to be issued now. */
static inline uint64_t allowance(const struct task *task)
{
	const bool rules =
		task->rules.sequential || task_queue(task) != NULL || task->tmd.quota != 0;
	const uint64_t left =
		task->work.left - (part_is_here(GG_FEATURE_PARKS) ? task->work.parked : 0);

	return rules ? allowance_by_rules(task, left) : left;
}

/** Round a number of CTAs up to whole top-level CGAs of a task; unchanged for a task without CGAs.
 * @param ctas  Not 0; UINT64_MAX stands for "no limit" and is not changed. */
uint64_t allowance_whole(const struct task *task, uint64_t ctas);

/** Count CTAs that were issued against a task's launch quota. */
void allowance_use(struct task *task, uint64_t ctas);

/** Whether a task has used up the launch quota of its turn. */
bool allowance_quota_is_used(const struct task *task);

#endif /* FIRMWARE_CP_SCHEDULE_ALLOWANCE_H */

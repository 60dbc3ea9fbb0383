/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/schedule/allowance.h"

#include <stddef.h>

#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/task_table.h"

/* Kept out of line, since only tasks of CGAs need it. */
static __attribute__((noinline)) uint64_t whole_cgas(const struct task *task, uint64_t ctas)
{
	const uint32_t size = cga_shape_ctas(&task->rules.shape);

	return (ctas + size - 1) / size * size;
}

uint64_t allowance_whole(const struct task *task, uint64_t ctas)
{
	return !task_has_cgas(task) || ctas == UINT64_MAX ? ctas : whole_cgas(task, ctas);
}

uint64_t allowance_by_rules(const struct task *task, uint64_t ctas)
{
	if (task->rules.sequential) {
		ctas = allowance_smaller(ctas, task->work.in_flight + task->work.parked == 0
						       ? allowance_whole(task, 1)
						       : 0);
	}
	if (task_queue(task) != NULL) {
		ctas = allowance_smaller(ctas, queue_room(task));
	}
	if (task->tmd.quota != 0) {
		ctas = allowance_smaller(ctas, allowance_whole(task, task->turn.quota_left));
	}
	return ctas;
}

/* The last CGA of a turn may have more CTAs than are left of the quota. Without a quota nothing is left. */
void allowance_use(struct task *task, uint64_t ctas)
{
	task_table_use_quota(task, (uint32_t)allowance_smaller(ctas, task->turn.quota_left));
}

bool allowance_quota_is_used(const struct task *task)
{
	return task->tmd.quota != 0 && task->turn.quota_left == 0;
}

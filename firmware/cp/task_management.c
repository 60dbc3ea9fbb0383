/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task_management.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/bits.h"
#include "firmware/cp/device.h"
#include "firmware/cp/perf.h"
#include "firmware/cp/work_distribution.h"

static struct task_list pending[CP_PRIORITIES + 1]; /* by priority; 0 is not used */
static uint32_t pending_priorities;                 /* bit p: pending[p] is not empty */
static bool evicting;                               /* a task is leaving to make room */

void task_management_init(void)
{
	for (uint32_t priority = 0; priority <= CP_PRIORITIES; priority++) {
		pending[priority] = (struct task_list){ 0 };
	}
	pending_priorities = 0;
	evicting = false;
}

void task_management_add(struct task *task)
{
	task->times.ready = task->times.posted;
	if (gg_get(task->tmd.header, GG_TMD_HEAD) != 0) {
		task_list_prepend(&pending[task->priority], task);
	} else {
		task_list_append(&pending[task->priority], task);
	}
	pending_priorities |= 1u << task->priority;
}

void task_management_return(struct task *task)
{
	task_list_prepend(&pending[task->priority], task);
	pending_priorities |= 1u << task->priority;
}

static struct task *task_management_take(uint32_t priority)
{
	struct task *task = pending[priority].head;

	task_list_remove(&pending[priority], task);
	if (pending[priority].head == NULL) {
		pending_priorities &= ~(1u << priority);
	}
	return task;
}

/* One task is asked to leave at a time; when its slot is free, the best pending task has it. */
static bool task_management_make_room(uint32_t priority)
{
	if (!evicting) {
		evicting = work_distribution_evict(priority);
	}
	if (!work_distribution_has_slot()) {
		perf_count(&device.perf->not_issued_slot);
		return false;
	}
	return true;
}

void task_management_run(void)
{
	while (pending_priorities != 0) {
		const uint32_t priority = bits_lowest(pending_priorities);

		if (!work_distribution_has_slot() && !task_management_make_room(priority)) {
			return;
		}
		evicting = false;
		work_distribution_insert(task_management_take(priority));
	}
}

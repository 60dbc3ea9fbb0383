/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/occupancy.h"

#include <stddef.h>

#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/accept/tmd.h"

/* Only grids have an occupancy: a queue task has CTAs only when it has items, and a throttle task gets its larger share
 * of an SM only when throttle mode is on. */
static struct refusal check(const struct task *task)
{
	const uint32_t type = task_type(task);

	if (!task_has_cgas(task) && type != GG_TASK_TYPE_GRID) {
		return refusal_of(GG_ERR_CLUSTER, GG_FIELD_TMD_TYPE, type);
	}
	return task->rules.throttle ? refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_TMD_THROTTLE, 1)
				    : refusal_none();
}

static struct refusal count(const struct task *task, bool idle)
{
	struct refusal answer = check(task);

	if (answer.status == GG_OK) {
		answer.value = cga_admit_fitting(task, idle);
	}
	return answer;
}

struct refusal occupancy(struct task *parent, struct task_name name, bool idle)
{
	struct refusal answer;

	if (!part_is_here(GG_FEATURE_CLUSTERS)) {
		return refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_ARGUMENT0, 0);
	}
	struct task *task = task_take();

	if (task == NULL) {
		return refusal_of(GG_ERR_NO_MEMORY, 0, 0);
	}
	task->source.parent = parent;
	task->source.trusted = parent == NULL;
	task->source.address = name.address;
	answer = tmd_take(task, name) ? count(task, idle) : task->failure;
	task_give(task);
	return answer;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/finish/retire.h"

#include <stddef.h>
#include <stdint.h>

#include "firmware/cp/accept/submit.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/life/feed.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/task/dependence.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/kind.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/task/semaphore.h"

#define ENDS 64u /* tasks retired in a turn, at most */

/* The action SCHEDULE: when the task has ended without error, submits the TMDs of its list as its children. If one
 * is refused, the task fails. */
static void schedule(struct task *task)
{
	struct task_name name;

	while (dependence_next_schedule(task, &name)) {
		const struct refusal refusal =
			task_has_failed(task) ? refusal_none()
					      : submit_child(task, name, task->source.trusted);

		if (refusal.status != GG_OK) {
			life_fail(task, &refusal, 0);
		}
	}
}

/* Does what an edge says to the task at its end, which may be gone. */
static void act(const struct task *task, const struct edge *edge)
{
	const bool failed = task_has_failed(task);

	if (edge->target->serial != edge->serial) {
		return;
	}
	if (edge->amount != 0) {
		if (!failed) {
			feed_increment(edge->target, edge->amount);
		}
	} else if (failed) {
		const struct refusal refusal = refusal_of(GG_ERR_DEPENDENCY, 0, task->source.tag);

		life_fail(edge->target, &refusal, 0);
	} else if (dependence_lower(edge->target)) {
		life_ready(edge->target);
	}
}

/* The tasks that waited for this one go on, or fail with it. */
static void release(struct task *task)
{
	const struct edge *newest = task->depend.edges, *edge = newest;
	uint32_t count = 0;

	if (task_has_failed(task)) {
		dependence_remember(task, task->tmd.generation);
	}
	if (newest == NULL) {
		return;
	}
	do { /* the oldest first */
		edge = edge->next;
		act(task, edge);
		count++;
	} while (edge != newest);
	dependence_drop_all(&task->depend.edges, count);
}

/* Tells the parent how its child has ended. The parent is over if it waited only for this child. */
static void tell_parent(struct task *child)
{
	struct task *parent = child->source.parent;

	life_orphan(child);
	if (child->pass.number != 0) {
		task_kind_of(parent)->child_ended(parent, child);
	} else if (task_has_failed(child)) {
		life_fail(parent, &child->failure, child->fault);
	}
	life_look(parent);
}

void retire_child(struct task *task)
{
	if (task->stall.reasons != 0) {
		stall_close(task);
		stall_forget(task);
	}
	if (task->pass.number == 0) {
		name_table_remove(task);
	}
	tell_parent(task);
}

/* A task of a graph's pass is not in the name table, and has no dependents. */
static void end(struct task *task)
{
	const bool named = task->pass.number == 0;

	stall_close(task);
	if (named) {
		name_table_remove(task);
	}
	submit_close(task);
	if (!task_has_failed(task)) {
		semaphore_release(&task->tmd);
	}
	if (named && (task->depend.edges != NULL || task_has_failed(task))) {
		release(task);
	}
	if (task->source.parent == NULL) {
		completion_add(task);
	} else {
		tell_parent(task);
		submit_give(task);
	}
}

void retire_run(void)
{
	for (uint32_t step = 0; life_has_over() && step < ENDS; step++) {
		struct task *task = life_take_over();

		if (task->depend.schedules != NULL) {
			schedule(task);
		}
		if (life_finish(task)) {
			end(task);
		}
	}
	if (!life_has_over()) {
		due_clear(DUE_RETIRE);
	}
}

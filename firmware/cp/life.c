/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/life.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga_admit.h"
#include "firmware/cp/completion.h"
#include "firmware/cp/dependence.h"
#include "firmware/cp/directory.h"
#include "firmware/cp/graph.h"
#include "firmware/cp/pull_range.h"
#include "firmware/cp/queue.h"
#include "firmware/cp/reason.h"
#include "firmware/cp/semaphore.h"
#include "firmware/cp/submit.h"
#include "firmware/cp/task_management.h"
#include "firmware/cp/throttle.h"
#include "firmware/cp/work_distribution.h"
#include "hal/timer.h"

#define ENDS 64u /* tasks brought to their end in a turn */

static struct task_list
	ended; /* tasks that are over, in order, with all that follows still to do */

void life_init(void)
{
	ended = (struct task_list){ 0 };
}

/* A graph has more to do than its family. */
static bool has_work(const struct task *task)
{
	return task->child != NULL || (task->graph != NULL && !graph_is_closed(task));
}

/* All its CTAs have ended: the task is over unless its family is not. */
static void life_settle(struct task *task)
{
	task->state = TASK_WAITING;
	if (!has_work(task)) {
		task->state = TASK_OVER;
		task_list_append(&ended, task);
	}
}

static void life_park(struct task *task)
{
	task->state = TASK_PARKED;
	reason_set(task, task->suspended       ? GG_REASON_SUSPENDED
			 : task->graph != NULL ? GG_REASON_NONE
					       : GG_REASON_COALESCE);
}

/* Outside of both tables, with nothing in flight: where to? */
static void life_place(struct task *task, void (*add)(struct task *task))
{
	const bool unfinished = task->queue != NULL && !queue_is_finished(task);

	if (!task_has_failed(task) && task->graph != NULL) {
		life_park(task);
		if (!task->suspended) {
			graph_begin(task);
		}
	} else if (task_has_failed(task) || (task->left == 0 && !unfinished)) {
		life_settle(task);
	} else if (task->suspended || task->left == 0) {
		life_park(task);
	} else {
		add(task);
	}
}

void life_begin(struct task *task)
{
	task->state = TASK_HELD;
	if (task->waits == 0) {
		task->times.ready = task->times.posted;
		life_place(task, task_management_add);
	} else {
		reason_set(task, GG_REASON_DEPENDENCE);
	}
}

void life_ready(struct task *task)
{
	task->times.ready = timer_now();
	life_place(task, task_management_add);
}

void life_leave(struct task *task)
{
	life_place(task, task_management_return);
}

void life_wake(struct task *task)
{
	if (task->state == TASK_PARKED) {
		life_place(task, task_management_add);
	} else if (task->slot != TASK_NO_SLOT) {
		work_distribution_more(task);
	}
}

/* Ends one task, not its family. */
static void life_stop(struct task *task, const struct refusal *failure, uint32_t fault)
{
	if (task_has_failed(task) || task->state == TASK_DONE) {
		return;
	}
	task->failure = *failure;
	task->fault = fault;
	if (task->state == TASK_OVER) {
		return; /* its turn will come; nothing follows from it then */
	}
	if (task->slot != TASK_NO_SLOT) {
		work_distribution_stop(task);
		return;
	}
	if (task->state == TASK_PENDING) {
		task_management_remove(task);
	}
	if (task->graph != NULL) {
		graph_stop(task);
	}
	life_settle(task);
}

/* The next of a family, parents before children; NULL after the last. */
static struct task *next_of_family(const struct task *root, struct task *task)
{
	if (task->child != NULL) {
		return task->child;
	}
	while (task != root && task->sibling_next == NULL) {
		task = task->parent;
	}
	return task == root ? NULL : task->sibling_next;
}

void life_fail(struct task *task, struct refusal failure, uint32_t fault)
{
	const struct refusal cancelled = { .status = GG_ERR_CANCELLED };

	if (task_has_failed(task)) {
		return;
	}
	life_stop(task, &failure, fault);
	for (struct task *member = next_of_family(task, task); member != NULL;
	     member = next_of_family(task, member)) {
		life_stop(member, &cancelled, 0);
	}
}

void life_close(struct task *task)
{
	life_settle(task);
}

void life_suspend(struct task *task)
{
	if (task->suspended || task->state >= TASK_WAITING) {
		return;
	}
	task->suspended = true;
	if (task->slot != TASK_NO_SLOT) {
		work_distribution_leave(task);
	} else if (task->state == TASK_PENDING) {
		task_management_remove(task);
		life_park(task);
	} else if (task->state == TASK_PARKED) {
		life_park(task);
	}
}

void life_resume(struct task *task)
{
	if (!task->suspended) {
		return;
	}
	task->suspended = false;
	life_wake(task);
}

void life_adopt(struct task *parent, struct task *child)
{
	child->parent = parent;
	child->depth = (uint8_t)(parent->depth + 1u);
	child->sibling_next = parent->child;
	child->sibling_previous = NULL;
	if (parent->child != NULL) {
		parent->child->sibling_previous = child;
	}
	parent->child = child;
}

static void life_orphan(struct task *child)
{
	if (child->sibling_previous != NULL) {
		child->sibling_previous->sibling_next = child->sibling_next;
	} else {
		child->parent->child = child->sibling_next;
	}
	if (child->sibling_next != NULL) {
		child->sibling_next->sibling_previous = child->sibling_previous;
	}
}

/* The parent learns how its child has ended, and may be over with it. */
static void life_tell_parent(struct task *child)
{
	struct task *parent = child->parent;

	if (child->pass != 0) {
		graph_child_ended(parent, child);
	} else if (task_has_failed(child)) {
		life_fail(parent, child->failure, child->fault);
	}
	if (parent->child == NULL && parent->state == TASK_WAITING) {
		life_settle(parent);
	}
}

/* SCHEDULE: the task has ended well; TMDs follow as its children. One that is refused fails it. */
static void life_follow(struct task *task)
{
	struct task_name name;

	while (!task_has_failed(task) && dependence_next_schedule(task, &name)) {
		const struct refusal refusal = submit_child(task, name, task->trusted);

		if (refusal.status != GG_OK) {
			life_fail(task, refusal, 0);
		}
	}
}

static void life_end(struct task *task)
{
	reason_close(task);
	if (task->pass == 0) {
		directory_remove(task);
	}
	throttle_count(task, false);
	cga_admit_count(task, false);
	queue_give(task);
	graph_give(task);
	pull_range_drop(task);
	if (!task_has_failed(task)) {
		semaphore_release(&task->tmd);
	}
	if (task->pass == 0) {
		dependence_release(task);
	}
	if (task->parent == NULL) {
		completion_add(task);
		return;
	}
	life_orphan(task);
	life_tell_parent(task);
	task_give(task);
}

bool life_is_due(void)
{
	return ended.head != NULL;
}

bool life_run(void)
{
	for (uint32_t step = 0; ended.head != NULL && step < ENDS; step++) {
		struct task *task = ended.head;

		task_list_remove(&ended, task);
		task->state = TASK_WAITING;
		life_follow(task);
		if (task->child == NULL && task->state == TASK_WAITING) {
			task->state = TASK_DONE;
			life_end(task);
		}
	}
	return life_is_due();
}

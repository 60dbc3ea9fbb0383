/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/life/life.h"

#include <stddef.h>

#include "firmware/cp/base/due.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/schedule/task_management.h"
#include "firmware/cp/task/kind.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/task/work.h"
#include "hal/timer.h"

struct task_list life_over;

static const struct refusal cancelled = { .status = GG_ERR_CANCELLED };

void life_init(void)
{
	life_over = (struct task_list){ 0 };
}

/* Whether the task has children, or a graph that is not closed. */
static bool has_work(const struct task *task)
{
	return task->family.child != NULL ||
	       (task_graph(task) != NULL && !task_kind_of(task)->is_closed(task));
}

/* All CTAs of the task have ended: it is over, or waits for its children and its graph. */
static void life_settle(struct task *task)
{
	task->life.state = TASK_WAITING;
	if (!has_work(task)) {
		task->life.state = TASK_OVER;
		task_list_append(&life_over, task);
		due_set(DUE_RETIRE);
	}
}

static void life_park(struct task *task)
{
	task->life.state = TASK_PARKED;
	stall_set(task, task->life.suspended       ? GG_REASON_SUSPENDED
			: task_graph(task) != NULL ? GG_REASON_NONE
						   : GG_REASON_COALESCE);
}

/* Chooses the next state of a task that is neither in the scheduler table nor in a slot, and has no CTA in flight.
 * `add` puts it into the scheduler table. */
static void life_place(struct task *task, void (*add)(struct task *task))
{
	const bool unfinished = task_queue(task) != NULL && !queue_is_finished(task);

	if (!task_has_failed(task) && task_graph(task) != NULL) {
		life_park(task);
		if (!task->life.suspended) {
			task_kind_of(task)->begin(task);
		}
	} else if (task_has_failed(task) || (task->work.left == 0 && !unfinished)) {
		life_settle(task);
	} else if (task->life.suspended || task->work.left == 0) {
		life_park(task);
	} else {
		task->life.state = TASK_PENDING;
		add(task);
	}
}

void life_begin(struct task *task)
{
	task->life.state = TASK_HELD;
	if (task->depend.waits == 0) {
		task_work_ready(task, task->source.posted);
		life_place(task, task_management_add);
	} else {
		stall_set(task, GG_REASON_DEPENDENCE);
	}
}

void life_ready(struct task *task)
{
	task_work_ready(task, timer_now());
	life_place(task, task_management_add);
}

void life_take_drained(void)
{
	while (slot_has_drained()) {
		life_place(slot_take_drained(), task_management_return);
	}
}

void life_wake(struct task *task)
{
	if (task->life.state == TASK_PARKED) {
		life_place(task, task_management_add);
	} else if (task->turn.slot != TASK_NO_SLOT) {
		slot_more(task);
	}
}

/* Ends one task with an error, but not its descendants. */
static void life_stop(struct task *task, const struct refusal *failure, uint32_t fault)
{
	if (task_has_failed(task) || task->life.state == TASK_DONE) {
		return;
	}
	task_fail(task, failure, fault);
	if (task->life.state == TASK_OVER) {
		return; /* retire_run() will find it failed */
	}
	if (task->turn.slot != TASK_NO_SLOT) {
		slot_stop(task);
		life_collect();
		return;
	}
	if (task->life.state == TASK_PENDING) {
		task_management_remove(task);
	}
	if (task_graph(task) != NULL) {
		task_kind_of(task)->stop(task);
	}
	life_settle(task);
}

/* The next descendant of `root` after `task`, parents before their children; NULL after the last. */
static struct task *next_of_family(const struct task *root, struct task *task)
{
	if (task->family.child != NULL) {
		return task->family.child;
	}
	while (task != root && task->family.sibling_next == NULL) {
		task = task->source.parent;
	}
	return task == root ? NULL : task->family.sibling_next;
}

__attribute__((cold)) void life_fail(struct task *task, const struct refusal *failure,
				     uint32_t fault)
{
	if (task_has_failed(task)) {
		return;
	}
	life_stop(task, failure, fault);
	for (struct task *member = next_of_family(task, task); member != NULL;
	     member = next_of_family(task, member)) {
		life_stop(member, &cancelled, 0);
	}
}

__attribute__((cold)) void life_cancel(struct task *task)
{
	life_fail(task, &cancelled, 0);
}

void life_close(struct task *task)
{
	life_settle(task);
}

__attribute__((cold)) void life_suspend(struct task *task)
{
	if (task->life.suspended || task->life.state >= TASK_WAITING) {
		return;
	}
	task->life.suspended = true;
	if (task->turn.slot != TASK_NO_SLOT) {
		slot_leave(task);
		life_collect();
	} else if (task->life.state == TASK_PENDING) {
		task_management_remove(task);
		life_park(task);
	} else if (task->life.state == TASK_PARKED) {
		life_park(task);
	}
}

__attribute__((cold)) void life_resume(struct task *task)
{
	if (!task->life.suspended) {
		return;
	}
	task->life.suspended = false;
	life_wake(task);
}

void life_adopt(struct task *parent, struct task *child)
{
	child->family.sibling_next = parent->family.child;
	child->family.sibling_previous = NULL;
	if (parent->family.child != NULL) {
		parent->family.child->family.sibling_previous = child;
	}
	parent->family.child = child;
}

void life_orphan(struct task *child)
{
	if (child->family.sibling_previous != NULL) {
		child->family.sibling_previous->family.sibling_next = child->family.sibling_next;
	} else {
		child->source.parent->family.child = child->family.sibling_next;
	}
	if (child->family.sibling_next != NULL) {
		child->family.sibling_next->family.sibling_previous =
			child->family.sibling_previous;
	}
}

void life_look(struct task *task)
{
	if (task->family.child == NULL && task->life.state == TASK_WAITING) {
		life_settle(task);
	}
}

struct task *life_take_over(void)
{
	struct task *task = task_list_take(&life_over);

	task->life.state = TASK_WAITING;
	return task;
}

bool life_finish(struct task *task)
{
	if (task->family.child != NULL || task->life.state != TASK_WAITING) {
		return false;
	}
	task->life.state = TASK_DONE;
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kinds of tasks that do more than issue the CTAs of a grid. One constant descriptor, in the room that knows the
 * kind, says what the other rooms have to call for a task of that kind. The other rooms see only this interface, so
 * no room calls a room above it.
 *
 * The table of kinds is filled in at the top, in kinds.c. A type of task without a row there needs none of these
 * calls.
 */
#ifndef FIRMWARE_CP_TASK_KIND_H
#define FIRMWARE_CP_TASK_KIND_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

#define TASK_KINDS 8u /**< Rows of the table of kinds, by enum gg_task_type. */

/** A kind of tasks. A function that is NULL has nothing to do. */
struct task_kind {
	/** Take the resources that a task of this kind needs. Called when its TMD has been checked.
	 * @return  false, with task->failure set, when the task is refused; it holds nothing then. */
	bool (*open)(struct task *task);
	/** Give back the resources that open() took. */
	void (*give)(struct task *task);
	/** Start or resume the task: it waits for no other task now. Only for kinds whose tasks hold no slot. */
	void (*begin)(struct task *task);
	/** Stop starting work: the task has failed. Only for kinds that have begin(). */
	void (*stop)(struct task *task);
	/** Whether the task will start no more children. Only for kinds that have begin(). */
	bool (*is_closed)(const struct task *task);
	/** Note that all CTAs of a child with `pass.unissued` set have been issued. */
	void (*child_issued)(struct task *child);
	/** Note that a child that belongs to a pass of a graph has ended. */
	void (*child_ended)(struct task *task, struct task *child);
};

/** The kinds by type; NULL for a type without a row. Defined in kinds.c. */
extern const struct task_kind *const task_kinds[TASK_KINDS];

/** The kind of a task whose TMD has been checked, or NULL. */
static inline const struct task_kind *task_kind_of(const struct task *task)
{
	return task_kinds[task_type(task)];
}

/** All CTAs of a task are issued: if it belongs to a pass of a graph, note that there. */
static inline void task_kind_issued(struct task *task)
{
	if (task->pass.unissued) {
		task_kind_of(task->source.parent)->child_issued(task);
	}
}

#endif /* FIRMWARE_CP_TASK_KIND_H */

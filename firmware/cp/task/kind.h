/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kinds of tasks that do more than issue the CTAs of a grid. What the rooms of the pipeline have to do for a task
 * of such a kind stands in one constant descriptor, in the room that knows the kind. The rooms see only this
 * interface, so no room calls one above it.
 *
 * The table of kinds stands at the top (kinds.c). A type of task without a row there needs nothing of this.
 */
#ifndef FIRMWARE_CP_TASK_KIND_H
#define FIRMWARE_CP_TASK_KIND_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

#define TASK_KINDS 8u /**< Types of tasks that a table of kinds has rows for: enum gg_task_type. */

/** A kind of tasks. NULL stands for "nothing to do". */
struct task_kind {
	/** The TMD is checked: take what a task of this kind needs.
	 * @return  false, with task->failure set, when the task is refused; then nothing is kept. */
	bool (*open)(struct task *task);
	/** Give back what open() took. */
	void (*give)(struct task *task);
	/** The task waits for nothing any more, or was resumed. Only of kinds whose tasks hold no slot. */
	void (*begin)(struct task *task);
	/** The task has failed: it starts nothing more. Goes with begin(). */
	void (*stop)(struct task *task);
	/** Whether nothing is left to do but what the task's children do. Goes with begin(). */
	bool (*is_closed)(const struct task *task);
	/** All CTAs of a child with `unissued` set are issued. */
	void (*child_issued)(struct task *child);
	/** A child of a pass has ended. */
	void (*child_ended)(struct task *task, struct task *child);
};

/** The kinds by type; NULL for a type that needs nothing. Filled in at the top, in kinds.c. */
extern const struct task_kind *const task_kinds[TASK_KINDS];

/** The kind of a task whose TMD is checked, or NULL. */
static inline const struct task_kind *task_kind_of(const struct task *task)
{
	return task_kinds[task_type(task)];
}

#endif /* FIRMWARE_CP_TASK_KIND_H */

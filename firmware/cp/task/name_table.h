/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Directory: tasks by name, which is the address of their TMD with its generation. A hash table
 * whose chains run through the tasks, so that adding, removing and finding cost the same for one
 * task and for a hundred thousand.
 */
#ifndef FIRMWARE_CP_TASK_NAME_TABLE_H
#define FIRMWARE_CP_TASK_NAME_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Take over the memory of the table.
 * @param memory  Aligned to a pointer.
 * @param count   Chains; a power of two. */
void name_table_init(struct task **memory, uint32_t count);

/** Add a task whose `address` and `tmd` are valid. */
void name_table_add(struct task *task);

/** Remove a task that was added. */
void name_table_remove(struct task *task);

/** The task of that name; the newest, if several have it. NULL when there is none. */
struct task *name_table_find(struct task_name name);

/** The same, when it is a queue task; else NULL. */
static inline struct task *name_table_find_queue(struct task_name name)
{
	struct task *task = part_is_here(GG_FEATURE_QUEUES) ? name_table_find(name) : NULL;

	return task != NULL && task_queue(task) != NULL ? task : NULL;
}

#endif /* FIRMWARE_CP_TASK_NAME_TABLE_H */

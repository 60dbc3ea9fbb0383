/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The name table: finds tasks by name, which is the address of their TMD with its generation. It is a hash table
 * whose chains are linked through the tasks, so adding, removing and finding take about the same time for one task
 * and for a hundred thousand.
 */
#ifndef FIRMWARE_CP_TASK_NAME_TABLE_H
#define FIRMWARE_CP_TASK_NAME_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Set up an empty table.
 * @param memory  Heads of the chains.
 * @param count   Number of chains; a power of two. */
void name_table_init(struct task **memory, uint32_t count);

/** Add a task whose `source.address` and `tmd` are valid. */
void name_table_add(struct task *task);

/** Remove a task that is in the table. */
void name_table_remove(struct task *task);

/** The task of a name; the newest one if several have it; NULL when there is none. */
struct task *name_table_find(struct task_name name);

/** The task of a name if it is a queue task; else NULL. */
static inline struct task *name_table_find_queue(struct task_name name)
{
	struct task *task = part_is_here(GG_FEATURE_QUEUES) ? name_table_find(name) : NULL;

	return task != NULL && task_queue(task) != NULL ? task : NULL;
}

#endif /* FIRMWARE_CP_TASK_NAME_TABLE_H */

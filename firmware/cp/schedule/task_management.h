/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The task management unit (TMU). It owns the scheduler table, which has a list of pending tasks for each priority
 * (S0-R10…R13), and decides which of them get slots of the task table.
 *
 * The links are in the tasks, so any number of tasks can be pending. Adding a task, taking the best one, and making
 * room for it take the same time for one pending task and for a hundred thousand.
 */
#ifndef FIRMWARE_CP_SCHEDULE_TASK_MANAGEMENT_H
#define FIRMWARE_CP_SCHEDULE_TASK_MANAGEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Empty the scheduler table. */
void task_management_init(void);

/** Priorities that have pending tasks: bit p for priority p. */
uint32_t task_management_priorities(void);

/** Add a task at the head or at the tail of its priority's list, as its TMD says (S0-R10). */
void task_management_add(struct task *task);

/** Add a task that had to leave its slot at the head of its priority's list, so that it resumes first (S0-R13). */
void task_management_return(struct task *task);

/** The pending task that gets the next slot, unless a policy chooses another. There is one. */
struct task *task_management_first(void);

/** Give a pending task a slot; one is free. */
void task_management_take(struct task *task);

/** Remove a pending task, because it gets a slot, or is cancelled or suspended. */
void task_management_remove(struct task *task);

/** Ask as many tasks to leave their slots as there are pending ones of a priority, which is the best. When a slot is free, the best
 * pending task gets it.
 * @return  Whether one is free now; the task that has left it waits for life_collect(). */
bool task_management_make_room(uint32_t priority);

/** Fill free slots of the task table with the best pending tasks. When none is free, ask a task of a lower priority
 * to leave its slot (S0-R12, S0-R13).
 * @return  true when it has to be called again after life_collect() has taken the tasks that left their slots. */
bool task_management_run(void);

#endif /* FIRMWARE_CP_SCHEDULE_TASK_MANAGEMENT_H */

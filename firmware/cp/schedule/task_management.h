/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Task management unit (TMU): the scheduler table, one list of tasks per priority (S0-R10…R13).
 *
 * Any number of tasks can be pending: the links are in the tasks. Adding, taking the best, and
 * making room for it cost the same for one pending task and for a hundred thousand.
 */
#ifndef FIRMWARE_CP_SCHEDULE_TASK_MANAGEMENT_H
#define FIRMWARE_CP_SCHEDULE_TASK_MANAGEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Empty the scheduler table. */
void task_management_init(void);

/** Bit p: tasks of priority p are pending. */
uint32_t task_management_priorities(void);

/** Take in a task, at the head or the tail of its priority's list as its TMD says (S0-R10). */
void task_management_add(struct task *task);

/** Take back a task that had to leave its slot: it goes to the head, to resume first (S0-R13). */
void task_management_return(struct task *task);

/** Take a pending task out: it is cancelled or suspended. */
void task_management_remove(struct task *task);

/** Fill the slots of the task table with the best pending tasks; make a task of lower priority
 * leave when there is no free one (S0-R12, S0-R13).
 * @return  Whether it has to be called again when life_collect() has taken the tasks that left their slots. */
bool task_management_run(void);

#endif /* FIRMWARE_CP_SCHEDULE_TASK_MANAGEMENT_H */

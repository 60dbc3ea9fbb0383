/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Task table: the slots, each one executing task (S0-R12), and the order of those that have CTAs to issue:
 * by priority, then by age (S0-R26). Owns the TASK TABLE words.
 */
#ifndef FIRMWARE_CP_TASK_TABLE_H
#define FIRMWARE_CP_TASK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task.h"

/** Empty the table. */
void task_table_init(void);

/** Time limit of CTAs whose task has none, in microseconds; 0 for none. */
void task_table_set_time_limit(uint32_t limit_us);

/** Free slots. */
uint32_t task_table_free(void);

/** Put a task with CTAs left into a free slot; it is ready. */
void task_table_insert(struct task *task);

/** Task of a slot, or NULL. */
struct task *task_table_holder(uint32_t slot);

/** Bit p: there are ready tasks of priority p. */
uint32_t task_table_priorities(void);

/** The oldest ready task of a priority, or NULL; the others follow by age. */
struct task *task_table_first(uint32_t priority);

/** A task in a slot can be issued: it takes its place by age. */
void task_table_make_ready(struct task *task);

/** A ready task can not be issued any more, or for a while.
 * @param state  TASK_BLOCKED, TASK_DRAINING or TASK_LEAVING. */
void task_table_withdraw(struct task *task, enum task_state state);

/** A ready task goes behind all others of its priority, as if it were the youngest (S0-R24). */
void task_table_rotate(struct task *task);

/** The task that should make room for one of a priority, or NULL: of the lowest priority that is lower,
 * one without CTAs in flight if there is one, and of those the youngest (S0-R13). */
struct task *task_table_victim(uint32_t priority);

/** Free the slot of a task that has nothing in flight. */
void task_table_empty(struct task *task);

/** Show the host how far a task is. */
void task_table_show(const struct task *task);

#endif /* FIRMWARE_CP_TASK_TABLE_H */

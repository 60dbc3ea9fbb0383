/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The task table: its slots, each of which holds one executing task (S0-R12), and the order of the ready tasks by
 * priority, then by age (S0-R26). Owns the TASK TABLE words, which the host and the SMs read.
 */
#ifndef FIRMWARE_CP_TASK_TASK_TABLE_H
#define FIRMWARE_CP_TASK_TASK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

/** Empty the table; there is no default time limit. */
void task_table_init(void);

/** CONFIG.time_limit_us at boot: five minutes, more than an honest CTA takes, also in an emulator. */
#define TASK_TABLE_LIMIT_US 300000000u

/** Set the time limit for CTAs of tasks whose TMD has none.
 * @param limit_us  In microseconds; 0 for no limit. */
void task_table_set_time_limit(uint32_t limit_us);

/** Number of free slots. */
uint32_t task_table_free(void);

/** Put a task with CTAs left into a free slot and make it ready. The caller has checked task_table_free(). */
void task_table_insert(struct task *task);

/** Fill in the words of the slot that task_table_enter() takes next which are the same for all tasks with the same kernel. */
void task_table_prepare(const struct task *task);

/** Put a task of one CTA into a free slot, as if it had been made ready and its CTA had been issued: it is draining. The
 * caller has checked task_table_free(). */
void task_table_enter(struct task *task);

/** The word that names a task in a slot in packets, reports and stop requests: its slot and the slot's generation. */
static inline uint32_t task_table_name(const struct task *task)
{
	return task->turn.name;
}

/** Slots that hold a task, a bit each. */
uint32_t task_table_used(void);

/** The task in a slot, or NULL. */
struct task *task_table_holder(uint32_t slot);

/** Priorities that have ready tasks: bit p for priority p. */
uint32_t task_table_priorities(void);

/** The oldest ready task of a priority, or NULL. Younger ones follow through `next`, by age. */
struct task *task_table_first(uint32_t priority);

/** The youngest ready task of a priority, or NULL. Older ones follow through `previous`, by age. */
struct task *task_table_last(uint32_t priority);

/** Slots whose tasks are TASK_BLOCKED, a bit each. */
uint32_t task_table_blocked(void);

/** Slots whose tasks are TASK_LEAVING. */
uint32_t task_table_leaving(void);

/** A number that changes when a task gets a slot. */
uint32_t task_table_entered(void);

/** Make a task in a slot ready: insert it by age among the ready tasks of its priority. */
void task_table_make_ready(struct task *task);

/** Take a task in a slot out of the ready tasks.
 * @param state  Its new state: TASK_BLOCKED, TASK_DRAINING or TASK_LEAVING. */
void task_table_withdraw(struct task *task, enum task_state state);

/** Subtract issued CTAs from a task's launch quota.
 * @param ctas  At most turn.quota_left. */
static inline void task_table_use_quota(struct task *task, uint32_t ctas)
{
	task->turn.quota_left -= ctas;
}

/** Move a ready task behind all others of its priority, as if it were the youngest, and start its next turn with a
 * full launch quota (S0-R24). */
void task_table_rotate(struct task *task);

/** Free the slot of a task that is not ready and has nothing in flight. */
void task_table_remove(struct task *task);

/** Write a task's progress into its slot's words of TASK TABLE, for the host. */
void task_table_show(const struct task *task);

#endif /* FIRMWARE_CP_TASK_TASK_TABLE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Task table: the slots, each one executing task (S0-R12), and the order of those that have CTAs to issue:
 * by priority, then by age (S0-R26). Owns the TASK TABLE words.
 */
#ifndef FIRMWARE_CP_TASK_TASK_TABLE_H
#define FIRMWARE_CP_TASK_TASK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

/** Empty the table. */
void task_table_init(void);

/** Time limit of CTAs whose task has none, in microseconds; 0 for none. */
void task_table_set_time_limit(uint32_t limit_us);

/** Free slots. */
uint32_t task_table_free(void);

/** Put a task with CTAs left into a free slot; it is ready. */
void task_table_insert(struct task *task);

/** Word that names a task in a slot to the SMs, in packets, reports and stop requests: its slot and the
 * slot's generation. */
static inline uint32_t task_table_name(const struct task *task)
{
	return gg_put(GG_PACKET_SLOT, task->turn.slot) |
	       gg_put(GG_PACKET_GENERATION, device.slots[task->turn.slot].generation);
}

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

/** CTAs of a task's turn are used up.
 * @param ctas  At most those that are left. */
static inline void task_table_use_quota(struct task *task, uint32_t ctas)
{
	task->turn.quota_left -= ctas;
}

/** A ready task goes behind all others of its priority, as if it were the youngest, and its next turn begins
 * (S0-R24). */
void task_table_rotate(struct task *task);

/** Free the slot of a task that has nothing in flight and is not ready. */
void task_table_remove(struct task *task);

/** Show the host how far a task is. */
void task_table_show(const struct task *task);

#endif /* FIRMWARE_CP_TASK_TASK_TABLE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Changes of state of tasks in slots: when a task is ready, when it is blocked, and when it leaves its slot (S0-R12,
 * S0-R13, S0-R23, S0-R24). Owns the outbox of this room: the list of tasks that have left their slots, from which
 * life_collect() takes them.
 */
#ifndef FIRMWARE_CP_SCHEDULE_SLOT_H
#define FIRMWARE_CP_SCHEDULE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Tasks that have left their slots and that life_collect() has not taken yet. Written by slot.c. */
extern struct task_list slot_drained;

/** Empty the outbox. */
void slot_init(void);

/** Update a ready task after all CTAs that its rules allow have been issued. It stays ready only if its rules allow
 * more in a new turn, so allowance() of a ready task is never 0.
 * @return  Whether it stays ready; it is then behind the others of its priority (S0-R24). */
bool slot_settle(struct task *task);

/** Update a task in a slot after CTAs of it have ended: it may become ready again, or leave its slot. */
void slot_ended(struct task *task);

/** Update a queue task in a slot after items were pushed. */
void slot_more(struct task *task);

/** Make a task leave its slot: it gets no new CTA, and leaves when those in flight have ended (S0-R13). */
void slot_leave(struct task *task);

/** Stop a task in a slot that has failed: it gets no new CTA, and SMs are told to stop those in flight. */
void slot_stop(struct task *task);

/** Choose the task that should make room for a pending task. Only tasks of a lower priority are considered, and not
 * the guest. Among those of the lowest priority, one without CTAs in flight is preferred, then the youngest
 * (S0-R13).
 * @param priority  Of the pending task.
 * @return          NULL when there is none. */
struct task *slot_victim(uint32_t priority);

/** Whether the outbox holds tasks. */
static inline bool slot_has_drained(void)
{
	return slot_drained.head != NULL;
}

/** Take the task that left its slot first. The caller has checked slot_has_drained(). */
static inline struct task *slot_take_drained(void)
{
	return task_list_take(&slot_drained);
}

#endif /* FIRMWARE_CP_SCHEDULE_SLOT_H */

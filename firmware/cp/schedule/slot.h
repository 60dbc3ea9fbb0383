/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A task in a slot of the task table: when it is ready, when it is kept back, and when it leaves (S0-R12, S0-R13,
 * S0-R23, S0-R24). Tasks that have left wait on a list, this room's outbox, until life_collect() takes them.
 */
#ifndef FIRMWARE_CP_SCHEDULE_SLOT_H
#define FIRMWARE_CP_SCHEDULE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Tasks that have left their slots and that life_collect() has not taken yet. Written by slot.c. */
extern struct task_list slot_drained;

/** No task has left a slot. */
void slot_init(void);

/** All CTAs that the rules of a ready task allow are issued. It stays ready only if more CTAs may be issued: of a
 * ready task, a CTA can always be issued.
 * @return  Whether it stays ready; it is behind the others of its priority then (S0-R24). */
bool slot_settle(struct task *task);

/** CTAs of a task in a slot have ended: it may be issued again, or leave its slot. */
void slot_ended(struct task *task);

/** A queue task in a slot has got items. */
void slot_more(struct task *task);

/** A task in a slot has to leave it: it gets no new CTA, and those in flight end (S0-R13). */
void slot_leave(struct task *task);

/** A task in a slot has failed: it gets no new CTA, and those in flight are stopped. */
void slot_stop(struct task *task);

/** The task that should make room for one of a priority, or NULL: of the lowest priority that is lower, one
 * without CTAs in flight if there is one, and of those the youngest (S0-R13). */
struct task *slot_victim(uint32_t priority);

/** Whether tasks have left their slots that life_collect() has not taken yet. */
static inline bool slot_has_drained(void)
{
	return slot_drained.head != NULL;
}

/** Take the task that left its slot first. There is one. */
struct task *slot_take_drained(void);

#endif /* FIRMWARE_CP_SCHEDULE_SLOT_H */

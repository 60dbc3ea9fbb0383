/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Life of tasks: owns the state of a task from its acceptance to its end, and the links of its family.
 *
 *            accepted ──▶ held ──▶ pending ◀──▶ slot of the task table ──▶ waiting ──▶ over
 *                                     ▲              │                   for children
 *                                     └── parked ◀───┘
 *                               (suspended, or too few items)
 *
 * The parent of a child is the task of the CTA that launched it (S0-R07). A task is over when its own CTAs have ended
 * and all its descendants are over, so no child outlives the task that the host submitted. The first failure of a CTA
 * or of a child ends a task: its other CTAs are not issued, those in flight are stopped, and its descendants are
 * cancelled.
 */
#ifndef FIRMWARE_CP_LIFE_LIFE_H
#define FIRMWARE_CP_LIFE_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/task/task.h"

#define LIFE_DEPTH 32u /**< Generations of children, at most. */

/** Tasks that are over and not retired yet (finish/retire.h), oldest first. Written by life.c. */
extern struct task_list life_over;

/** Initialize: no task is over. */
void life_init(void);

/** Begin the life of an accepted task: it waits for others (held), or is ready at once. */
void life_begin(struct task *task);

/** A held task waits for no other task any more: it is ready. */
void life_ready(struct task *task);

/** Look at a task again that is parked or in a slot, because it may have more CTAs to issue now. */
void life_wake(struct task *task);

/** life_collect() when there are such tasks. */
void life_take_drained(void);

/** Take the tasks that have left their slots: each becomes pending or parked, waits for its family, or is over. */
static inline void life_collect(void)
{
	if (slot_has_drained()) {
		life_take_drained();
	}
}

/** End a task with an error, and cancel its descendants. Does nothing when it has already failed, or is done.
 * @param failure  Status, field and value for its completion.
 * @param fault    Word `fault` of its completion, or 0. */
void life_fail(struct task *task, const struct refusal *failure, uint32_t fault);

/** life_fail() with ERR_CANCELLED. */
void life_cancel(struct task *task);

/** The graph of a task is closed: the task now waits only for its family. */
void life_close(struct task *task);

/** Suspend a task: none of its CTAs is issued until it is resumed. */
void life_suspend(struct task *task);

/** Resume a suspended task. */
void life_resume(struct task *task);

/** Make a task that is about to begin the child of its parent. */
void life_adopt(struct task *parent, struct task *child);

/** Remove a child from its parent's family. */
void life_orphan(struct task *child);

/** A child of a task is gone: the task is over if it waited only for that child. */
void life_look(struct task *task);

/** Whether life_take_over() has a task. */
static inline bool life_has_over(void)
{
	return life_over.head != NULL;
}

/** Take the oldest task that is over; life_has_over() must be true. If it gets children before life_finish(), it
 * waits for them. */
struct task *life_take_over(void);

/** Mark a task that was taken as done, unless it has got children or failed since.
 * @return  Whether it is done: only its retirement is left. */
bool life_finish(struct task *task);

#endif /* FIRMWARE_CP_LIFE_LIFE_H */

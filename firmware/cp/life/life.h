/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Life of a task, from its acceptance to its completion, and of its family.
 *
 *            accepted ──▶ held ──▶ pending ◀──▶ slot of the task table ──▶ waiting ──▶ over
 *                                     ▲              │                   for children
 *                                     └── parked ◀───┘
 *                               (suspended, or too few items)
 *
 * A child (S0-R07) belongs to the task of the CTA that launched it. A task is over when its own CTAs and
 * all its descendants are; so no child outlives its host task. The first failure, be it of a CTA or
 * of a child, ends the task: no CTA of it is issued any more, those in flight are stopped, and its
 * descendants are cancelled.
 */
#ifndef FIRMWARE_CP_LIFE_LIFE_H
#define FIRMWARE_CP_LIFE_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

#define LIFE_DEPTH 32u /**< Generations of children, at most. */

/** Tasks that are over, in order, with all that follows from it still to be done. Written by life.c. */
extern struct task_list life_over;

/** Forget everything. */
void life_init(void);

/** A task is accepted: it waits for others, or is ready at once. */
void life_begin(struct task *task);

/** A task waits for no other task any more. */
void life_ready(struct task *task);

/** A parked task may have CTAs to issue now, or one in a slot more of them: look. */
void life_wake(struct task *task);

/** Take the tasks that have left their slots: each is pending again, parked, waits for its family, or is over. */
void life_collect(void);

/** End a task with an error; nothing when it has failed already, or is over.
 * @param fault  Completion's `fault` word, or 0. */
void life_fail(struct task *task, struct refusal failure, uint32_t fault);

/** The graph of a task is closed: nothing of it is left but its family. */
void life_close(struct task *task);

/** Suspend a task: it gets no CTA until it is resumed. */
void life_suspend(struct task *task);

/** Resume a suspended task. */
void life_resume(struct task *task);

/** Make a task, accepted next, the child of its parent. */
void life_adopt(struct task *parent, struct task *child);

/** A child is not its parent's any more. */
void life_orphan(struct task *child);

/** A child of a task is gone: the task is over when it waited for that one last. */
void life_look(struct task *task);

/** Whether tasks are over that nobody has taken. */
static inline bool life_has_over(void)
{
	return life_over.head != NULL;
}

/** Take the task that is over first; there is one. It may get children again, and waits for them then. */
struct task *life_take_over(void);

/** A task that was taken may be done: it has got no children, and nothing else has happened to it.
 * @return  Whether it is; nothing is left of it then but its completion. */
bool life_finish(struct task *task);

#endif /* FIRMWARE_CP_LIFE_LIFE_H */

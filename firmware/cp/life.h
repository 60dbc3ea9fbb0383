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
#ifndef FIRMWARE_CP_LIFE_H
#define FIRMWARE_CP_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task.h"

#define LIFE_DEPTH 32u /**< Generations of children, at most. */

/** Forget everything. */
void life_init(void);

/** A task is accepted: it waits for others, or is ready at once. */
void life_begin(struct task *task);

/** A task waits for no other task any more. */
void life_ready(struct task *task);

/** A parked task may have CTAs to issue now, or one in a slot more of them: look. */
void life_wake(struct task *task);

/** A task has left its slot. */
void life_leave(struct task *task);

/** End a task with an error; nothing when it has failed already, or is over.
 * @param fault  Completion's `fault` word, or 0. */
void life_fail(struct task *task, struct refusal failure, uint32_t fault);

/** The graph of a task is closed: nothing of it is left but its family. */
void life_close(struct task *task);

/** Suspend a task: it gets no CTA until it is resumed. */
void life_suspend(struct task *task);

/** Resume a suspended task. */
void life_resume(struct task *task);

/** Make a task, accepted next, the child of another. */
void life_adopt(struct task *parent, struct task *child);

/** Bring to their end tasks that are over: semaphores, dependents, parents, completions.
 * @return  Whether more are left for the next turn. */
bool life_run(void);

/** Whether tasks are over that life_run() has not brought to their end. */
bool life_is_due(void);

#endif /* FIRMWARE_CP_LIFE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What has been done of a task, and what is left: the only functions that write `task->work` and `task->sms`.
 */
#ifndef FIRMWARE_CP_TASK_WORK_H
#define FIRMWARE_CP_TASK_WORK_H

#include <stdint.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

/** The CTAs of a task that are not issued are these: when its TMD is checked, and when SMs took CTAs of a PULL
 * grid themselves.
 * @param position  The first of them.
 * @param left      How many they are. */
static inline void task_work_set(struct task *task, uint64_t position, uint64_t left)
{
	task->work.position = position;
	task->work.left = left;
}

/** A task enters the scheduler table. */
static inline void task_work_ready(struct task *task, uint64_t now)
{
	task->work.ready = now;
}

/** CTAs go to an SM in a packet; or streams of a PULL grid do. */
static inline void task_work_issue(struct task *task, uint32_t sm, uint32_t ctas)
{
	task->work.in_flight += ctas;
	task->work.packets++;
	bits_set(task->sms, sm);
}

/** The next CTAs are issued; those of a queue task are counted by its queue. */
static inline void task_work_advance(struct task *task, uint32_t ctas)
{
	if (task_queue(task) == NULL) {
		task->work.left -= ctas;
	}
	task->work.position += ctas;
}

/** Items of a PULL grid were sent with its streams. */
static inline void task_work_send(struct task *task, uint64_t items)
{
	task->work.left -= items;
}

/** The tasks of a part of a graph ran from `first` to `last`, ticks; 0: no CTA of them has started. */
static inline void task_work_span(struct task *task, uint64_t first, uint64_t last)
{
	if (task->work.first == 0 || (first != 0 && first < task->work.first)) {
		task->work.first = first;
	}
	if (last > task->work.last) {
		task->work.last = last;
	}
}

/** CTAs, or streams, of which the first started and the last ended at these times are not in flight any more. */
static inline void task_work_end(struct task *task, uint32_t ctas, uint64_t first, uint64_t last)
{
	task->work.in_flight -= ctas;
	task_work_span(task, first, last);
}

/** CTAs have ended without error. */
static inline void task_work_complete(struct task *task, uint64_t ctas)
{
	task->work.done += ctas;
}

/** A task of a graph's pass has ended: what it did is its graph's. */
void task_work_gather(struct task *task, const struct task *child);

#endif /* FIRMWARE_CP_TASK_WORK_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How much of a task has been done, and what is left. Only these functions write `task->work` and `task->sms`.
 */
#ifndef FIRMWARE_CP_TASK_WORK_H
#define FIRMWARE_CP_TASK_WORK_H

#include <stdint.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

/** Set which CTAs of a task are not issued yet: when its TMD has been checked, and when SMs have taken CTAs of a PULL
 * grid themselves.
 * @param position  The first of them.
 * @param left      How many there are. */
static inline void task_work_set(struct task *task, uint64_t position, uint64_t left)
{
	task->work.position = position;
	task->work.left = left;
}

/** Set that all CTAs of a grid are issued, the first ones that it has, but not to which SMs.
 * @param packets  Their packets, or shares of a wave. */
static inline void task_work_all(struct task *task, uint32_t ctas, uint32_t packets)
{
	task->work.position = ctas;
	task->work.left = 0;
	task->work.in_flight = ctas;
	task->work.packets = packets;
}

/** Record when a task entered the scheduler table.
 * @param now  In ticks. */
static inline void task_work_ready(struct task *task, uint64_t now)
{
	task->work.ready = now;
}

/** Count a packet with CTAs, or with streams of a PULL grid, for an SM. */
static inline void task_work_issue(struct task *task, uint32_t sm, uint32_t ctas)
{
	task->work.in_flight += ctas;
	task->work.packets++;
	bits_set(task->sms, sm);
}

/** Count packets with the next CTAs of a grid, in the place of as many CTAs that have ended on the same SMs.
 * @param ctas  CTAs of all packets. */
static inline void task_work_again(struct task *task, uint32_t ctas, uint32_t packets)
{
	task->work.packets += packets;
	task->work.left -= ctas;
	task->work.position += ctas;
}

/** Count shares of a wave, which are like packets.
 * @param ctas  CTAs of all shares. */
static inline void task_work_issue_wave(struct task *task, uint32_t shares, uint32_t ctas)
{
	task->work.in_flight += ctas;
	task->work.packets += shares;
}

/** CTAs in flight are parked: they are left to issue, but not as others are. The caller subtracts them from those in flight. */
static inline void task_work_park(struct task *task, uint32_t ctas)
{
	task->work.left += ctas;
	task->work.parked += ctas;
}

/** Parked CTAs go back to their SM. The caller adds them to those in flight. */
static inline void task_work_unpark(struct task *task, uint32_t ctas)
{
	task->work.left -= ctas;
	task->work.parked -= ctas;
}

/** Add an SM that was sent CTAs. */
static inline void task_work_sm(struct task *task, uint32_t sm)
{
	bits_set(task->sms, sm);
}

/** Add SMs that were sent CTAs.
 * @param sms  A bitmap by number. */
static inline void task_work_sms(struct task *task, const uint32_t *sms)
{
	for (uint32_t word = 0; word < device.sm_words; word++) {
		task->sms[word] |= sms[word];
	}
}

/** Advance the position behind CTAs that are issued. Not for queue tasks (queue_take()). */
static inline void task_work_advance(struct task *task, uint32_t ctas)
{
	task->work.left -= ctas;
	task->work.position += ctas;
}

/** Subtract items of a PULL grid that were sent with its streams. */
static inline void task_work_send(struct task *task, uint64_t items)
{
	task->work.left -= items;
}

/** Count CTAs, or streams, that are no longer in flight.
 * @param first  When the first of them started, in ticks; 0 when none has started.
 * @param last   When the last of them ended, in ticks. */
static inline void task_work_end(struct task *task, uint32_t ctas, uint64_t first, uint64_t last)
{
	task->work.in_flight -= ctas;
	if (task->work.first == 0 || first < task->work.first) {
		task->work.first = first;
	}
	if (last > task->work.last) {
		task->work.last = last;
	}
}

/** Count CTAs that have completed without error. */
static inline void task_work_complete(struct task *task, uint64_t ctas)
{
	task->work.done += ctas;
}

/** Add the work of a task that belongs to a pass of a graph to that of the GRAPH task.
 * @param task   The GRAPH task.
 * @param child  A task of the pass that has ended. On which SMs it ran is not known afterwards. */
void task_work_gather(struct task *task, struct task *child);

#endif /* FIRMWARE_CP_TASK_WORK_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The trace: time-stamped records of what the control processor does, in its own ring. The ring keeps the newest
 * records; `put` counts all that were written, so a reader knows how many it missed. SMs write a record for each CTA
 * into their own rings.
 */
#ifndef FIRMWARE_CP_TASK_TRACE_H
#define FIRMWARE_CP_TASK_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/task.h"

#define TRACE_MOST  (part_is_here(GG_FEATURE_TRACE) ? 1u : 0u) /**< Largest value of CONFIG.trace. */
#define TRACE_NO_SM 0xffffu /**< SM number in records that concern no SM. */

/** An event. */
struct trace_event {
	enum gg_trace_type type; /**< Type of the event. */
	uint32_t sm;             /**< SM number, or TRACE_NO_SM. */
	uint64_t cta;            /**< CTA number, or what the type defines. */
	uint32_t extra;          /**< What the type defines. */
};

extern bool trace_on; /**< Whether tracing is on. Written by trace.c. */

/** Switch tracing by the CP and by all SMs on or off. */
void trace_switch(bool on);

/** Write a record of an event of a task.
 * @param start, end  In ticks; of a pass: when its first command started and its last one ended. */
void trace_write(const struct task *task, struct trace_event event, uint64_t start, uint64_t end);

/** The same, with the time of now. */
void trace_write_now(const struct task *task, struct trace_event event);

/** Write a record of a task that is over, from the time when its command was taken to `done`.
 * @param done  When it completed, in ticks. */
void trace_write_task(const struct task *task, uint64_t done);

/** Write a record of the reason that a task has now, from the time when it began, or the task was taken, to now. */
void trace_write_wait(const struct task *task);

/** Write a record of a packet, with the time of now.
 * @param sm      The SM that it is for.
 * @param first   Its first CTA.
 * @param starts  As in gg_packet.starts, or other bits: as many as CTAs. */
void trace_write_launch(const struct task *task, uint32_t sm, uint64_t first, uint32_t starts);

/** Whether tracing is on. */
static inline bool trace_is_on(void)
{
	return part_is_here(GG_FEATURE_TRACE) && trace_on;
}

/** Record an event of a task if tracing is on. */
static inline void trace_event(const struct task *task, struct trace_event event)
{
	if (trace_is_on()) {
		trace_write_now(task, event);
	}
}

/** Record a task that is over if tracing is on.
 * @param done  When it completed, in ticks. */
static inline void trace_task(const struct task *task, uint64_t done)
{
	if (trace_is_on()) {
		trace_write_task(task, done);
	}
}

/** Record that the reason why CTAs of a task were kept back has ended if tracing is on; it has lasted a turn of the loop. */
static inline void trace_wait(const struct task *task)
{
	if (trace_is_on()) {
		trace_write_wait(task);
	}
}

#endif /* FIRMWARE_CP_TASK_TRACE_H */

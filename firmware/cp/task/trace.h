/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Trace: time-stamped records of what the control processor does, in its own ring. The newest are
 * kept; `put` counts all, so a reader knows what it lost. SMs write a record per CTA into theirs.
 */
#ifndef FIRMWARE_CP_TASK_TRACE_H
#define FIRMWARE_CP_TASK_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/task.h"

#define TRACE_MOST  (part_is_here(GG_FEATURE_TRACE) ? 1u : 0u) /**< Of CONFIG.trace. */
#define TRACE_NO_SM 0xffffu                                    /**< A record that concerns no SM. */

/** One event. */
struct trace_event {
	enum gg_trace_type type; /**< What. */
	uint32_t sm;             /**< SM, or TRACE_NO_SM. */
	uint64_t cta;            /**< CTA, or as the type says. */
	uint32_t extra;          /**< As the type says. */
};

extern bool trace_on; /**< Tracing is on. Written by trace.c. */

/** Switch all tracing on or off, the SMs' too. */
void trace_switch(bool on);

/** Write a record of an event that is now. */
void trace_write_now(const struct task *task, struct trace_event event);

/** Write a record of a task from its acceptance to its completion. */
void trace_write_task(const struct task *task, uint64_t done);

/** Whether tracing is on. */
static inline bool trace_is_on(void)
{
	return part_is_here(GG_FEATURE_TRACE) && trace_on;
}

/** Record an event of a task, now; nothing when tracing is off. */
static inline void trace_event(const struct task *task, struct trace_event event)
{
	if (trace_is_on()) {
		trace_write_now(task, event);
	}
}

/** Record a task that is over; nothing when tracing is off. */
static inline void trace_task(const struct task *task, uint64_t done)
{
	if (trace_is_on()) {
		trace_write_task(task, done);
	}
}

#endif /* FIRMWARE_CP_TASK_TRACE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Trace: time-stamped records of what the control processor does, in its own ring. The newest are
 * kept; `put` counts all, so a reader knows what it lost. SMs write a record per CTA into theirs.
 */
#ifndef FIRMWARE_CP_TRACE_H
#define FIRMWARE_CP_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/part.h"
#include "firmware/cp/task.h"

#define TRACE_MOST  (part_is_here(GG_FEATURE_TRACE) ? 1u : 0u) /**< Of CONFIG.trace. */
#define TRACE_NO_SM 0xffffu                                    /**< A record that concerns no SM. */

/** One event. */
struct trace_event {
	enum gg_trace_type type; /**< What. */
	uint32_t sm;             /**< SM, or TRACE_NO_SM. */
	uint64_t cta;            /**< CTA, or as the type says. */
	uint32_t extra;          /**< As the type says. */
};

/** Switch all tracing on or off, the SMs' too. */
void trace_switch(bool on);

/** Whether tracing is on. */
bool trace_is_on(void);

/** Record an event of a task, now; nothing when tracing is off. */
void trace_event(const struct task *task, struct trace_event event);

/** Record a task from its acceptance to its completion. */
void trace_task(const struct task *task, uint64_t done);

#endif /* FIRMWARE_CP_TRACE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Trace records of the launch of CTAs. Only called while tracing is on.
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Record that a task is assigned to an SM. */
void launch_trace_assign(uint32_t sm, const struct task *task);

/** Record that an SM sees packets now, from number `first` to the last that is written. */
void launch_trace_packets(uint32_t sm, uint32_t first);

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H */

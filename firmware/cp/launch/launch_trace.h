/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the launch of CTAs writes into the trace. Called while tracing is on only.
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** A task is assigned to an SM. */
void launch_trace_assign(uint32_t sm, const struct task *task);

/** An SM sees packets now: those from number `first` to the last that is written. */
void launch_trace_packets(uint32_t sm, uint32_t first);

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Trace records of the launch of CTAs. Only called while tracing is on.
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Record that a packet of a task is written for an SM. */
void launch_trace_packet(uint32_t sm, const struct task *task, const struct gg_packet *packet);

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_TRACE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands about tasks and channels, and the channel that each goes through.
 */
#ifndef HOST_LIB_CONTROL_H
#define HOST_LIB_CONTROL_H

#include "host/lib/device.h"

/** A channel that is read: `wanted` if it is open, else the last open one, else `wanted`. */
uint32_t control_channel(const struct gg_device *device, uint32_t wanted);

/**
 * The channel for commands about a task: until the device has taken it, its own, behind it; then
 * the last open one. The lock is held.
 */
uint32_t control_channel_of(const struct gg_device *device, struct gg_task *task);

/** Posts a command about a task (CLOSE, CANCEL, SUSPEND, RESUME) and waits for its answer. */
enum gg_status control_task(struct gg_task *task, enum gg_opcode opcode, uint32_t timeout_ms);

#endif /* HOST_LIB_CONTROL_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands about tasks and channels, and the channel that each goes through.
 */
#ifndef HOST_LIB_MAILBOX_CONTROL_H
#define HOST_LIB_MAILBOX_CONTROL_H

#include "host/lib/mailbox/device.h"

/** The channel for a command: `wanted` if it is open, else the last open one; `wanted` if none is
 * open. */
uint32_t control_channel(const struct device *device, uint32_t wanted);

/** The channel for commands about a task. Until the device has taken the task this is the task's
 * own channel, so that the command comes after it; then it is the last open one. The lock is held.
 */
uint32_t control_channel_of(const struct device *device, struct task *task);

/** Posts a command about a task (CLOSE, CANCEL, SUSPEND, RESUME) and waits for its answer. */
enum gg_status control_task(struct task *task, enum gg_opcode opcode, uint32_t timeout_ms);

/** The last open channel other than `except`. @return `except` if no other channel is open. */
uint32_t control_last_open(const struct device *device, uint32_t except);

/** Asks the device, as gg_query(). */
enum gg_status control_query(struct device *device, uint32_t what, uint32_t timeout_ms,
			     uint64_t *value);

/** Reads the device's clock, as gg_device_clock(). */
enum gg_status control_clock(struct device *device, uint32_t timeout_ms, uint64_t *ns);

/** Waits until all that a channel took before has completed, as gg_fence(). */
enum gg_status control_fence(struct device *device, uint32_t channel, uint32_t timeout_ms);

#endif /* HOST_LIB_MAILBOX_CONTROL_H */

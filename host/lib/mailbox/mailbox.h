/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Puts commands into channels: waits for room, and stores in the right order.
 */
#ifndef HOST_LIB_MAILBOX_MAILBOX_H
#define HOST_LIB_MAILBOX_MAILBOX_H

#include "host/lib/mailbox/device.h"

/** Waits for room and writes a command with a fresh tag into the task's channel. The task is then
 * on its way, but the doorbell was not rung. The lock is held, here and below. Sets the failure;
 * after one the task is not on its way. @return GG_ERR_ARGUMENT, GG_ERR_CHANNEL, GG_ERR_RING_FULL,
 * GG_ERR_BUSY (observer), GG_ERR_DEVICE_LOST, GG_ERR_PANIC, GG_ERR_PERMISSION: see mailbox_may(). */
enum gg_status mailbox_post(struct device *device, struct task *task,
			    const struct gg_command *command, uint64_t deadline);

/** Waits until a channel has room for a task. Sets the failure. @return as mailbox_post(). */
enum gg_status mailbox_await_room(struct device *device, uint32_t channel, uint64_t deadline);

/** Whether this host may do what concerns all hosts of a device. Sets the failure. @return GG_OK, GG_ERR_PERMISSION. */
enum gg_status mailbox_may(const struct device *device, uint32_t opcode);

/** Whether the device reads a channel: it is neither suspended nor refused. */
bool mailbox_is_open(const struct device *device, uint32_t channel);

/** Whether the device reads a channel no more until it is reset, which nobody has asked for yet. */
bool mailbox_is_refused(const struct device *device, uint32_t channel);

/** Whether a channel has no room now. */
bool mailbox_is_full(const struct device *device, uint32_t channel);

/** Whether the device has taken a task out of its channel. From then on it knows the task's name.
 */
bool mailbox_has_taken(const struct device *device, struct task *task);

#endif /* HOST_LIB_MAILBOX_MAILBOX_H */

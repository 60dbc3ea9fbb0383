/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands into channels: room, order of the stores.
 */
#ifndef HOST_LIB_MAILBOX_MAILBOX_H
#define HOST_LIB_MAILBOX_MAILBOX_H

#include "host/lib/mailbox/device.h"

/**
 * Writes a command with a fresh tag into the task's channel, waiting for room; the task is on
 * its way then. The doorbell is left to doorbell_ring(). Sets the failure.
 * @return GG_ERR_ARGUMENT, GG_ERR_CHANNEL, GG_ERR_RING_FULL, GG_ERR_BUSY (observer),
 * GG_ERR_DEVICE_LOST, GG_ERR_PANIC; the task is not on its way then. The lock is held, here and
 * below.
 */
enum gg_status mailbox_post(struct gg_device *device, struct gg_task *task,
			    const struct gg_command *command, uint64_t deadline);

/** Waits until a channel has room. Sets the failure. @return as mailbox_post(). */
enum gg_status mailbox_await_room(struct gg_device *device, uint32_t channel, uint64_t deadline);

/** Is it read by the device: neither suspended nor refused? */
bool mailbox_is_open(const struct gg_device *device, uint32_t channel);

/** Has it no room now? */
bool mailbox_is_full(const struct gg_device *device, uint32_t channel);

/** Has the device taken a task out of its channel? It knows the task's name then. */
bool mailbox_has_taken(const struct gg_device *device, struct gg_task *task);

#endif /* HOST_LIB_MAILBOX_MAILBOX_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands into channels: room, order of the stores, doorbell.
 */
#ifndef HOST_LIB_MAILBOX_H
#define HOST_LIB_MAILBOX_H

#include "host/lib/device.h"

/** A task handle with a reference to its device, not on its way yet. @return NULL: no memory. */
struct gg_task *mailbox_task(struct gg_device *device);

/** Drops a handle that was never posted. The lock is held, here and below. */
void mailbox_drop(struct gg_device *device, struct gg_task *task);

/**
 * Writes a command with a fresh tag into the task's channel, waiting for room; the task is on
 * its way then. The doorbell is left to mailbox_ring(). Sets the failure.
 * @return GG_ERR_ARGUMENT, GG_ERR_CHANNEL, GG_ERR_RING_FULL, GG_ERR_BUSY (observer),
 * GG_ERR_DEVICE_LOST, GG_ERR_PANIC; the task is not on its way then.
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

/** Tells the device that channels changed. */
void mailbox_ring(struct gg_device *device);

/** Rings if there is something that the device was not told of. */
void mailbox_ring_if_due(struct gg_device *device);

/**
 * Posts a command to a channel and waits for its completion; takes and releases the lock.
 * @param value  Value of the completion, or NULL.
 * @return as mailbox_post(), or the command's status, or GG_ERR_TIMEOUT. Sets the failure.
 */
enum gg_status mailbox_call(struct gg_device *device, const struct gg_raw *raw, uint32_t timeout_ms,
			    uint64_t *value);

#endif /* HOST_LIB_MAILBOX_H */

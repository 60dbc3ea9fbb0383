/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands of any kind: post one, or post one and wait for its answer.
 */
#ifndef HOST_LIB_MAILBOX_COMMAND_H
#define HOST_LIB_MAILBOX_COMMAND_H

#include "host/lib/mailbox/device.h"

/** Posts a command, as gg_command_post(). Takes and releases the lock. */
enum gg_status command_post(struct device *device, const struct gg_raw *raw, uint32_t timeout_ms,
			    struct task **task);

/** As command_call(), with all that the completion says. */
enum gg_status command_done(struct device *device, const struct gg_raw *raw, uint32_t timeout_ms,
			    struct gg_done *done);

/**
 * Posts a command to a channel and waits for its completion; takes and releases the lock.
 * @param value  Value of the completion, or NULL.
 * @return as mailbox_post(), or the command's status, or GG_ERR_TIMEOUT. Sets the failure.
 */
enum gg_status command_call(struct device *device, const struct gg_raw *raw, uint32_t timeout_ms,
			    uint64_t *value);

#endif /* HOST_LIB_MAILBOX_COMMAND_H */

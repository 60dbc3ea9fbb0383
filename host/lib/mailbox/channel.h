/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The words of a channel, and the reset of one that the device refuses.
 */
#ifndef HOST_LIB_MAILBOX_CHANNEL_H
#define HOST_LIB_MAILBOX_CHANNEL_H

#include "host/lib/mailbox/device.h"

/** Checks that there is such a channel, and that this process may write to it. Sets the failure.
 * @return GG_ERR_ARGUMENT, GG_ERR_BUSY (observer). */
enum gg_status channel_check(const struct device *device, uint32_t channel);

/** Reads the words of a channel, as gg_channel_read(). */
enum gg_status channel_read(struct device *device, uint32_t channel, struct gg_channel *words);

/** Reopens a refused channel, as gg_channel_reset(). Takes and releases the lock. */
enum gg_status channel_reset(struct device *device, uint32_t channel, uint32_t timeout_ms);

#endif /* HOST_LIB_MAILBOX_CHANNEL_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The doorbell: tells the device that channels changed.
 */
#ifndef HOST_LIB_MAILBOX_DOORBELL_H
#define HOST_LIB_MAILBOX_DOORBELL_H

#include "host/lib/mailbox/device.h"

/** Whether the device has a bell byte for each channel, so that it need not look at all of them. */
bool doorbell_has_bells(const struct device *device);

/** Rings the doorbell. The lock is held, here and below. */
void doorbell_ring(struct device *device);

/** Rings if a channel changed since the last ring. */
void doorbell_ring_if_due(struct device *device);

/** Empties a channel and asks the device to reset it, at the next ring. */
void doorbell_reset_channel(struct device *device, uint32_t channel);

#endif /* HOST_LIB_MAILBOX_DOORBELL_H */

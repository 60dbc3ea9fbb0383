/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Takes over a device that an earlier host used.
 */
#ifndef HOST_LIB_MAILBOX_SETTLE_H
#define HOST_LIB_MAILBOX_SETTLE_H

#include "host/lib/mailbox/device.h"

/**
 * Makes sure that no task of an earlier host runs any more: from then on the heap is ours. Takes
 * and releases the lock. Sets the failure. @return GG_ERR_BUSY, or as command_call().
 */
enum gg_status settle(struct device *device);

#endif /* HOST_LIB_MAILBOX_SETTLE_H */

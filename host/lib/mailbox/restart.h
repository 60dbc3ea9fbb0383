/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What follows for this host when the device's control processor has booted again (cap.resets): what was on its way ends
 * with GG_ERR_DEVICE_RESET, and its channels begin anew. Contexts, modules and their memory stay.
 */
#ifndef HOST_LIB_MAILBOX_RESTART_H
#define HOST_LIB_MAILBOX_RESTART_H

#include "host/lib/mailbox/device.h"

/** Whether it has, since the last call of restart_take(). The lock is held, as for the other calls here. */
bool restart_was(const struct device *device);

/** Ends what is on its way, and asks for resets of all channels. The completions that were posted before have been taken. */
void restart_take(struct device *device);

/** For a host that comes later: asks for resets of the channels that nobody has reset since. */
void restart_join(struct device *device);

#endif /* HOST_LIB_MAILBOX_RESTART_H */

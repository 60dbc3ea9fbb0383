/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Completions as the host sees them, and those that belong to nobody.
 */
#ifndef HOST_LIB_MAILBOX_COMPLETION_H
#define HOST_LIB_MAILBOX_COMPLETION_H

#include "host/lib/mailbox/device.h"

/** Nanoseconds of ticks of the device's clock; 0 stays 0. */
uint64_t completion_ns(const struct gg_device *device, uint64_t ticks);

/** Reads the entry of the completion ring that `get` counts to. */
void completion_read(const struct gg_device *device, uint32_t get, struct gg_done *done);

/** Keeps a completion whose command is not ours; of too many the oldest goes. */
void orphans_add(struct orphans *orphans, const struct gg_done *done);

/** Takes the oldest. @return false: there is none. */
bool orphans_take(struct orphans *orphans, struct gg_done *done);

#endif /* HOST_LIB_MAILBOX_COMPLETION_H */

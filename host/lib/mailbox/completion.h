/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Completions in the form that callers see, and a queue of those whose commands are not ours.
 */
#ifndef HOST_LIB_MAILBOX_COMPLETION_H
#define HOST_LIB_MAILBOX_COMPLETION_H

#include "host/lib/mailbox/device.h"

/** Converts ticks of the device's clock to nanoseconds. */
uint64_t completion_ns(const struct device *device, uint64_t ticks);

/** Reads entry number `get` of the completion ring; numbers count on, places wrap. */
void completion_read(const struct device *device, uint32_t get, struct gg_done *done);

/** Keeps a completion whose command is not ours. If ORPHANS_MAX are kept, the oldest is dropped. */
void orphans_add(struct orphans *orphans, const struct gg_done *done);

/** Takes the oldest completion that is kept. @return false: there is none. */
bool orphans_take(struct orphans *orphans, struct gg_done *done);

#endif /* HOST_LIB_MAILBOX_COMPLETION_H */

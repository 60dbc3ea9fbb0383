/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Says why a piece of device memory could not be had: what was asked for, what is free, and who holds the rest.
 */
#ifndef HOST_LIB_MAILBOX_ROOM_H
#define HOST_LIB_MAILBOX_ROOM_H

#include "host/lib/mailbox/device.h"

/**
 * Sets the failure after heap_take() or pool_take() failed; the device's lock is held.
 * @param context The heap that it was asked of; NULL: the device's.
 * @param bytes   Bytes asked for.
 * @param align   Alignment asked for.
 * @param what    What they are for: "a buffer".
 * @return GG_ERR_NO_MEMORY.
 */
enum gg_status room_failure(const struct device *device, const struct context *context,
			    uint64_t bytes, uint64_t align, const char *what);

#endif /* HOST_LIB_MAILBOX_ROOM_H */

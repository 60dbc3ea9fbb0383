/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Copies between this process and device memory.
 */
#ifndef HOST_LIB_MAILBOX_MEMORY_H
#define HOST_LIB_MAILBOX_MEMORY_H

#include "host/lib/mailbox/device.h"

/**
 * Copies device memory. Sets the failure. @return GG_ERR_ARGUMENT (the range is not in device
 * memory), GG_ERR_DEVICE_LOST; after an error memory_read() has filled `data` with zeros.
 */
enum gg_status memory_read(const struct device *device, uint64_t address, void *data,
			   uint64_t bytes);
enum gg_status memory_write(const struct device *device, uint64_t address, const void *data,
			    uint64_t bytes);

/** Writes zeros. Sets the failure. @return as memory_write(). */
enum gg_status memory_clear(const struct device *device, uint64_t address, uint64_t bytes);

/** Checks that a range is in device memory. Sets the failure. @return GG_ERR_ARGUMENT. */
enum gg_status memory_check(const struct device *device, uint64_t address, uint64_t bytes);

/** Checks that a range is in a context's heap. @param name  What the failure calls the address. @return as memory_check(). */
enum gg_status memory_check_context(const struct context *context, const char *name,
				    uint64_t address, uint64_t bytes);

#endif /* HOST_LIB_MAILBOX_MEMORY_H */

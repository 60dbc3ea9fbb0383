/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Access to device memory from an offset on, either mapped into this process or copied over a
 * transport. When the device is gone, copies read zeros, and reach_lost() says so.
 */
#ifndef HOST_LIB_TRANSPORT_REACH_H
#define HOST_LIB_TRANSPORT_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/lib/transport/transport.h"

/** A place in device memory. */
struct reach {
	uint8_t *map;                /**< Its address in this process; NULL: it is copied. */
	struct transport *transport; /**< Copies it. */
	uint64_t offset;             /**< Its offset in device memory. */
};

/** Whether memory that has to be copied cannot be reached any more. Mapped memory stays readable.
 */
static inline bool reach_lost(const struct reach *reach)
{
	return !reach->map && transport_lost(reach->transport);
}

/** Copies out of memory that is not mapped. */
static inline void reach_copy_out(const struct reach *reach, uint64_t offset, void *data,
				  uint64_t bytes)
{
	(void)transport_read(reach->transport, reach->offset + offset, data, bytes);
}

/** Copies into memory that is not mapped. */
static inline void reach_copy_in(const struct reach *reach, uint64_t offset, const void *data,
				 uint64_t bytes)
{
	(void)transport_write(reach->transport, reach->offset + offset, data, bytes);
}

#endif /* HOST_LIB_TRANSPORT_REACH_H */

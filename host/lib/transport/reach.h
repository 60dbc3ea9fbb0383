/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How device memory is reached from a place in it on: mapped into this process, or copied over a
 * transport that has no map. What cannot be copied any more reads as zeros; reach_lost() tells.
 */
#ifndef HOST_LIB_TRANSPORT_REACH_H
#define HOST_LIB_TRANSPORT_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/lib/transport/transport.h"

/** A place in device memory. */
struct reach {
	uint8_t *map;                /**< Where it is in this process, or NULL: */
	struct transport *transport; /**< what copies it … */
	uint64_t offset;             /**< … from this offset of device memory. */
};

/** Whether nothing can be copied any more. Memory that is mapped stays where it is. */
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

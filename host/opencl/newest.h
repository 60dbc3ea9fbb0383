/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Which device has the newest content of which part of a buffer. Not thread-safe: the buffer's lock is held.
 */
#ifndef HOST_OPENCL_NEWEST_H
#define HOST_OPENCL_NEWEST_H

#include "host/opencl/device.h"

/** A part of a buffer, from the end of the one before. */
struct newest_part {
	size_t end;
	cl_device_id device; /* NULL: nothing has been written yet. */
};

/** All parts of a buffer, in order; neighbours are of different devices. */
struct newest {
	struct newest_part *parts;
	size_t count;
};

/** Begins with one part that nobody has written. @return false: there is no memory. */
bool newest_begin(struct newest *newest, size_t size);

/** Frees what it has. */
void newest_end(struct newest *newest);

/** Copies to a device what it does not have of a part, and has it as the newest from then on.
 * @param addresses  Of the buffer, by number of the device.
 * @return CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY: the newest content is where it was. */
cl_int newest_bring(struct newest *newest, const uint64_t *addresses, cl_device_id device,
		    size_t first, size_t end);

#endif /* HOST_OPENCL_NEWEST_H */

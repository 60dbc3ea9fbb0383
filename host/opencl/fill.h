/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Fills of buffers and of shared virtual memory.
 */
#ifndef HOST_OPENCL_FILL_H
#define HOST_OPENCL_FILL_H

#include "host/opencl/memory.h"

#define PATTERN_MOST 128u

struct fill {
	cl_mem memory;    /* NULL: shared virtual memory, */
	uint8_t *pointer; /* at this place. */
	size_t offset, bytes;
	size_t pattern_bytes;
	uint8_t pattern[PATTERN_MOST];
};

/** Whether a pattern, and the part that is filled with it, are of sizes that the standard allows. */
bool fill_is_good(const void *pattern, size_t pattern_size, size_t offset, size_t size);

#endif /* HOST_OPENCL_FILL_H */

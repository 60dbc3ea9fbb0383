/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Calls ganger-cc: from the sources of a program to the image that a device loads.
 */
#ifndef HOST_OPENCL_COMPILER_H
#define HOST_OPENCL_COMPILER_H

#include "host/opencl/device.h"
#include "host/opencl/options.h"

/** A file that a source includes. */
struct header {
	const char *name;
	const char *text;
};

/** What is compiled: one source for one device. */
struct compilation {
	const char *source;
	const struct options *options;
	const struct header *headers;
	size_t header_count;
	cl_device_id device;
};

/** What came out. */
struct compiled {
	uint8_t *image; /* NULL: it failed. */
	size_t bytes;
	char *log; /* What the compiler said; NULL: no memory. */
};

/** Compiles a source to an image. What is in `compiled` the caller frees. */
void compiler_run(const struct compilation *what, struct compiled *compiled);

#endif /* HOST_OPENCL_COMPILER_H */

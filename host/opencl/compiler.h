/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Calls ganger-cc: from the sources of a program to the image that a device loads, at once or in steps.
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

enum compiler_step {
	COMPILER_PROGRAM, /* From a source to an image. */
	COMPILER_OBJECT,  /* From a source to an object. */
	COMPILER_LIBRARY, /* From objects to an object. */
	COMPILER_LINK,    /* From objects to an image. */
};

/** An object that is linked. */
struct piece {
	const uint8_t *data;
	size_t bytes;
};

/** What is to be done for one device. */
struct compilation {
	enum compiler_step step;
	cl_device_id device;
	const char *source;            /* Of the first two steps. */
	size_t source_bytes;           /* Its length. */
	bool il;                       /* It is SPIR-V, else OpenCL C. */
	const struct options *options; /* The same. */
	char *const *constants;        /* Values of specialization constants of SPIR-V; see il.h. */
	size_t constant_count;
	const struct header *headers;
	size_t header_count;
	const struct piece *pieces; /* Of the other two. */
	size_t piece_count;
};

/** What came out. */
struct compiled {
	uint8_t *image; /* Image or object; NULL: it failed. */
	size_t bytes;
	char *log; /* What the compiler said; NULL: no memory. */
};

/** Does one step. What is in `compiled` the caller frees. */
void compiler_run(const struct compilation *what, struct compiled *compiled);

#endif /* HOST_OPENCL_COMPILER_H */

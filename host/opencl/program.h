/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Programs: sources or images, and what was built of them for each device.
 */
#ifndef HOST_OPENCL_PROGRAM_H
#define HOST_OPENCL_PROGRAM_H

#include "host/opencl/context.h"

/** A program on one device. */
struct build {
	cl_device_id device;
	cl_build_status status;
	cl_program_binary_type type;
	char *options;  /* As they were given; NULL: "". */
	char *log;      /* NULL: "". */
	uint8_t *image; /* What the device loads; or NULL. */
	size_t image_bytes;
	struct gg_module *module; /* Loaded; or NULL. */
};

struct _cl_program {
	struct object object;
	cl_context context;
	char *source; /* NULL: it was made of SPIR-V or images. */
	uint8_t *il;  /* A module of SPIR-V; or NULL. */
	size_t il_bytes;
	char **constants; /* Values of its specialization constants; see il.h. */
	size_t constant_count;
	bool prints;      /* Its kernels may print. */
	uint32_t kernels; /* Kernel objects that there are: atomic. */
	cl_uint count;    /* Devices. */
	struct build builds[DEVICES_MAX];
};

typedef void(CL_CALLBACK program_notify)(cl_program program, void *user_data);

/** The build for a device; NULL: the program is not for it. */
struct build *program_build_of(cl_program program, cl_device_id device);

/** Loads an image into the device; then kernels can be made. @return CL_INVALID_BINARY,
 * CL_OUT_OF_RESOURCES. */
cl_int program_load(struct build *build);

/** Makes a program that is not built for any device of a context. @return CL_INVALID_CONTEXT,
 * CL_OUT_OF_HOST_MEMORY. */
cl_int program_make(cl_context context, cl_program *made);

/** Forgets what was built for a device. */
void program_clear(struct build *build);

/** Puts a word into the log in place of what was there. */
void program_set_log(struct build *build, const char *text);

#endif /* HOST_OPENCL_PROGRAM_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * OpenCL contexts: some devices, and whom to tell when something goes wrong on them.
 */
#ifndef HOST_OPENCL_CONTEXT_H
#define HOST_OPENCL_CONTEXT_H

#include <stdbool.h>

#include "host/opencl/callback.h"
#include "host/opencl/device.h"

typedef void(CL_CALLBACK context_notify)(const char *text, const void *private_info, size_t bytes,
					 void *user_data);
typedef void(CL_CALLBACK context_destructor)(cl_context context, void *user_data);

struct _cl_context {
	struct object object;
	cl_uint device_count;
	cl_device_id devices[DEVICES_MAX];
	cl_context_properties *properties; /* With the 0 at the end; or NULL. */
	size_t property_bytes;
	context_notify *notify; /* Or NULL. */
	void *user_data;
	struct callback_list destructors;
};

/** Whether a device is one of the context's. */
bool context_has(cl_context context, cl_device_id device);

/** Tells the program that something went wrong: by the context's callback, in a thread for callbacks;
 * on standard error when it has none. */
void context_tell(cl_context context, const char *text);

#endif /* HOST_OPENCL_CONTEXT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The platform: its name and version, and how the loader finds its functions.
 */
#ifndef HOST_OPENCL_PLATFORM_H
#define HOST_OPENCL_PLATFORM_H

#include "host/opencl/base.h"

#define PLATFORM_DRIVER_VERSION "0.1"
#define PLATFORM_VERSION        "OpenCL 3.0 Ganger"
/* What all devices have. */
#define PLATFORM_EXTENSIONS                                                      \
	"cl_khr_icd cl_khr_fp64 cl_khr_byte_addressable_store "                  \
	"cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics " \
	"cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "   \
	"cl_khr_extended_versioning"

/** A function that is found by its name alone. */
struct extension_function {
	const char *name;
	void (*function)(void);
};

/** All of them; the last one has no name. */
extern const struct extension_function extension_functions[];

/** The one platform. */
cl_platform_id platform_of_all(void);

/** The two functions that a loader looks for by name. */
__attribute__((visibility("default"))) cl_int
clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms);
__attribute__((visibility("default"))) void *clGetExtensionFunctionAddress(const char *name);

#endif /* HOST_OPENCL_PLATFORM_H */

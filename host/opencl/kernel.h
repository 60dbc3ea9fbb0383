/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels, and the arguments that they will be launched with.
 */
#ifndef HOST_OPENCL_KERNEL_H
#define HOST_OPENCL_KERNEL_H

#include "host/opencl/memory.h"
#include "host/opencl/program.h"

/** An argument. Buffers are not kept: one that is gone when the kernel is launched is an error then. */
struct argument {
	bool set;
	uint32_t bytes;   /* Of the value; LOCAL: of shared memory. */
	void *value;      /* VALUE: a copy of it. */
	cl_mem memory;    /* BUFFER; NULL: a null pointer. */
	uint64_t serial;  /* Of the buffer. */
	uint64_t address; /* BUFFER without `memory`: of shared virtual memory; or 0. */
};

struct _cl_kernel {
	struct object object;
	cl_program program;
	struct gg_kernel_info info;      /* Of the first device that it is built for. */
	struct gg_parameter *parameters; /* All of them: `info` has only some. */
	struct argument *arguments;
};

/** Number of the kernel in the module of a device, and the module.
 * @return CL_INVALID_PROGRAM_EXECUTABLE: it is not built for the device. */
cl_int kernel_find(cl_kernel kernel, cl_device_id device, struct gg_module **module,
		   uint32_t *index);

/** A copy with the arguments as they are. @return CL_OUT_OF_HOST_MEMORY. */
cl_int kernel_copy(cl_kernel kernel, cl_kernel *made);

/** Most work-items of a group on a device. */
size_t kernel_most_items(cl_kernel kernel, cl_device_id device);

/** Bytes of shared memory that a group takes, with the arguments as they are. */
uint64_t kernel_local_bytes(cl_kernel kernel);

#endif /* HOST_OPENCL_KERNEL_H */

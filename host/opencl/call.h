/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A kernel with its sizes and arguments as they were when it was enqueued or recorded.
 */
#ifndef HOST_OPENCL_CALL_H
#define HOST_OPENCL_CALL_H

#include "host/opencl/shape.h"

struct call {
	cl_kernel kernel;
	struct gg_module *module;
	uint32_t index;
	struct shape shape;
	uint32_t count;
	struct gg_argument
		*arguments;  /* With them, in the same piece of memory, copies of values. */
	cl_mem *memories;    /* References; NULL: not a buffer. */
	uint64_t *addresses; /* Of the buffers. */
};

/** Copies the kernel's arguments into a call that is all zeros, and takes references to its buffers.
 * @return CL_INVALID_KERNEL_ARGS, _PROGRAM_EXECUTABLE, CL_MISALIGNED_SUB_BUFFER_OFFSET,
 * CL_OUT_OF_RESOURCES (more shared memory than there is), CL_OUT_OF_HOST_MEMORY; call_end() is due then,
 * too. */
cl_int call_begin(struct call *call, cl_kernel kernel, cl_device_id device,
		  const struct shape *shape);

/** Has all buffers on the device. @return as memory_place(). */
cl_int call_place(struct call *call, cl_device_id device);

/** What of a task the call knows: kernel, sizes, arguments, time limit. The rest is zero. */
struct gg_work call_work(const struct call *call);

/** Whether the kernel may print. */
bool call_prints(const struct call *call);

/** Frees what the call has, but not the call itself. */
void call_end(struct call *call);

#endif /* HOST_OPENCL_CALL_H */

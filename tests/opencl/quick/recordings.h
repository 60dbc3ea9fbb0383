/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The calls of cl_khr_command_buffer 0.9.4, found as any program finds them.
 */
#ifndef TESTS_OPENCL_QUICK_RECORDINGS_H
#define TESTS_OPENCL_QUICK_RECORDINGS_H

#include "check.h"
/* After that: it says which version of OpenCL is meant. */
#include <CL/cl_ext.h>

/* Headers of version 0.9.1 lack these. */
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif

static struct {
	clCreateCommandBufferKHR_fn create;
	clFinalizeCommandBufferKHR_fn finalize;
	clRetainCommandBufferKHR_fn retain;
	clReleaseCommandBufferKHR_fn release;
	clEnqueueCommandBufferKHR_fn enqueue;
	clCommandBarrierWithWaitListKHR_fn barrier;
	clCommandCopyBufferKHR_fn copy;
	clCommandCopyBufferRectKHR_fn rect;
	clCommandFillBufferKHR_fn fill;
	clCommandNDRangeKernelKHR_fn kernel;
	clGetCommandBufferInfoKHR_fn info;
	clUpdateMutableCommandsKHR_fn update;
	clGetMutableCommandInfoKHR_fn command_info;
	cl_int (*svm_copy)(cl_command_buffer_khr, cl_command_queue, void *, const void *, size_t,
			   cl_uint, const cl_sync_point_khr *, cl_sync_point_khr *,
			   cl_mutable_command_khr *);
	cl_int (*svm_fill)(cl_command_buffer_khr, cl_command_queue, void *, const void *, size_t,
			   size_t, cl_uint, const cl_sync_point_khr *, cl_sync_point_khr *,
			   cl_mutable_command_khr *);
} ext;

static inline void find_extension(cl_platform_id where)
{
	const struct {
		const char *name;
		void *to;
	} all[] = {
		{ "clCreateCommandBufferKHR", &ext.create },
		{ "clFinalizeCommandBufferKHR", &ext.finalize },
		{ "clRetainCommandBufferKHR", &ext.retain },
		{ "clReleaseCommandBufferKHR", &ext.release },
		{ "clEnqueueCommandBufferKHR", &ext.enqueue },
		{ "clCommandBarrierWithWaitListKHR", &ext.barrier },
		{ "clCommandCopyBufferKHR", &ext.copy },
		{ "clCommandCopyBufferRectKHR", &ext.rect },
		{ "clCommandFillBufferKHR", &ext.fill },
		{ "clCommandNDRangeKernelKHR", &ext.kernel },
		{ "clGetCommandBufferInfoKHR", &ext.info },
		{ "clUpdateMutableCommandsKHR", &ext.update },
		{ "clGetMutableCommandInfoKHR", &ext.command_info },
		{ "clCommandSVMMemcpyKHR", &ext.svm_copy },
		{ "clCommandSVMMemFillKHR", &ext.svm_fill },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		void *found = clGetExtensionFunctionAddressForPlatform(where, all[i].name);

		TRUE(found);
		memcpy(all[i].to, &found, sizeof(found));
	}
	if (failures)
		exit(1);
}

#endif /* TESTS_OPENCL_QUICK_RECORDINGS_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Calls of cl_khr_command_buffer 0.9.4 that some headers do not declare yet.
 */
#ifndef HOST_OPENCL_RECORD_H
#define HOST_OPENCL_RECORD_H

#include "host/opencl/base.h"

/** As clEnqueueSVMMemcpy(). */
cl_int clCommandSVMMemcpyKHR(cl_command_buffer_khr recording, cl_command_queue queue, void *to,
			     const void *from, size_t size, cl_uint wait_count,
			     const cl_sync_point_khr *wait_list, cl_sync_point_khr *sync_point,
			     cl_mutable_command_khr *handle);

/** As clEnqueueSVMMemFill(). */
cl_int clCommandSVMMemFillKHR(cl_command_buffer_khr recording, cl_command_queue queue,
			      void *pointer, const void *pattern, size_t pattern_size, size_t size,
			      cl_uint wait_count, const cl_sync_point_khr *wait_list,
			      cl_sync_point_khr *sync_point, cl_mutable_command_khr *handle);

#endif /* HOST_OPENCL_RECORD_H */

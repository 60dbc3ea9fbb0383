/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * OpenCL's own headers, for version 3.0 with all that older programs call.
 */
#ifndef HOST_OPENCL_BASE_H
#define HOST_OPENCL_BASE_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

/* Of cl_khr_command_buffer 0.9.4, which is younger than some headers with the same calls. */
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif

#define DEVICES_MAX 16u /* Devices of the platform. */

/** Puts an error into the place that a creating call has for it, which may be NULL. */
static inline void base_answer(cl_int *errcode_ret, cl_int error)
{
	if (errcode_ret)
		*errcode_ret = error;
}

#endif /* HOST_OPENCL_BASE_H */

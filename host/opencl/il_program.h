/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The call of cl_khr_il_program, which OpenCL 2.1 took over by another name.
 */
#ifndef HOST_OPENCL_IL_PROGRAM_H
#define HOST_OPENCL_IL_PROGRAM_H

#include "host/opencl/base.h"

/** As clCreateProgramWithIL(). */
cl_program clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
				    cl_int *errcode_ret);

#endif /* HOST_OPENCL_IL_PROGRAM_H */

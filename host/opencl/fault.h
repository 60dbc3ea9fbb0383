/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What to say of a kernel that failed: status, work-group and work-item, function, file and line.
 */
#ifndef HOST_OPENCL_FAULT_H
#define HOST_OPENCL_FAULT_H

#include "host/opencl/kernel.h"

/** Writes a sentence about a completion with an error. */
void fault_describe(cl_kernel kernel, cl_device_id device, const struct gg_done *done, char *text,
		    size_t size);

#endif /* HOST_OPENCL_FAULT_H */

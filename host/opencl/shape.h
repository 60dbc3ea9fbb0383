/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Sizes of grids: from work-items, global and local, to groups.
 */
#ifndef HOST_OPENCL_SHAPE_H
#define HOST_OPENCL_SHAPE_H

#include "host/opencl/kernel.h"

/** What is launched. */
struct shape {
	cl_uint dimensions;
	uint32_t offset[3];
	uint32_t groups[3];
	uint32_t items[3]; /* Of a group. */
	uint32_t edge[3];  /* Of the last one, if it has fewer; else 0. */
};

/** Checks sizes, and picks the local ones where the program leaves them to us.
 * @param local  NULL: the kernel's own size or, if it has none, what fits `global`.
 * @return CL_INVALID_WORK_DIMENSION, _GLOBAL_WORK_SIZE, _WORK_GROUP_SIZE, _WORK_ITEM_SIZE,
 * _GLOBAL_OFFSET. */
cl_int shape_make(cl_kernel kernel, cl_device_id device, cl_uint dimensions, const size_t *offset,
		  const size_t *global, const size_t *local, struct shape *shape);

#endif /* HOST_OPENCL_SHAPE_H */

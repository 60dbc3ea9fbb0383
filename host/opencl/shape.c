/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/shape.h"

#include <string.h>

#define ITEMS_LIKED 256u   /* Of a group, when we choose. */
#define GROUPS_MOST 65535u /* Along y and z. */
#define ITEM_MOST   1024u

/** The largest divisor of a size that is at most `most`. */
static size_t divisor(size_t size, size_t most)
{
	size_t found = most < size ? most : size;

	while (size % found != 0)
		found--;
	return found;
}

/** The same, or `most` where nothing large divides and the last group may be smaller: a small group costs less than many
 * groups. */
static size_t choose(size_t size, size_t most, bool edges)
{
	size_t found = divisor(size, most);

	found = edges && found < size && found < most / 2 ? most : found;
	return found > 0 ? found : 1;
}

/** Whether the last groups may be smaller than the others. */
static bool may_have_edges(cl_kernel kernel)
{
	return (kernel->info.flags & GG_KERNEL_EDGES) != 0;
}

/** Picks the local sizes. There should be some groups for each SM.
 * @param edges  They need not divide `global`. */
static void pick(const size_t global[3], size_t most, uint32_t sms, bool edges, size_t local[3])
{
	size_t total = global[0] * global[1] * global[2];
	size_t left = total / sms < most ? total / sms : most;

	left = left < ITEMS_LIKED ? left : ITEMS_LIKED;
	for (size_t i = 0; i < 3; i++) {
		local[i] = choose(global[i], left > 0 ? left : 1, edges);
		left /= local[i];
		/* As many groups as this are more than the device can number. */
		while (i > 0 && global[i] / local[i] > GROUPS_MOST && local[i] < global[i])
			local[i] = divisor(global[i], local[i] * 2);
	}
}

static cl_int check_local(cl_kernel kernel, cl_device_id device, const size_t global[3],
			  const size_t local[3])
{
	const bool fixed = (kernel->info.flags & GG_KERNEL_BLOCK_FIXED) != 0;
	size_t items = 1;

	for (size_t i = 0; i < 3; i++) {
		if (local[i] == 0)
			return CL_INVALID_WORK_GROUP_SIZE;
		if (local[i] > ITEM_MOST)
			return CL_INVALID_WORK_ITEM_SIZE;
		if ((global[i] % local[i] != 0 && !may_have_edges(kernel)) ||
		    (fixed && local[i] != kernel->info.block[i]))
			return CL_INVALID_WORK_GROUP_SIZE;
		items *= local[i];
	}
	return items <= kernel_most_items(kernel, device) ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}

/** Copies sizes to three dimensions. @return false: one is 0, or needs more than `bits` bits. */
static bool widen(cl_uint dimensions, const size_t *from, size_t to[3], uint32_t bits)
{
	for (cl_uint i = 0; i < 3; i++) {
		to[i] = i < dimensions ? from[i] : 1;
		if (to[i] == 0 || (bits < 64 && (uint64_t)to[i] >> bits != 0))
			return false;
	}
	return true;
}

static cl_int check_offset(cl_uint dimensions, const size_t *offset, const size_t global[3],
			   uint32_t bits, struct shape *shape)
{
	for (cl_uint i = 0; offset && i < dimensions; i++) {
		size_t most = bits < 64 ? UINT32_MAX : SIZE_MAX;

		/* A task has 32 bits for each. */
		if (offset[i] > UINT32_MAX || global[i] - 1 > most - offset[i])
			return CL_INVALID_GLOBAL_OFFSET;
		shape->offset[i] = (uint32_t)offset[i];
	}
	return CL_SUCCESS;
}

cl_int shape_make(cl_kernel kernel, cl_device_id device, cl_uint dimensions, const size_t *offset,
		  const size_t *global, const size_t *local, struct shape *shape)
{
	size_t all[3], group[3];
	uint32_t bits = device_xlen(device);
	cl_int error;

	memset(shape, 0, sizeof(*shape));
	if (dimensions < 1 || dimensions > 3)
		return CL_INVALID_WORK_DIMENSION;
	if (!global || !widen(dimensions, global, all, bits))
		return CL_INVALID_GLOBAL_WORK_SIZE;
	error = check_offset(dimensions, offset, all, bits, shape);
	if (error != CL_SUCCESS)
		return error;
	if (local) {
		if (!widen(dimensions, local, group, 64))
			return CL_INVALID_WORK_GROUP_SIZE;
	} else if (kernel->info.flags & GG_KERNEL_BLOCK_FIXED) {
		for (size_t i = 0; i < 3; i++)
			group[i] = kernel->info.block[i];
	} else {
		pick(all, kernel_most_items(kernel, device), device->info.sms,
		     may_have_edges(kernel), group);
	}
	error = check_local(kernel, device, all, group);
	if (error != CL_SUCCESS)
		return error;
	shape->dimensions = dimensions;
	for (size_t i = 0; i < 3; i++) {
		size_t edge = all[i] % group[i];
		size_t groups = all[i] / group[i] + (edge != 0);

		if (groups > (i == 0 ? UINT32_MAX : GROUPS_MOST))
			return CL_INVALID_GLOBAL_WORK_SIZE;
		shape->groups[i] = (uint32_t)groups;
		shape->items[i] = (uint32_t)group[i];
		shape->edge[i] = (uint32_t)edge;
	}
	return CL_SUCCESS;
}

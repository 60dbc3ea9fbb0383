/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/shape.h"

#include <stdio.h>
#include <string.h>

#define ITEMS_LIKED 256u /* Of a group, when we choose. */
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

/** Says to the context what a task of the device has no bits for: the standard has no limit there, and the code alone
 * would leave a program without a clue.
 * @param what  With its verb.  @param instead  What the program can do. */
static void tell_limit(cl_kernel kernel, size_t asked, const char *what, cl_uint axis,
		       uint32_t most, const char *instead)
{
	char text[384];

	(void)snprintf(
		text, sizeof(text),
		"Kernel %s was refused: %zu %s along %c, and %u is the most that a task has: %s.",
		kernel->info.name, asked, what, (char)('x' + axis), most, instead);
	context_tell(kernel->program->context, text);
}

static cl_int check_offset(cl_kernel kernel, cl_uint dimensions, const size_t *offset,
			   const size_t global[3], uint32_t bits, struct shape *shape)
{
	for (cl_uint i = 0; offset && i < dimensions; i++) {
		size_t most = bits < 64 ? UINT32_MAX : SIZE_MAX;

		if (offset[i] > most || global[i] - 1 > most - offset[i])
			return CL_INVALID_GLOBAL_OFFSET;
		if (offset[i] > UINT32_MAX) {
			tell_limit(kernel, offset[i], "is the global offset", i, UINT32_MAX,
				   "pass the rest of it as an argument");
			return CL_INVALID_GLOBAL_OFFSET;
		}
		shape->offset[i] = (uint32_t)offset[i];
	}
	return CL_SUCCESS;
}

static cl_int too_many(cl_kernel kernel, size_t groups, cl_uint axis, uint32_t most)
{
	tell_limit(kernel, groups, "are the work-groups", axis, most, "take larger ones");
	return CL_INVALID_GLOBAL_WORK_SIZE;
}

/** A grid that is folded has as many groups in all as another one has along x. */
static cl_int check_folded(cl_kernel kernel, const uint32_t groups[3])
{
	for (cl_uint i = 1; i < 3; i++) {
		uint64_t others = (uint64_t)groups[0] * groups[3 - i];

		if (groups[i] > UINT16_MAX && others > UINT32_MAX / groups[i])
			return too_many(kernel, groups[i], i, (uint32_t)(UINT32_MAX / others));
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
	error = check_offset(kernel, dimensions, offset, all, bits, shape);
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

		if (groups > UINT32_MAX)
			return too_many(kernel, groups, (cl_uint)i, UINT32_MAX);
		shape->groups[i] = (uint32_t)groups;
		shape->items[i] = (uint32_t)group[i];
		shape->edge[i] = (uint32_t)edge;
	}
	return check_folded(kernel, shape->groups);
}

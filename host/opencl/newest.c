/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/newest.h"

#include <stdlib.h>

#define BOUNCE_BYTES ((size_t)1 << 20)

bool newest_begin(struct newest *newest, size_t size)
{
	newest->parts = calloc(1, sizeof(*newest->parts));
	newest->count = 1;
	if (newest->parts)
		newest->parts[0].end = size;
	return newest->parts != NULL;
}

void newest_end(struct newest *newest)
{
	free(newest->parts);
}

static size_t lower(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t upper(size_t a, size_t b)
{
	return a > b ? a : b;
}

/** Copies bytes of a buffer from one device to another. */
static cl_int move(const uint64_t *addresses, cl_device_id from, cl_device_id to, size_t first,
		   size_t end)
{
	size_t step = lower(end - first, BOUNCE_BYTES);
	uint8_t *bounce = malloc(step);
	cl_int error = bounce ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	for (size_t at = first; error == CL_SUCCESS && at < end; at += step) {
		size_t bytes = lower(end - at, step);

		error = device_read(from, addresses[from->index] + at, bounce, bytes);
		if (error == CL_SUCCESS)
			error = device_write(to, addresses[to->index] + at, bounce, bytes);
	}
	free(bounce);
	return error;
}

/** Whether a device has all of a part. */
static bool has(const struct newest *newest, cl_device_id device, size_t first, size_t end)
{
	size_t at = 0;

	for (size_t i = 0; i < newest->count; at = newest->parts[i++].end) {
		if (at < end && newest->parts[i].end > first && newest->parts[i].device != device)
			return false;
	}
	return true;
}

/** Adds a part behind the last one, or makes that one longer. */
static void add(struct newest *to, size_t end, cl_device_id device)
{
	if (to->count > 0 && to->parts[to->count - 1].device == device)
		to->count--;
	to->parts[to->count++] = (struct newest_part){ end, device };
}

cl_int newest_bring(struct newest *newest, const uint64_t *addresses, cl_device_id device,
		    size_t first, size_t end)
{
	struct newest next = { NULL, 0 };
	cl_int error = CL_SUCCESS;
	size_t at = 0;

	if (has(newest, device, first, end))
		return CL_SUCCESS;
	next.parts =
		calloc(newest->count + 2, sizeof(*next.parts)); /* One becomes three at most. */
	if (!next.parts)
		return CL_OUT_OF_HOST_MEMORY;
	for (size_t i = 0; error == CL_SUCCESS && i < newest->count; at = newest->parts[i++].end) {
		const struct newest_part *part = &newest->parts[i];

		if (at < first)
			add(&next, lower(part->end, first), part->device);
		if (at < end && part->end > first) {
			if (part->device && part->device != device)
				error = move(addresses, part->device, device, upper(at, first),
					     lower(part->end, end));
			add(&next, lower(part->end, end), device);
		}
		if (part->end > end)
			add(&next, part->end, part->device);
	}
	if (error == CL_SUCCESS) {
		free(newest->parts);
		*newest = next;
	} else {
		free(next.parts);
	}
	return error;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/shared.h"

#include <stdlib.h>

struct piece {
	cl_context context; /* A reference. */
	cl_device_id device;
	uint8_t *pointer;
	size_t bytes;
	struct piece *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* Of the list. */
static struct piece *first;

cl_device_id shared_device(cl_context context)
{
	for (cl_uint i = 0; i < context->device_count; i++) {
		if (device_shares_pointers(context->devices[i]))
			return context->devices[i];
	}
	return NULL;
}

void *shared_alloc(cl_context context, size_t bytes)
{
	cl_device_id device = shared_device(context);
	struct piece *piece = device ? malloc(sizeof(*piece)) : NULL;
	uint64_t address;

	if (!piece)
		return NULL;
	if (bytes > device_most_bytes(device) ||
	    device_alloc(device, bytes, &address) != CL_SUCCESS) {
		free(piece);
		return NULL;
	}
	piece->context = object_hold(context);
	piece->device = device;
	piece->pointer = device_view(device, address);
	piece->bytes = bytes;
	(void)pthread_mutex_lock(&lock);
	piece->next = first;
	first = piece;
	(void)pthread_mutex_unlock(&lock);
	return piece->pointer;
}

void shared_free(cl_context context, void *pointer)
{
	struct piece **link = &first;
	struct piece *piece;

	(void)pthread_mutex_lock(&lock);
	while (*link && ((*link)->pointer != pointer || (*link)->context != context))
		link = &(*link)->next;
	piece = *link;
	if (piece)
		*link = piece->next;
	(void)pthread_mutex_unlock(&lock);
	if (!piece)
		return;
	device_free(piece->device, (uintptr_t)piece->pointer);
	object_drop(piece->context);
	free(piece);
}

bool shared_has(cl_context context, const void *pointer, size_t bytes)
{
	const uint8_t *begin = pointer;
	bool found = false;

	(void)pthread_mutex_lock(&lock);
	for (const struct piece *piece = first; piece && !found; piece = piece->next)
		found = piece->context == context && begin >= piece->pointer &&
			begin < piece->pointer + piece->bytes &&
			bytes <= (size_t)(piece->pointer + piece->bytes - begin);
	(void)pthread_mutex_unlock(&lock);
	return found;
}

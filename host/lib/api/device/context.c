/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts, which are parts of the device's heap with their modules. */
#include <stdlib.h>

#include "host/lib/core/failure.h"
#include "host/lib/core/heap.h"
#include "host/lib/mailbox/context.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/room.h"
#include "host/lib/mailbox/settle.h"

#define CONTEXT_ALIGN 4096u

/** Takes a piece of the device's heap for a context. The lock is held. */
static enum gg_status context_place(struct context *context, uint64_t bytes)
{
	struct device *device = context->device;
	enum gg_status status;

	if (bytes == 0)
		bytes = heap_largest(&device->heap) / 2;
	if (bytes > UINT64_MAX - CONTEXT_ALIGN || bytes < CONTEXT_ALIGN)
		bytes = bytes < CONTEXT_ALIGN ? CONTEXT_ALIGN : bytes - CONTEXT_ALIGN;
	bytes = (bytes + CONTEXT_ALIGN - 1) / CONTEXT_ALIGN * CONTEXT_ALIGN;
	status = heap_take(&device->heap, bytes, CONTEXT_ALIGN, &context->start);
	if (status != GG_OK)
		return room_failure(device, NULL, bytes, CONTEXT_ALIGN, "a context");
	context->bytes = bytes;
	status = heap_add(&context->heap, context->start, bytes);
	if (status != GG_OK) {
		(void)heap_give(&device->heap, context->start);
		return failure_status(status);
	}
	context->number = device->next_context++;
	context->next = device->contexts;
	device->contexts = context;
	return GG_OK;
}

static enum gg_status context_create(struct device *device, uint64_t bytes,
				     struct context **context)
{
	struct context *made = calloc(1, sizeof(*made));
	enum gg_status status;

	if (!made)
		return failure_status(GG_ERR_NO_MEMORY);
	made->device = device;
	made->handle = handle_make(&context_handles, made, device->handle);
	status = made->handle ? context_place(made, bytes) : failure_status(GG_ERR_NO_MEMORY);
	if (status == GG_OK) {
		*context = made;
	} else {
		handle_drop(made->handle);
		free(made);
	}
	return status;
}

enum gg_status gg_context_create(struct gg_device *handle, uint64_t bytes,
				 struct gg_context **context)
{
	USE_DEVICE(device, handle);
	NEEDS(context);

	enum gg_status status = settle(device);
	struct context *made = NULL;

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	status = context_create(device, bytes, &made);
	(void)pthread_mutex_unlock(&device->lock);
	if (made)
		*context = made->handle;
	return status;
}

enum gg_status gg_context_default(struct gg_device *handle, struct gg_context **context)
{
	USE_DEVICE(device, handle);
	NEEDS(context);

	enum gg_status status = settle(device);

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	if (!device->standard)
		status = context_create(device, 0, &device->standard);
	if (device->standard)
		*context = device->standard->handle;
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

enum gg_status gg_context_destroy(struct gg_context *handle)
{
	USE_CONTEXT(context, handle);

	return idle_release(&context_use, context->device, &context->running, "context");
}

enum gg_status gg_context_info(struct gg_context *handle, uint32_t *number, uint64_t *heap,
			       uint64_t *bytes, uint64_t *free_bytes)
{
	USE_CONTEXT(context, handle);
	NEEDS(number, heap, bytes, free_bytes);

	(void)pthread_mutex_lock(&context->device->lock);
	*number = context->number;
	*heap = context->start;
	*bytes = context->bytes;
	*free_bytes = heap_free_bytes(&context->heap);
	(void)pthread_mutex_unlock(&context->device->lock);
	return GG_OK;
}

enum gg_status gg_alloc(struct gg_context *handle, uint64_t bytes, uint64_t align,
			uint64_t *address)
{
	USE_CONTEXT(context, handle);
	NEEDS(address);

	enum gg_status status;

	align = align ? align : 64;
	if ((align & (align - 1)) != 0)
		return failure_set(GG_ERR_ARGUMENT, "align", align,
				   "The alignment is not a power of two");
	(void)pthread_mutex_lock(&context->device->lock);
	status = heap_take(&context->heap, bytes, align, address);
	if (status != GG_OK)
		status = room_failure(context->device, context, bytes, align, "a buffer");
	(void)pthread_mutex_unlock(&context->device->lock);
	return status;
}

/** Whether there is a module at an address of a context. The lock is held. */
static bool module_is_at(const struct context *context, uint64_t address)
{
	const struct module *module = context->modules;

	while (module && module->base != address)
		module = module->next;
	return module != NULL;
}

enum gg_status gg_free(struct gg_context *handle, uint64_t address)
{
	USE_CONTEXT(context, handle);

	enum gg_status status = GG_OK;

	(void)pthread_mutex_lock(&context->device->lock);
	if (module_is_at(context, address))
		status = GG_ERR_ARGUMENT;
	else
		status = heap_give(&context->heap, address);
	(void)pthread_mutex_unlock(&context->device->lock);
	if (status != GG_OK)
		return failure_set(status, "address", address,
				   "gg_alloc() did not give this address, or it was freed before");
	return GG_OK;
}

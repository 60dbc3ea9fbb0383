/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/room.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/lib/core/failure.h"
#include "host/lib/core/heap.h"

#define HOLDERS_BYTES 128u

/** Who has the memory of the device: its contexts, and the jobs of tasks. */
static void device_holders(const struct device *device, char *text, size_t size)
{
	const struct context *largest = device->contexts;
	const struct context *context;
	uint64_t held = 0;
	uint64_t all = heap_taken_bytes(&device->heap);
	uint32_t count = 0;

	for (context = device->contexts; context; context = context->next) {
		count++;
		held += context->bytes;
		if (context->bytes > largest->bytes)
			largest = context;
	}
	if (largest)
		(void)snprintf(text, size,
			       "%" PRIu32 " contexts hold %" PRIu64 ", the largest, %" PRIu32
			       ", %" PRIu64 "; tasks hold %" PRIu64,
			       count, held, largest->number, largest->bytes, all - held);
	else
		(void)snprintf(text, size, "there is no context; tasks hold %" PRIu64, all);
}

/** Who has the memory of a context: buffers, modules and jobs. */
static void context_holders(const struct context *context, char *text, size_t size)
{
	const struct module *module;
	uint32_t modules = 0;

	for (module = context->modules; module; module = module->next)
		modules++;
	(void)snprintf(text, size,
		       "%zu pieces hold %" PRIu64 ", of them modules %" PRIu32
		       ", and it has %" PRIu32 " tasks on their way",
		       context->heap.taken.count, heap_taken_bytes(&context->heap), modules,
		       context->running);
}

enum gg_status room_failure(const struct device *device, const struct context *context,
			    uint64_t bytes, uint64_t align, const char *what)
{
	const struct heap *heap = context ? &context->heap : &device->heap;
	const uint64_t largest = heap_largest(heap);
	char holders[HOLDERS_BYTES];
	char owner[32] = "the device";

	if (largest >= bytes && largest - bytes >= align)
		return failure_set(GG_ERR_NO_MEMORY, "bytes", bytes,
				   "The device has room for %s of %" PRIu64
				   " bytes, but this process has no memory left to note it",
				   what, bytes);
	if (context) {
		(void)snprintf(owner, sizeof(owner), "context %" PRIu32, context->number);
		context_holders(context, holders, sizeof(holders));
	} else {
		device_holders(device, holders, sizeof(holders));
	}
	return failure_set(GG_ERR_NO_MEMORY, "bytes", bytes,
			   "No room for %s: %" PRIu64 " bytes are wanted, %s has %" PRIu64
			   " free, %" PRIu64 " in one piece; %s",
			   what, bytes, owner, heap_free_bytes(heap), largest, holders);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/context.h"

#include <stdlib.h>

#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/heap.h"
#include "host/lib/core/kernel_list.h"
#include "host/lib/mailbox/memory.h"
#include "host/lib/mailbox/pump.h"

#define ALONE_MS 1000u /* for the other calls that use what is to be released */
#define NAP_MS   1u

void module_free(struct module *module)
{
	kernel_list_clear(&module->list);
	free(module);
}

/** Lets go of a context or module whose tasks are still on their way: the device is being closed, and
 * a call of another thread, which still uses it, may see them end. */
static void tasks_forget(struct device *device, const struct context *context,
			 const struct module *module)
{
	for (uint32_t i = 0; i < device->flight.chains; i++) {
		for (struct task *task = device->flight.at[i].first; task; task = task->next) {
			if (module && task->module == module)
				task->module = NULL;
			if (context && task->context == context) {
				task->context = NULL;
				task->piece = 0; /* of the context's heap */
			}
		}
	}
}

static void module_end(void *what)
{
	struct module *module = what;
	struct context *context = module->context;
	struct module **link = &context->modules;

	(void)pthread_mutex_lock(&context->device->lock);
	while (*link != module)
		link = &(*link)->next;
	*link = module->next;
	(void)heap_give(&context->heap, module->base);
	if (module->running > 0)
		tasks_forget(context->device, NULL, module);
	(void)pthread_mutex_unlock(&context->device->lock);
	module_free(module);
}

const struct handle_type module_handles = { .kind = HANDLE_MODULE, .end = module_end };

static void unlink_context(struct device *device, const struct context *context)
{
	struct context **link = &device->contexts;

	while (*link != context)
		link = &(*link)->next;
	*link = context->next;
	if (device->standard == context)
		device->standard = NULL;
}

/** Clears what was ever allocated in a context. */
static void context_wipe(const struct context *context)
{
	const uint64_t high = context->heap.high;

	if (high > 0)
		(void)memory_clear(context->device, context->start, high - context->start);
}

static void context_end(void *what)
{
	struct context *context = what;
	struct device *device = context->device;

	(void)pthread_mutex_lock(&device->lock);
	unlink_context(device, context);
	/* The next context must not read what this one wrote. A device that is private ends itself. When
	 * another one is closed, tasks may still run in the context: they are not disturbed. */
	if (!(device->closed && device->fresh) && context->running == 0)
		context_wipe(context);
	if (context->running > 0)
		tasks_forget(device, context, NULL);
	(void)heap_give(&device->heap, context->start);
	(void)pthread_mutex_unlock(&device->lock);
	heap_clear(&context->heap);
	free(context);
}

const struct handle_type context_handles = { .kind = HANDLE_CONTEXT, .end = context_end };

enum gg_status idle_release(struct handle_use *use, struct device *device, const uint32_t *running,
			    const char *name)
{
	const uint64_t deadline = deadline_after(ALONE_MS);
	enum gg_status status = GG_ERR_TIMEOUT;

	for (;;) {
		uint32_t tasks;

		(void)pthread_mutex_lock(&device->lock);
		pump_drain(device);
		tasks = *running;
		if (tasks == 0)
			status = handle_release_alone(use);
		(void)pthread_mutex_unlock(&device->lock);
		if (status == GG_OK)
			return GG_OK;
		if (tasks > 0)
			return failure_set(GG_ERR_BUSY, "tasks", tasks, "%u tasks of the %s run",
					   tasks, name);
		if (status == GG_ERR_BUSY || deadline_left(deadline, 1) == 0)
			return failure_set(GG_ERR_BUSY, "calls", 1,
					   "Another call uses or releases the %s just now", name);
		deadline_nap(NAP_MS);
	}
}

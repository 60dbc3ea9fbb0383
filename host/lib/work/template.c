/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/template.h"

#include "host/lib/core/failure.h"
#include "host/lib/core/heap.h"
#include "host/lib/work/lists.h"

enum gg_status template_create(const struct gg_work *work, struct job *job)
{
	struct gg_context *context = job_context(work);
	struct gg_device *device;
	enum gg_status status;

	if (!context)
		return failure_set(GG_ERR_ARGUMENT, "module", 0, "The work has no module");
	device = context->device;
	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	(void)pthread_mutex_lock(&device->lock);
	status = lists_check(device, work);
	if (status == GG_OK)
		status = job_create(device, work, true, job);
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

/** The context that an address lies in, or NULL. */
static struct gg_context *context_at(const struct gg_device *device, uint64_t address)
{
	struct gg_context *context = device->contexts;

	while (context && (address < context->start || address - context->start >= context->bytes))
		context = context->next;
	return context;
}

enum gg_status template_destroy(struct gg_device *device, uint64_t address)
{
	struct gg_context *context;
	enum gg_status status = GG_ERR_ARGUMENT;

	(void)pthread_mutex_lock(&device->lock);
	context = context_at(device, address);
	if (context)
		status = heap_give(&context->heap, address);
	(void)pthread_mutex_unlock(&device->lock);
	if (status != GG_OK)
		return failure_set(status, "address", address,
				   "gg_tmd_create() did not give this address");
	return GG_OK;
}

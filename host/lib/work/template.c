/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/template.h"

#include "host/lib/core/failure.h"
#include "host/lib/core/heap.h"

enum gg_status template_create(const struct request *request, struct job *job)
{
	struct device *device = request->device;
	enum gg_status status;

	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	(void)pthread_mutex_lock(&device->lock);
	status = job_create(request, true, job);
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

enum gg_status template_create_of(const struct gg_work *work, struct job *job)
{
	struct request request;
	enum gg_status status = request_open(&request, work);

	if (status != GG_OK)
		return status;
	status = template_create(&request, job);
	request_close(&request);
	return status;
}

/** The context that an address lies in, or NULL. */
static struct context *context_at(const struct device *device, uint64_t address)
{
	struct context *context = device->contexts;

	while (context && (address < context->start || address - context->start >= context->bytes))
		context = context->next;
	return context;
}

enum gg_status template_destroy(struct device *device, uint64_t address)
{
	struct context *context;
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

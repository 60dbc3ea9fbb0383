/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/request.h"

#include "host/lib/core/failure.h"

/** Enters a handle. @return what is behind it, or NULL: the failure is set. */
static void *enter(struct request *request, enum handle_kind kind, const void *handle,
		   enum gg_status *status)
{
	struct handle_use *use = &request->use[request->uses];

	*use = handle_enter(kind, handle);
	*status = use->status;
	request->uses += use->object != NULL;
	return use->object;
}

static enum gg_status enter_owner(struct request *request)
{
	const struct gg_work *work = request->work;
	enum gg_status status;

	if (work->module) {
		request->module = enter(request, HANDLE_MODULE, work->module, &status);
		if (request->module)
			request->context = request->module->context;
	} else if (work->context) {
		request->context = enter(request, HANDLE_CONTEXT, work->context, &status);
	} else {
		status = failure_set(GG_ERR_ARGUMENT, "module", 0,
				     "The work has neither a module nor a context");
	}
	if (request->context)
		request->device = request->context->device;
	return status;
}

static enum gg_status enter_task(struct request *request, const struct gg_task *handle,
				 const char *list, uint32_t index, struct task **task)
{
	enum gg_status status;

	*task = enter(request, HANDLE_TASK, handle, &status);
	if (!*task)
		return status;
	if ((*task)->device != request->device)
		return failure_set(GG_ERR_HANDLE, list, index,
				   "Entry %u of the list `%s` is a task of another device", index,
				   list);
	if ((*task)->address == 0)
		return failure_set(GG_ERR_ARGUMENT, list, index,
				   "Entry %u of the list `%s` is not a task", index, list);
	return GG_OK;
}

static enum gg_status check_lists(const struct gg_work *work)
{
	const struct {
		const char *name;
		const void *entries;
		uint32_t count;
		uint32_t most;
	} lists[] = {
		{ "arguments", work->arguments, work->argument_count, UINT32_MAX },
		{ "affinity", work->affinity, work->affinity_count, UINT32_MAX },
		{ "memory", work->memory, work->memory_count, UINT32_MAX },
		{ "after", work->after, work->after_count, GG_DEPENDENCES_MAX },
		{ "dependents", work->dependents, work->dependent_count, GG_DEPENDENCES_MAX },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const char *name = lists[i].name;
		const uint32_t count = lists[i].count;

		if (count > lists[i].most)
			return failure_set(GG_ERR_ARGUMENT, name, count,
					   "The list `%s` has %u entries, at most %u", name, count,
					   lists[i].most);
		if (count > 0 && !lists[i].entries)
			return failure_set(GG_ERR_ARGUMENT, name, count,
					   "The list `%s` has %u entries, but is NULL", name,
					   count);
	}
	return GG_OK;
}

static enum gg_status enter_lists(struct request *request)
{
	const struct gg_work *work = request->work;
	enum gg_status status = check_lists(work);

	for (uint32_t i = 0; status == GG_OK && i < work->after_count; i++)
		status = enter_task(request, work->after[i], "after", i, &request->after[i]);
	for (uint32_t i = 0; status == GG_OK && i < work->dependent_count; i++) {
		const struct gg_task *handle = work->dependents[i].task;

		request->dependents[i] = NULL;
		if (handle)
			status = enter_task(request, handle, "dependents", i,
					    &request->dependents[i]);
	}
	return status;
}

enum gg_status request_open(struct request *request, const struct gg_work *work)
{
	enum gg_status status;

	request->work = work;
	request->context = NULL;
	request->module = NULL;
	request->folded = NULL;
	request->uses = 0;
	if (!work)
		return failure_set(GG_ERR_ARGUMENT, "work", 0, "There is no work");
	status = enter_owner(request);
	if (status == GG_OK)
		status = enter_lists(request);
	if (status != GG_OK)
		request_close(request);
	return status;
}

enum gg_status request_kernel(const struct request *request, const struct device *device,
			      const struct kernel **kernel)
{
	const uint32_t number = request->work->kernel;

	if (request->device != device)
		return failure_set(GG_ERR_HANDLE, "module", 0,
				   "The kernel is of another device than the graph");
	if (!request->module || number >= request->module->list.facts.kernels)
		return failure_set(GG_ERR_KERNEL_NAME, "kernel", number,
				   "The work has no kernel of a module");
	*kernel = request->folded ? request->folded : &request->module->list.kernels[number];
	return GG_OK;
}

void request_close(struct request *request)
{
	while (request->uses > 0)
		handle_leave(&request->use[--request->uses]);
}

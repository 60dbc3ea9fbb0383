/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/fold.h"

#include <stdlib.h>
#include <string.h>

#include "host/lib/core/failure.h"
#include "host/lib/work/arguments.h"

bool fold_is_due(const struct gg_work *work)
{
	return (work->flags & GG_WORK_FOLD) != 0 &&
	       (work->grid[1] > UINT16_MAX || work->grid[2] > UINT16_MAX);
}

/** The CTAs of a grid, or 0: too many, or none. */
static uint32_t ctas_of(const uint32_t grid[3])
{
	uint64_t ctas = (uint64_t)grid[0] * grid[1];

	if (ctas > UINT32_MAX || ctas * grid[2] > UINT32_MAX)
		return 0;
	return (uint32_t)ctas * grid[2];
}

static enum gg_status check(const struct gg_work *work, const struct request *request,
			    const struct kernel *kernel)
{
	if (request->module->list.fold == 0)
		return failure_set(
			GG_ERR_UNSUPPORTED, "grid", work->grid[1],
			"Kernel %s cannot have more than %u CTAs along y or z, since its "
			"module is not of OpenCL C, or of an older ganger-cc",
			kernel->name, UINT16_MAX);
	if (ctas_of(work->grid) == 0)
		return failure_set(
			GG_ERR_GRID_OVERFLOW, "grid", work->grid[1],
			"A grid with more than %u CTAs along y or z has at most 2^32 - 1 "
			"in all, and 1 along each axis",
			UINT16_MAX);
	return arguments_count(kernel, work->argument_count);
}

static void fill_words(struct ggk_fold *words, const struct gg_work *work, uint64_t entry)
{
	bool edges = (work->edge[0] | work->edge[1] | work->edge[2]) != 0;

	for (uint32_t axis = 0; axis < 3; axis++) {
		uint32_t block = work->block[axis], last = work->edge[axis];

		words->grid[axis] = work->grid[axis];
		words->edge[axis] = edges ? block | (last ? last : block) << 16 : 0;
	}
	words->entry = entry;
}

/** The kernel with `words` before its arguments. @return false: there is no memory. */
static bool fill_kernel(struct fold *fold, const struct kernel *kernel)
{
	const uint32_t bytes = sizeof(fold->words), count = kernel->parameters;
	struct gg_parameter *parameters = calloc(count + 1, sizeof(*parameters));

	fold->kernel = *kernel;
	fold->kernel.parameter = parameters;
	fold->arguments = calloc(count + 1, sizeof(*fold->arguments));
	if (!parameters || !fold->arguments)
		return false;
	parameters[0].kind = GG_ARGUMENT_VALUE;
	parameters[0].bytes = bytes;
	fold->arguments[0] = (struct gg_argument){ .kind = GG_ARGUMENT_VALUE,
						   .bytes = bytes,
						   .data = &fold->words };
	for (uint32_t i = 0; i < count; i++) {
		parameters[i + 1] = kernel->parameter[i];
		parameters[i + 1].offset += bytes;
		if (fold->work.arguments)
			fold->arguments[i + 1] = fold->work.arguments[i];
	}
	fold->kernel.parameters++;
	fold->kernel.argument_bytes += bytes;
	return true;
}

enum gg_status fold_begin(struct fold *fold, const struct request *request)
{
	static const uint32_t one[3] = { 1, 1, 1 };
	const struct gg_work *work = request->work;
	const struct kernel *kernel;
	enum gg_status status;

	memset(fold, 0, sizeof(*fold));
	status = request_kernel(request, request->device, &kernel);
	if (status == GG_OK)
		status = check(work, request, kernel);
	if (status != GG_OK)
		return status;
	fold->request = *request;
	fold->work = *work;
	if (!fill_kernel(fold, kernel))
		return failure_status(GG_ERR_NO_MEMORY);
	fill_words(&fold->words, work, request->module->base + kernel->entry);
	fold->kernel.entry = request->module->list.fold;
	memcpy(fold->work.grid, one, sizeof(one));
	fold->work.grid[0] = ctas_of(work->grid);
	memset(fold->work.edge, 0, sizeof(fold->work.edge));
	fold->work.arguments = fold->arguments;
	fold->work.argument_count++;
	fold->request.work = &fold->work;
	fold->request.folded = &fold->kernel;
	return GG_OK;
}

void fold_end(struct fold *fold)
{
	free(fold->kernel.parameter);
	free(fold->arguments);
}

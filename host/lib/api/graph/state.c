/* SPDX-License-Identifier: Apache-2.0 */
/* States of graph programs, which are TMDs without addresses; and graphs that the device keeps. */
#include <string.h>

#include "firmware/abi/field.h"
#include "host/common/local.h"
#include "host/include/ganger_graph.h"
#include "host/lib/core/build_folder.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/command.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/work/range_words.h"
#include "host/lib/work/request.h"
#include "host/lib/work/tmd.h"

#define PATH_MAX_  4096
#define MOVE_BLOCK 64u /* threads of a CTA that copies or fills */

/** Refuses what a state cannot have because it needs memory of its own or belongs to the whole
 * graph. */
static enum gg_status check_state(const struct gg_work *work)
{
	const struct {
		const char *name;
		uint32_t count;
	} parts[] = {
		{ "affinity", work->affinity_count },
		{ "windows", work->memory_count },
		{ "after", work->after_count },
		{ "dependents", work->dependent_count + work->dependence_count },
		{ "prints", work->print_bytes },
		{ "range", work->range != NULL },
		{ "part", work->first_cta != 0 || work->ctas != 0 },
		{ "semaphores", work->semaphores[0].op + work->semaphores[1].op },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].count > 0)
			return failure_set(GG_ERR_ARGUMENT, parts[i].name, parts[i].count,
					   "A state of a graph has no %s", parts[i].name);
	}
	return range_check(work);
}

/** Bytes of shared memory of a CTA, counted as in arguments_pack(). */
static uint64_t shared_bytes(const struct gg_work *work, const struct kernel *kernel)
{
	uint64_t bytes = kernel->shared_bytes;

	for (uint32_t i = 0; i < work->argument_count; i++) {
		if (work->arguments[i].kind != GG_ARGUMENT_LOCAL)
			continue;
		bytes = local_start(bytes, work->arguments[i].bytes) + work->arguments[i].bytes;
	}
	return bytes;
}

static enum gg_status make_state(const struct request *request, struct gg_tmd *state)
{
	const struct kernel *kernel;
	uint64_t shared;
	enum gg_status status = request_kernel(request, request->device, &kernel);

	if (status == GG_OK)
		status = check_state(request->work);
	if (status != GG_OK)
		return status;
	shared = shared_bytes(request->work, kernel);
	if (shared > UINT32_MAX)
		return failure_set(GG_ERR_ARGUMENT, "local", shared,
				   "No SM has so much shared memory");
	return tmd_fill(state, request, kernel, (uint32_t)shared);
}

enum gg_status gg_graph_state(const struct gg_work *work, struct gg_tmd *state)
{
	NEEDS(work, state);

	struct request request;
	enum gg_status status = request_open(&request, work);

	if (status != GG_OK)
		return status;
	status = make_state(&request, state);
	request_close(&request);
	return status;
}

/** The module that copies and fills, loaded once into each context. */
static enum gg_status move_module(struct context *context, struct gg_module **module)
{
	char folder[PATH_MAX_];
	char path[PATH_MAX_];
	enum gg_status status;
	bool narrow = context->device->cap.xlen == 32;

	(void)pthread_mutex_lock(&context->device->lock);
	*module = context->graph_moves;
	(void)pthread_mutex_unlock(&context->device->lock);
	if (*module)
		return GG_OK;
	status = build_folder(NULL, folder, sizeof(folder));
	if (status == GG_OK)
		status = build_path(
			folder, narrow ? "kernels/rv32/graph_move.elf" : "kernels/graph_move.elf",
			path, sizeof(path));
	if (status == GG_OK)
		status = gg_module_load(context->handle, path, module);
	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&context->device->lock);
	context->graph_moves = *module;
	(void)pthread_mutex_unlock(&context->device->lock);
	return GG_OK;
}

static enum gg_status move_state(struct gg_module *module, const char *name, struct gg_tmd *state)
{
	struct gg_work work = {
		.module = module,
		.dimensions = 1,
		.grid = { 1, 1, 1 },
		.block = { MOVE_BLOCK, 1, 1 },
	};
	enum gg_status status = gg_kernel_find(module, name, &work.kernel);

	return status == GG_OK ? gg_graph_state(&work, state) : status;
}

enum gg_status gg_graph_moves(struct gg_context *handle, struct gg_tmd *copy, struct gg_tmd *fill)
{
	USE_CONTEXT(context, handle);
	NEEDS(copy, fill);

	struct gg_module *module;
	enum gg_status status = move_module(context, &module);

	if (status == GG_OK)
		status = move_state(module, "graph_copy", copy);
	if (status == GG_OK)
		status = move_state(module, "graph_fill", fill);
	return status;
}

enum gg_status gg_graph_keep(const struct gg_work *work, uint32_t timeout_ms, uint32_t *handle)
{
	NEEDS(work, handle);

	struct gg_graph_run run;
	struct gg_work kept;
	struct gg_done done;
	struct gg_task *task;
	enum gg_status status;

	if (!work->graph)
		return failure_set(GG_ERR_ARGUMENT, "graph", 0, "The work has no graph");
	kept = *work;
	run = *work->graph;
	run.keep = 1;
	kept.graph = &run;
	status = gg_submit(&kept, timeout_ms, &task);
	if (status != GG_OK)
		return status;
	status = gg_task_wait(task, timeout_ms, &done);
	(void)gg_task_release(task);
	if (status == GG_OK)
		*handle = (uint32_t)done.value;
	return status;
}

enum gg_status gg_graph_free(struct gg_device *owner, uint32_t handle, uint32_t timeout_ms)
{
	USE_DEVICE(device, owner);

	struct gg_raw raw = {
		.channel = control_channel(device, 0),
		.opcode = GG_OPCODE_GRAPH,
		.argument = { 0, handle, GG_GRAPH_ACTION_FREE },
	};
	uint64_t value;

	return command_call(device, &raw, timeout_ms, &value);
}

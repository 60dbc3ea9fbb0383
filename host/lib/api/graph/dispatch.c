/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatches of kernels in a graph under construction: adds their states, and steps that make their
 * argument blocks word by word. */
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "host/common/local.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/work/arguments.h"
#include "host/lib/work/fold.h"
#include "host/lib/work/graph_build.h"
#include "host/lib/work/request.h"

#define WORD      4u
#define BLOCK_MAX 256u /* bytes of an argument block */

/** An argument block under construction. */
struct block {
	uint8_t bytes[BLOCK_MAX];                   /* the constant words */
	uint32_t at;                                /* bytes that have steps already */
	uint64_t shared;                            /* bytes of shared memory so far */
	struct gg_argument local[BLOCK_MAX / WORD]; /* each has a word at least */
	uint32_t locals;
};

static enum gg_status wrong(const struct kernel *kernel, uint32_t index)
{
	return failure_set(GG_ERR_ARGUMENT_SIZE, "argument", index,
			   "Argument %u of kernel %s, of %u bytes, is of another kind; or it is "
			   "not constant, and has neither 4 nor 8 bytes",
			   index, kernel->name, kernel->parameter[index].bytes);
}

/** Adds steps for the constant words up to an offset of the block. */
static enum gg_status constants(struct graph *graph, struct block *block, uint32_t until)
{
	enum gg_status status = GG_OK;

	for (; status == GG_OK && block->at < until; block->at += WORD) {
		uint32_t word;

		memcpy(&word, block->bytes + block->at, sizeof(word));
		status = graph_step(graph, GG_GRAPH_OP_CONST, graph_abc(0, 0, WORD), word);
	}
	return status;
}

static enum gg_status put_constant(struct block *block, const struct kernel *kernel, uint32_t index,
				   const struct gg_argument *argument)
{
	const struct gg_parameter *parameter = &kernel->parameter[index];

	if (argument->kind == GG_ARGUMENT_LOCAL && parameter->kind == GG_ARGUMENT_LOCAL) {
		uint64_t start = local_start(block->shared, argument->bytes);

		memcpy(block->bytes + parameter->offset, &start, parameter->bytes);
		block->shared = start + argument->bytes;
		block->local[block->locals++] = *argument;
		return GG_OK;
	}
	if (argument->kind == GG_ARGUMENT_LOCAL || parameter->kind == GG_ARGUMENT_LOCAL ||
	    !argument->data || argument->bytes < parameter->bytes)
		return wrong(kernel, index);
	memcpy(block->bytes + parameter->offset, argument->data, parameter->bytes);
	return GG_OK;
}

static enum gg_status put_address(struct graph *graph, const struct gg_graph_value *value)
{
	enum gg_status status;

	if (value->number >= graph->resources.count)
		return failure_set(GG_ERR_GRAPH_RESOURCE, "resource", value->number,
				   "The graph has no resource %u", value->number);
	status = graph_step(graph, GG_GRAPH_OP_RESOURCE, graph_abc(GRAPH_VARIABLE_A, 0, 0),
			    value->number);
	if (status != GG_OK)
		return status;
	return graph_step(graph, GG_GRAPH_OP_ADDRESS,
			  graph_abc(GRAPH_VARIABLE_A, GRAPH_NO_VARIABLE, 0), value->offset);
}

static enum gg_status put_value(struct graph *graph, struct block *block,
				const struct kernel *kernel, uint32_t index,
				const struct gg_graph_value *value)
{
	const struct gg_parameter *parameter = &kernel->parameter[index];
	enum gg_status status;

	if (value->kind == GG_GRAPH_VALUE)
		return put_constant(block, kernel, index, &value->argument);
	if ((parameter->bytes != 4 && parameter->bytes != 8) || value->kind > GG_GRAPH_PARAMETER ||
	    (value->kind == GG_GRAPH_RESOURCE && parameter->kind != GG_ARGUMENT_BUFFER))
		return wrong(kernel, index);
	status = constants(graph, block, parameter->offset);
	if (status == GG_OK && value->kind == GG_GRAPH_RESOURCE)
		status = put_address(graph, value);
	else if (status == GG_OK)
		status = graph_step(graph, GG_GRAPH_OP_PARAMETER, graph_abc(0, 0, parameter->bytes),
				    value->number);
	block->at = parameter->offset + parameter->bytes;
	return status;
}

static enum gg_status put_block(struct graph *graph, struct block *block,
				const struct kernel *kernel, const struct gg_graph_value *values)
{
	enum gg_status status = GG_OK;
	uint32_t end = 0;

	for (uint32_t i = 0; status == GG_OK && i < kernel->parameters; i++) {
		status = put_value(graph, block, kernel, i, &values[i]);
		end = kernel->parameter[i].offset + kernel->parameter[i].bytes;
	}
	return status == GG_OK ? constants(graph, block, (end + WORD - 1) / WORD * WORD) : status;
}

/** Adds the state. The size of a plain grid goes into a step GRID, so that grids of all sizes share
 * a state. */
static enum gg_status put_state(struct graph *graph, const struct gg_work *work,
				const struct kernel *kernel, const struct block *block)
{
	struct gg_work shared = *work;
	bool plain = work->cluster[0] == 0 && work->chunk == 0;
	enum gg_status status;
	struct gg_tmd state;
	uint32_t number;

	shared.arguments = block->local;
	shared.argument_count = block->locals;
	for (uint32_t axis = 0; plain && axis < 3; axis++)
		shared.grid[axis] = 1;
	status = gg_graph_state(&shared, &state);
	if (status == GG_OK) {
		gg_split(&state.entry_lo, &state.entry_hi,
			 gg_join(state.code_lo, state.code_hi) +
				 kernel->entry); /* Of a folded grid. */
		status = graph_add_state(graph, &state, &number);
	}
	if (status == GG_OK)
		status = graph_step(graph, GG_GRAPH_OP_STATE, 0, number);
	for (uint32_t axis = 0; status == GG_OK && plain && axis < 3; axis++)
		status = graph_step(graph, GG_GRAPH_OP_SET,
				    graph_abc(GRAPH_VARIABLE_X + axis, 0, 0), work->grid[axis]);
	if (status != GG_OK || !plain)
		return status;
	return graph_step(graph, GG_GRAPH_OP_GRID,
			  graph_abc(GRAPH_VARIABLE_X, GRAPH_VARIABLE_Y, GRAPH_VARIABLE_Z), 0);
}

static enum gg_status dispatch(struct graph *graph, const struct gg_work *work,
			       const struct kernel *kernel, const struct gg_graph_value *values)
{
	struct block block = { .shared = kernel->shared_bytes };
	enum gg_status status = put_block(graph, &block, kernel, values);

	if (status == GG_OK)
		status = put_state(graph, work, kernel, &block);
	return status == GG_OK ? graph_command(graph, GG_GRAPH_OP_DISPATCH, 0, 0) : status;
}

/** Adds a dispatch, or nothing. */
static enum gg_status dispatch_request(struct graph *graph, const struct request *request,
				       const struct gg_graph_value *values, uint32_t count)
{
	const struct kernel *kernel;
	uint32_t before = graph->draft.count;
	enum gg_status status = request_kernel(request, graph->context->device, &kernel);

	if (status != GG_OK)
		return status;
	status = arguments_count(kernel, count);
	if (status != GG_OK)
		return status;
	if (kernel->argument_bytes > BLOCK_MAX)
		return failure_set(GG_ERR_GRAPH_TOO_LARGE, "argument bytes", kernel->argument_bytes,
				   "The arguments of kernel %s take more than %u bytes",
				   kernel->name, BLOCK_MAX);
	status = dispatch(graph, request->work, kernel, values);
	if (status != GG_OK)
		graph->draft.count = before; /* Nothing of it counts. */
	return status;
}

static enum gg_status dispatch_folded(struct graph *graph, const struct request *request,
				      const struct gg_graph_value *values, uint32_t count)
{
	struct gg_graph_value *all = calloc((size_t)count + 1, sizeof(*all));
	struct fold fold;
	enum gg_status status;

	if (!all)
		return failure_status(GG_ERR_NO_MEMORY);
	status = fold_begin(&fold, request);
	if (status == GG_OK) {
		all[0].argument = fold.arguments[0];
		memcpy(all + 1, values, count * sizeof(*all));
		status = dispatch_request(graph, &fold.request, all, count + 1);
	}
	fold_end(&fold);
	free(all);
	return status;
}

enum gg_status gg_graph_dispatch(struct gg_task_graph *handle, const struct gg_work *work,
				 const struct gg_graph_value *values, uint32_t count)
{
	USE_GRAPH(graph, handle);
	NEEDS_FOR(count > 0, values);

	struct request request;
	enum gg_status status = request_open(&request, work);

	if (status != GG_OK)
		return status;
	status = fold_is_due(work) ? dispatch_folded(graph, &request, values, count)
				   : dispatch_request(graph, &request, values, count);
	request_close(&request);
	return status;
}

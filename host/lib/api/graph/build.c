/* SPDX-License-Identifier: Apache-2.0 */
/* Graph programs under construction: resources and passes. */
#include <stdlib.h>

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/work/graph_build.h"

#define DEFINITIONS_MAX 256u
#define RESOURCES_MAX   16384u

static void graph_end(void *what)
{
	struct graph *graph = what;

	free(graph->steps.at);
	free(graph->bodies.at);
	free(graph->draft.at);
	free(graph->definitions.at);
	free(graph->states.at);
	free(graph->resources.at);
	free(graph->program.at);
	free(graph);
}

static const struct handle_type graph_type = { .kind = HANDLE_GRAPH, .end = graph_end };

enum gg_status gg_graph_create(struct gg_context *handle, struct gg_task_graph **graph)
{
	USE_CONTEXT(context, handle);
	NEEDS(graph);

	struct graph *made = calloc(1, sizeof(*made));

	if (!made)
		return failure_status(GG_ERR_NO_MEMORY);
	made->context = context;
	made->handle = handle_make(&graph_type, made, handle);
	if (!made->handle) {
		free(made);
		return failure_status(GG_ERR_NO_MEMORY);
	}
	*graph = made->handle;
	return GG_OK;
}

enum gg_status gg_graph_destroy(struct gg_task_graph *handle)
{
	if (!handle)
		return GG_OK;

	USE_GRAPH(graph, handle);

	return handle_release(&graph_use);
}

/* ---- Resources -------------------------------------------------------------------------- */

static enum gg_status add_resource(struct graph *graph, enum gg_graph_resource_kind kind,
				   uint32_t argument, uint64_t address, uint64_t bytes,
				   uint32_t *number)
{
	struct gg_graph_resource resource = { .kind = kind, .argument = argument };
	enum gg_status status;

	if (bytes == 0 || argument >= GG_GRAPH_ARGUMENTS_MAX)
		return failure_set(GG_ERR_ARGUMENT, bytes == 0 ? "bytes" : "argument", argument,
				   "A resource has at least one byte, and an argument below %u",
				   GG_GRAPH_ARGUMENTS_MAX);
	gg_split(&resource.address_lo, &resource.address_hi, address);
	gg_split(&resource.bytes_lo, &resource.bytes_hi, bytes);
	status = table_add(&graph->resources, &resource, sizeof(resource), RESOURCES_MAX);
	if (status == GG_OK)
		*number = graph->resources.count - 1;
	return status;
}

enum gg_status gg_graph_buffer(struct gg_task_graph *handle, uint64_t address, uint64_t bytes,
			       uint32_t *resource)
{
	USE_GRAPH(graph, handle);
	NEEDS(resource);

	return add_resource(graph, GG_GRAPH_RESOURCE_KIND_FIXED, 0, address, bytes, resource);
}

enum gg_status gg_graph_argument(struct gg_task_graph *handle, uint32_t argument, uint64_t bytes,
				 uint32_t *resource)
{
	USE_GRAPH(graph, handle);
	NEEDS(resource);

	return add_resource(graph, GG_GRAPH_RESOURCE_KIND_ARGUMENT, argument, 0, bytes, resource);
}

enum gg_status gg_graph_transient(struct gg_task_graph *handle, uint64_t bytes, uint32_t *resource)
{
	USE_GRAPH(graph, handle);
	NEEDS(resource);

	return add_resource(graph, GG_GRAPH_RESOURCE_KIND_TRANSIENT, 0, 0, bytes, resource);
}

/** Ends a call that began when the draft had `before` steps: a call that fails adds nothing. */
static enum gg_status all_or_nothing(struct graph *graph, uint32_t before, enum gg_status status)
{
	if (status != GG_OK)
		graph->draft.count = before;
	return status;
}

/** Adds the step that makes a variable hold a resource. */
static enum gg_status hold(struct graph *graph, enum graph_variable variable, uint32_t resource)
{
	if (resource >= graph->resources.count)
		return failure_set(GG_ERR_GRAPH_RESOURCE, "resource", resource,
				   "The graph has no resource %u", resource);
	return graph_step(graph, GG_GRAPH_OP_RESOURCE, graph_abc(variable, 0, 0), resource);
}

static enum gg_status set(struct graph *graph, enum graph_variable variable, uint32_t value)
{
	return graph_step(graph, GG_GRAPH_OP_SET, graph_abc(variable, 0, 0), value);
}

/* ---- Passes ----------------------------------------------------------------------------- */

enum gg_status gg_graph_use(struct gg_task_graph *handle, enum gg_graph_op op, uint32_t resource)
{
	USE_GRAPH(graph, handle);

	const uint32_t before = graph->draft.count;
	enum gg_status status;

	if (op != GG_GRAPH_OP_READ && op != GG_GRAPH_OP_WRITE && op != GG_GRAPH_OP_SHARE)
		return failure_set(GG_ERR_ARGUMENT, "op", op,
				   "The use is neither READ nor WRITE nor SHARE");
	status = hold(graph, GRAPH_VARIABLE_A, resource);
	if (status == GG_OK)
		status = graph_step(graph, op, graph_abc(GRAPH_VARIABLE_A, 0, 0), 0);
	return all_or_nothing(graph, before, status);
}

enum gg_status gg_graph_after(struct gg_task_graph *handle, uint32_t pass)
{
	USE_GRAPH(graph, handle);

	return graph_step(graph, GG_GRAPH_OP_AFTERI, 0, pass);
}

enum gg_status gg_graph_need(struct gg_task_graph *handle, enum gg_graph_need kind, uint32_t amount)
{
	USE_GRAPH(graph, handle);

	const uint32_t before = graph->draft.count;
	enum gg_status status;

	if ((uint32_t)kind > GG_GRAPH_NEED_USER)
		return failure_set(GG_ERR_ARGUMENT, "kind", kind, "There is no need %u", kind);
	status = set(graph, GRAPH_VARIABLE_X, amount);
	if (status == GG_OK)
		status = graph_step(graph, GG_GRAPH_OP_NEED, graph_abc(0, GRAPH_VARIABLE_X, kind),
				    0);
	return all_or_nothing(graph, before, status);
}

/** Adds COPY or FILL, and remembers whether a kernel has to do it. */
static enum gg_status move(struct graph *graph, enum gg_graph_op op, uint32_t second,
			   uint32_t bytes)
{
	enum gg_status status = graph_command(
		graph, op, graph_abc(GRAPH_VARIABLE_A, second, GRAPH_NO_VARIABLE), bytes);

	if (status == GG_OK && bytes > GG_GRAPH_SMALL_BYTES)
		graph->much = true;
	return status;
}

enum gg_status gg_graph_copy(struct gg_task_graph *handle, uint32_t to, uint32_t from,
			     uint32_t bytes)
{
	USE_GRAPH(graph, handle);

	const uint32_t before = graph->draft.count;
	enum gg_status status = hold(graph, GRAPH_VARIABLE_A, to);

	if (status == GG_OK)
		status = hold(graph, GRAPH_VARIABLE_B, from);
	if (status == GG_OK)
		status = move(graph, GG_GRAPH_OP_COPY, GRAPH_VARIABLE_B, bytes);
	return all_or_nothing(graph, before, status);
}

enum gg_status gg_graph_fill(struct gg_task_graph *handle, uint32_t to, uint32_t value,
			     uint32_t bytes)
{
	USE_GRAPH(graph, handle);

	const uint32_t before = graph->draft.count;
	enum gg_status status = hold(graph, GRAPH_VARIABLE_A, to);

	if (status == GG_OK)
		status = set(graph, GRAPH_VARIABLE_X, value);
	if (status == GG_OK)
		status = move(graph, GG_GRAPH_OP_FILL, GRAPH_VARIABLE_X, bytes);
	return all_or_nothing(graph, before, status);
}

enum gg_status gg_graph_signal(struct gg_task_graph *handle, uint32_t to, uint32_t value,
			       uint32_t offset)
{
	USE_GRAPH(graph, handle);

	const uint32_t before = graph->draft.count;
	enum gg_status status = hold(graph, GRAPH_VARIABLE_A, to);

	if (status == GG_OK)
		status = set(graph, GRAPH_VARIABLE_X, value);
	if (status == GG_OK)
		status = graph_command(graph, GG_GRAPH_OP_SIGNAL,
				       graph_abc(GRAPH_VARIABLE_A, GRAPH_VARIABLE_X, 0), offset);
	return all_or_nothing(graph, before, status);
}

enum gg_status gg_graph_fence(struct gg_task_graph *handle)
{
	USE_GRAPH(graph, handle);

	return graph_command(graph, GG_GRAPH_OP_FENCE, 0, 0);
}

static enum gg_status append(struct table *to, const struct table *from)
{
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < from->count; i++)
		status = table_add(to, from->at + i * sizeof(struct gg_graph_step),
				   sizeof(struct gg_graph_step), GRAPH_STEPS_MAX);
	return status;
}

/** Ends a pass of several commands: it becomes a definition that is invoked once. */
static enum gg_status end_definition(struct graph *graph)
{
	struct gg_graph_definition definition = {
		.first = graph->bodies.count,
		.count = graph->draft.count,
		.id = graph->passes,
	};
	struct gg_graph_step invoke = { .what = GG_GRAPH_OP_INVOKE,
					.imm = graph->definitions.count };
	enum gg_status status = append(&graph->bodies, &graph->draft);

	if (status == GG_OK)
		status = table_add(&graph->definitions, &definition, sizeof(definition),
				   DEFINITIONS_MAX);
	return status == GG_OK ? table_add(&graph->steps, &invoke, sizeof(invoke), GRAPH_STEPS_MAX)
			       : status;
}

enum gg_status gg_graph_end(struct gg_task_graph *handle, uint32_t *pass)
{
	USE_GRAPH(graph, handle);
	NEEDS(pass);

	const uint32_t steps = graph->steps.count;
	const uint32_t bodies = graph->bodies.count;
	const uint32_t definitions = graph->definitions.count;
	enum gg_status status;

	if (graph->commands == 0)
		return failure_set(GG_ERR_GRAPH_STEP, "pass", graph->passes,
				   "A pass has at least one command");
	status =
		graph->commands == 1 ? append(&graph->steps, &graph->draft) : end_definition(graph);
	if (status != GG_OK) {
		graph->steps.count = steps;
		graph->bodies.count = bodies;
		graph->definitions.count = definitions;
		return status;
	}
	graph->draft.count = 0;
	graph->commands = 0;
	*pass = graph->passes++;
	return GG_OK;
}

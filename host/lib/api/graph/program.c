/* SPDX-License-Identifier: Apache-2.0 */
/* The finished program of a graph: header and tables in one piece. */
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "host/lib/api/graph/check.h"
#include "host/lib/core/failure.h"
#include "host/lib/work/graph_build.h"
#include "host/lib/work/request.h"

#define MAGIC   0x50474747u
#define VERSION 1u

/** A table of the program. */
struct part {
	const void *at;
	uint32_t bytes;
};

static enum gg_status copy_parts(struct graph *graph, const struct gg_graph_program *header,
				 const struct part *parts, size_t count)
{
	uint8_t *bytes = realloc(graph->program.at, header->all_bytes);
	uint32_t at = (uint32_t)sizeof(*header);

	if (!bytes)
		return failure_status(GG_ERR_NO_MEMORY);
	graph->program.at = bytes;
	graph->program.count = header->all_bytes;
	memcpy(bytes, header, sizeof(*header));
	for (size_t i = 0; i < count; i++) {
		if (parts[i].bytes > 0)
			memcpy(bytes + at, parts[i].at, parts[i].bytes);
		at += parts[i].bytes;
	}
	return GG_OK;
}

/** Copies the definitions. Their steps come after the main part and its END. */
static void place_definitions(struct gg_graph_definition *to, const struct graph *graph)
{
	if (graph->definitions.count > 0)
		memcpy(to, graph->definitions.at, graph->definitions.count * sizeof(*to));
	for (uint32_t i = 0; i < graph->definitions.count; i++)
		to[i].first += graph->steps.count + 1;
}

static enum gg_status write_program(struct graph *graph, const struct gg_tmd moves[2],
				    struct gg_graph_definition *definitions)
{
	const struct gg_graph_step end = { .what = GG_GRAPH_OP_END };
	const uint32_t step = (uint32_t)sizeof(end);
	const uint32_t move = graph->much ? 2 : 0;
	const struct part parts[] = {
		{ graph->steps.at, graph->steps.count * step },
		{ &end, step },
		{ graph->bodies.at, graph->bodies.count * step },
		{ definitions, graph->definitions.count * (uint32_t)sizeof(*definitions) },
		{ graph->states.at, graph->states.count * (uint32_t)sizeof(*moves) },
		{ moves, move * (uint32_t)sizeof(*moves) },
		{ graph->resources.at,
		  graph->resources.count * (uint32_t)sizeof(struct gg_graph_resource) },
	};
	struct gg_graph_program header = {
		.magic = MAGIC,
		.version = VERSION,
		.rules = gg_put(GG_GRAPH_PROGRAM_BLOCK_COMMANDS, 1),
		.steps_offset = (uint32_t)sizeof(header),
		.steps = graph->steps.count + 1 + graph->bodies.count,
		.definitions = graph->definitions.count,
		.states = graph->states.count + move,
		.resources = graph->resources.count,
		.variables = GRAPH_VARIABLE_COUNT,
		.copy_state = graph->much ? graph->states.count : GRAPH_NO_STATE,
		.fill_state = graph->much ? graph->states.count + 1 : GRAPH_NO_STATE,
		.types = { 1u << GRAPH_VARIABLE_A | 1u << GRAPH_VARIABLE_B, 0 },
	};

	header.definitions_offset =
		header.steps_offset + parts[0].bytes + parts[1].bytes + parts[2].bytes;
	header.states_offset = header.definitions_offset + parts[3].bytes;
	header.resources_offset = header.states_offset + parts[4].bytes + parts[5].bytes;
	header.all_bytes = header.resources_offset + parts[6].bytes;
	return copy_parts(graph, &header, parts, sizeof(parts) / sizeof(parts[0]));
}

enum gg_status gg_graph_program(struct gg_task_graph *handle, const void **program, uint64_t *bytes)
{
	USE_GRAPH(graph, handle);
	NEEDS(program, bytes);

	struct gg_tmd moves[2];
	struct gg_graph_definition *definitions;
	enum gg_status status = GG_OK;

	if (graph->draft.count > 0)
		return failure_set(GG_ERR_GRAPH_FORMAT, "pass", graph->passes,
				   "A pass of the graph was not ended");
	if (!graph->loaded) {
		definitions = calloc(graph->definitions.count + 1, sizeof(*definitions));
		if (!definitions)
			return failure_status(GG_ERR_NO_MEMORY);
		place_definitions(definitions, graph);
		if (graph->much)
			status = gg_graph_moves(graph->context->handle, &moves[0], &moves[1]);
		if (status == GG_OK)
			status = write_program(graph, moves, definitions);
		free(definitions);
	}
	if (status != GG_OK)
		return status;
	*program = graph->program.at;
	*bytes = graph->program.count;
	return GG_OK;
}

/** Checks that a state has a kernel of the graph's device. */
static enum gg_status check_owner(const struct graph *graph, const struct gg_work *work)
{
	const struct kernel *kernel;
	struct request request;
	enum gg_status status = request_open(&request, work);

	if (status != GG_OK)
		return status;
	status = request_kernel(&request, graph->context->device, &kernel);
	request_close(&request);
	return status;
}

static enum gg_status fill_states(struct graph *graph, const struct gg_work *states, uint32_t count)
{
	const struct gg_graph_program *header = (const void *)graph->program.at;
	uint8_t *to = graph->program.at + header->states_offset;
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < count; i++) {
		struct gg_tmd state;

		status = check_owner(graph, &states[i]);
		if (status == GG_OK)
			status = gg_graph_state(&states[i], &state);
		if (status == GG_OK)
			memcpy(to + i * sizeof(state), &state, sizeof(state));
	}
	return status;
}

static enum gg_status check_header(const struct gg_graph_program *header, uint64_t bytes,
				   uint32_t states)
{
	if (bytes < sizeof(*header) || header->magic != MAGIC || header->all_bytes > bytes ||
	    header->all_bytes < sizeof(*header))
		return failure_set(GG_ERR_GRAPH_FORMAT, "graph_program.all_bytes", bytes,
				   "This is not a graph program, or only a part of one");
	if (header->states != states)
		return failure_set(GG_ERR_ARGUMENT_COUNT, "states", states,
				   "The program has %u states, not %u", header->states, states);
	return GG_OK;
}

/** Makes an empty graph one that was loaded. */
static enum gg_status fill_graph(struct gg_task_graph *handle, const void *program, uint32_t bytes,
				 const struct gg_work *states, uint32_t state_count)
{
	USE_GRAPH(graph, handle);
	enum gg_status status;

	graph->loaded = true;
	graph->program.at = malloc(bytes);
	graph->program.count = bytes;
	if (!graph->program.at)
		return failure_status(GG_ERR_NO_MEMORY);
	memcpy(graph->program.at, program, bytes);
	status = program_check_tables(graph->program.at, bytes);
	return status == GG_OK ? fill_states(graph, states, state_count) : status;
}

enum gg_status gg_graph_load(struct gg_context *context, const void *program, uint64_t bytes,
			     const struct gg_work *states, uint32_t state_count,
			     struct gg_task_graph **graph)
{
	NEEDS(program, graph);
	NEEDS_FOR(state_count > 0, states);

	struct gg_graph_program header = { 0 };
	struct gg_task_graph *made;
	enum gg_status status = gg_graph_create(context, &made);

	if (status != GG_OK)
		return status;
	memcpy(&header, program, bytes < sizeof(header) ? bytes : sizeof(header));
	status = check_header(&header, bytes, state_count);
	if (status == GG_OK)
		status = fill_graph(made, program, header.all_bytes, states, state_count);
	if (status == GG_OK)
		*graph = made;
	else
		(void)gg_graph_destroy(made);
	return status;
}

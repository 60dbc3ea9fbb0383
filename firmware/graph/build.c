/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/build.h"

#include <stddef.h>
#include <string.h>

/* Elements of each array for this many passes. */
#define SHARE_PASSES   4u
#define SHARE_ACCESSES 20u
#define SHARE_VERSIONS 6u
#define SHARE_COMMANDS 5u
#define SHARE_VALUES   20u
#define SHARE_BYTES                                                          \
	(SHARE_PASSES * (sizeof(struct graph_pass) + 2 * sizeof(uint32_t)) + \
	 SHARE_ACCESSES * sizeof(struct graph_access) +                      \
	 SHARE_VERSIONS * sizeof(struct graph_version) +                     \
	 SHARE_COMMANDS * sizeof(struct graph_command) +                     \
	 SHARE_VALUES * sizeof(struct graph_value))

/* The arrays, in the order in which they are in memory. */
enum array {
	ARRAY_RESOURCES,
	ARRAY_PASSES,
	ARRAY_VERSIONS,
	ARRAY_ACCESSES,
	ARRAY_COMMANDS,
	ARRAY_VALUES,
	ARRAY_ORDER,
	ARRAY_HEAP,
	ARRAYS
};
#define ARRAY_ALIGN 8u

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + ARRAY_ALIGN - 1) & ~(uint64_t)(ARRAY_ALIGN - 1);
}

/* Bytes of an array: what is used, or all that there is room for. */
static uint64_t array_bytes(const struct graph *graph, uint32_t array, bool used)
{
	const struct {
		struct graph_count count;
		size_t bytes;
	} arrays[ARRAYS] = {
		{ { graph->resource_count, graph->resource_count }, sizeof(struct graph_resource) },
		{ graph->pass, sizeof(struct graph_pass) },
		{ graph->version, sizeof(struct graph_version) },
		{ graph->access, sizeof(struct graph_access) },
		{ graph->command, sizeof(struct graph_command) },
		{ graph->value, sizeof(struct graph_value) },
		{ graph->pass, sizeof(uint32_t) },
		{ graph->pass, sizeof(uint32_t) },
	};
	const struct graph_count *count = &arrays[array].count;

	return round_up((uint64_t)(used ? count->used : count->most) * arrays[array].bytes);
}

static void array_set(struct graph *graph, uint32_t array, void *memory)
{
	switch ((enum array)array) {
	case ARRAY_HEAP:
		graph->heap = memory;
		break;
	case ARRAY_RESOURCES:
		graph->resources = memory;
		break;
	case ARRAY_PASSES:
		graph->passes = memory;
		break;
	case ARRAY_VERSIONS:
		graph->versions = memory;
		break;
	case ARRAY_ACCESSES:
		graph->accesses = memory;
		break;
	case ARRAY_COMMANDS:
		graph->commands = memory;
		break;
	case ARRAY_VALUES:
		graph->values = memory;
		break;
	default: /* ARRAY_ORDER */
		graph->order = memory;
	}
}

static void *array_at(const struct graph *graph, uint32_t array)
{
	void *const arrays[ARRAYS] = { graph->resources, graph->passes,   graph->versions,
				       graph->accesses,  graph->commands, graph->values,
				       graph->order,     graph->heap };

	return arrays[array];
}

/* Bytes before the arrays: the graph itself, when it is in the block. */
static uint64_t head_bytes(const struct graph *graph)
{
	return graph->memory == (const void *)graph ? round_up(sizeof(*graph)) : 0;
}

static void take_resources(struct graph *graph, const struct gg_graph_resource *resources)
{
	for (uint32_t i = 0; i < graph->resource_count; i++) {
		const struct gg_graph_resource *from = &resources[i];

		graph->resources[i] = (struct graph_resource){
			.address = (uint64_t)from->address_hi << 32 | from->address_lo,
			.bytes = (uint64_t)from->bytes_hi << 32 | from->bytes_lo,
			.argument = from->argument,
			.first = GRAPH_NONE,
			.last = GRAPH_NONE,
			.kind = (uint8_t)from->kind,
		};
		graph->transients =
			graph->transients || from->kind == GG_GRAPH_RESOURCE_KIND_TRANSIENT;
	}
}

enum gg_status graph_build_begin(struct graph *graph, void *memory, uint64_t bytes,
				 const struct gg_graph_resource *resources, uint32_t resource_count,
				 bool unordered, uint8_t pointer_bytes)
{
	*graph = (struct graph){ .memory = memory,
				 .resource_count = resource_count,
				 .late = GRAPH_NONE,
				 .unordered = unordered,
				 .forward = unordered,
				 .pointer_bytes = pointer_bytes };
	/* Each array may be rounded up. */
	const uint64_t taken = head_bytes(graph) + array_bytes(graph, ARRAY_RESOURCES, true) +
			       ARRAYS * (uint64_t)ARRAY_ALIGN;
	const uint64_t all = bytes > taken ? (bytes - taken) / SHARE_BYTES : 0;
	/* More than this helps no graph of GRAPH_PASSES passes: 64 times the usual. */
	const uint32_t shares = all > GRAPH_PASSES * 16u ? GRAPH_PASSES * 16u : (uint32_t)all;
	uint8_t *at = (uint8_t *)memory + head_bytes(graph);

	if (shares == 0) {
		return GG_ERR_GRAPH_TOO_LARGE;
	}
	graph->pass.most = shares * SHARE_PASSES;
	if (graph->pass.most > GRAPH_PASSES) {
		graph->pass.most = GRAPH_PASSES;
	}
	graph->access.most = shares * SHARE_ACCESSES;
	graph->version.most = shares * SHARE_VERSIONS;
	graph->command.most = shares * SHARE_COMMANDS;
	graph->value.most = shares * SHARE_VALUES;
	for (uint32_t array = 0; array < ARRAYS; array++) {
		array_set(graph, array, at);
		at += array_bytes(graph, array, false);
	}
	take_resources(graph, resources);
	return GG_OK;
}

/* What is left of a draft that was not ended is not part of the graph. */
static void drop_draft(struct graph *graph)
{
	const struct graph_pass *last =
		graph->pass.used > 0 ? &graph->passes[graph->pass.used - 1] : NULL;
	uint32_t values = 0;

	graph->access.used = last ? last->first_access + last->accesses : 0;
	graph->command.used = last ? last->first_command + last->commands : 0;
	if (graph->command.used > 0) {
		const struct graph_command *command = &graph->commands[graph->command.used - 1];

		values = command->first_value + command->values;
	}
	graph->value.used = values;
}

/* Link the next AFTER of a later pass. */
static struct refusal link_late(struct graph *graph)
{
	const uint32_t number = graph->late;
	struct graph_access *access = &graph->accesses[number];

	if (access->version >= graph->pass.used) {
		return refusal_of(GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_OP,
				  graph->passes[access->pass].step);
	}
	struct graph_pass *pass = &graph->passes[access->version];

	graph->late = access->next;
	access->next = pass->first_after;
	pass->first_after = number;
	return refusal_none();
}

/* A transient of an unordered program that is read must be written by somebody. */
static struct refusal check_written(const struct graph *graph, uint32_t number)
{
	const struct graph_resource *resource = &graph->resources[number];

	if (resource->kind != GG_GRAPH_RESOURCE_KIND_TRANSIENT || resource->first == GRAPH_NONE ||
	    graph->versions[resource->first].writers > 0) {
		return refusal_none();
	}
	const struct graph_access *reader =
		&graph->accesses[graph->versions[resource->first].first_reader];

	return refusal_of(GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_OP,
			  graph->passes[reader->pass].step);
}

struct refusal graph_build_end(struct graph *graph, uint32_t *cursor, uint32_t budget)
{
	struct refusal refusal = refusal_none();
	struct graph_work *work = &graph->work;

	if (*cursor == 0) {
		*cursor = 1;
		drop_draft(graph);
		*work = (struct graph_work){ .at = graph->unordered ? 0 : graph->resource_count };
	}
	for (; budget > 0 && refusal.status == GG_OK; budget--) {
		if (graph->late != GRAPH_NONE) {
			refusal = link_late(graph);
		} else if (work->at < graph->resource_count) {
			refusal = check_written(graph, work->at++);
		} else {
			*cursor = UINT32_MAX;
			break;
		}
	}
	return refusal;
}

uint64_t graph_build_bytes(const struct graph *graph)
{
	uint64_t bytes = head_bytes(graph);

	for (uint32_t array = 0; array < ARRAYS; array++) {
		bytes += array_bytes(graph, array, true);
	}
	return bytes;
}

/* The array that is being moved is complete: take its new place, and go on to the next one. */
static void pack_next(struct graph *graph, uint8_t *to)
{
	struct graph_work *work = &graph->work;

	array_set(graph, work->at, to);
	work->top += array_bytes(graph, work->at, true);
	work->at++;
	work->mark = 0;
}

/* Copied in pieces that do not overlap, because the C library's memmove goes byte by byte. */
static void move_down(uint8_t *to, const uint8_t *from, uint32_t bytes)
{
	const uint32_t apart = (uint32_t)(from - to);

	for (uint32_t at = 0, piece; at < bytes; at += piece) {
		piece = bytes - at < apart ? bytes - at : apart;
		memcpy(to + at, from + at, piece);
	}
}

void graph_build_pack(struct graph *graph, uint32_t *cursor, uint32_t budget_bytes)
{
	struct graph_work *work = &graph->work;

	if (*cursor == 0) {
		*cursor = 1;
		*work = (struct graph_work){ .top = head_bytes(graph) };
	}
	while (budget_bytes > 0 && work->at < ARRAYS) {
		uint8_t *to = (uint8_t *)graph->memory + work->top;
		const uint8_t *from = array_at(graph, work->at);
		/* The heap has no content yet, so it is not copied. */
		const uint64_t all = to == from || work->at == ARRAY_HEAP
					     ? 0
					     : array_bytes(graph, work->at, true);
		const uint64_t left = all > work->mark ? all - work->mark : 0;
		const uint32_t bytes = left < budget_bytes ? (uint32_t)left : budget_bytes;

		move_down(to + work->mark, from + work->mark, bytes);
		work->mark += bytes;
		budget_bytes -= bytes;
		if (bytes == left) {
			pack_next(graph, to);
		}
	}
	if (work->at == ARRAYS) {
		graph->pass.most = graph->pass.used;
		graph->access.most = graph->access.used;
		graph->version.most = graph->version.used;
		graph->command.most = graph->command.used;
		graph->value.most = graph->value.used;
		*cursor = UINT32_MAX;
	}
}

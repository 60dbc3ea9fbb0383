/* SPDX-License-Identifier: Apache-2.0 */
/* What a pass declares, and its commands (S2-R20, R21, R23, R28). A stamp on each resource finds its declaration at once. */
#include "firmware/graph/draft.h"

void graph_draft_begin(struct graph_draft *draft, struct graph *graph)
{
	draft->graph = graph;
	for (uint32_t kind = 0; kind < GRAPH_NEEDS; kind++) {
		draft->needs[kind] = 0;
	}
	draft->needy = false;
	draft_next(draft);
}

/* What this draft declares of a resource: enum draft_mark, 0 for nothing. */
static uint32_t marks_of(const struct graph *graph, uint32_t resource)
{
	if (resource >= graph->resource_count) {
		return 0;
	}
	const struct graph_declared *declared = &graph->resources[resource].declared;

	return declared->stamp == graph->drafts ? graph->accesses[declared->access].use : 0;
}

struct refusal graph_draft_declare(struct graph_draft *draft, enum gg_graph_op op,
				   uint32_t resource)
{
	struct graph *graph = draft->graph;
	const uint8_t mark = op == GG_GRAPH_OP_READ    ? DRAFT_READ
			     : op == GG_GRAPH_OP_WRITE ? DRAFT_WRITE
						       : DRAFT_SHARE;

	if (resource >= graph->resource_count) {
		return draft_refuse(draft, GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_A);
	}
	struct graph_resource *of = &graph->resources[resource];

	if (of->declared.stamp == graph->drafts) {
		graph->accesses[of->declared.access].use |= mark;
		return refusal_none();
	}
	if (of->kind == GG_GRAPH_RESOURCE_KIND_NONE ||
	    (of->kind == GG_GRAPH_RESOURCE_KIND_TRANSIENT && of->bytes == 0)) {
		return draft_refuse(draft, GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_A);
	}
	of->declared.access = graph->access.used;
	if (!draft_add_access(graph, resource, mark)) {
		return draft_refuse_size(draft);
	}
	of->declared.stamp = graph->drafts;
	return refusal_none();
}

struct refusal graph_draft_after(struct graph_draft *draft, uint32_t pass)
{
	if (pass >= GRAPH_PASSES) {
		return draft_refuse(draft, GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_A);
	}
	return draft_add_access(draft->graph, pass, DRAFT_AFTER) ? refusal_none()
								 : draft_refuse_size(draft);
}

void graph_draft_need(struct graph_draft *draft, enum gg_graph_need kind, uint32_t amount)
{
	draft->needs[(uint32_t)kind % GRAPH_NEEDS] = amount;
	draft->needy = true;
}

struct refusal graph_draft_size(struct graph_draft *draft, uint32_t resource, uint32_t bytes)
{
	struct graph *graph = draft->graph;

	if (resource >= graph->resource_count ||
	    graph->resources[resource].kind != GG_GRAPH_RESOURCE_KIND_TRANSIENT ||
	    graph->resources[resource].first != GRAPH_NONE || marks_of(graph, resource) != 0) {
		return draft_refuse(draft, GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_A);
	}
	graph->resources[resource].bytes = bytes;
	return refusal_none();
}

struct refusal graph_draft_value(struct graph_draft *draft, const struct graph_value *value)
{
	struct graph *graph = draft->graph;
	const bool pointer = value->op == GG_GRAPH_OP_ADDRESS;
	const uint8_t bytes = pointer ? graph->pointer_bytes : value->bytes;
	const uint32_t end = graph_value_place(draft->bytes, bytes) + bytes;

	if (pointer && marks_of(graph, value->number) == 0) {
		return draft_refuse(draft, GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_A);
	}
	if (end > GRAPH_ARGUMENT_BYTES || graph->value.used == graph->value.most) {
		return draft_refuse_size(draft);
	}
	struct graph_value *to = &graph->values[graph->value.used++];

	*to = *value;
	to->bytes = bytes;
	draft->bytes = end;
	return refusal_none();
}

/* A command uses the first `bytes` of a resource, which must be declared with one of these marks. */
static struct refusal command_use(const struct graph_draft *draft, uint32_t resource,
				  uint32_t marks, uint32_t field, uint64_t bytes)
{
	if ((marks_of(draft->graph, resource) & marks) == 0) {
		return draft_refuse(draft, GG_ERR_GRAPH_RESOURCE, field);
	}
	if (bytes > draft->graph->resources[resource].bytes) {
		return draft_refuse(draft, GG_ERR_GRAPH_DATA, GG_FIELD_GRAPH_STEP_C);
	}
	return refusal_none();
}

/* COPY, FILL and SIGNAL. */
static struct refusal command_check(const struct graph_draft *draft,
				    const struct graph_command *command)
{
	const bool signals = command->op == GG_GRAPH_OP_SIGNAL;
	struct refusal refusal = refusal_none();

	if (command->op == GG_GRAPH_OP_COPY) {
		refusal = command_use(draft, command->b, DRAFT_READ, GG_FIELD_GRAPH_STEP_B,
				      command->c);
	}
	if (refusal.status == GG_OK) {
		refusal = command_use(draft, command->a, DRAFT_WRITE | DRAFT_SHARE,
				      GG_FIELD_GRAPH_STEP_A,
				      (uint64_t)command->c + (signals ? 4 : 0));
	}
	if (refusal.status == GG_OK && signals && command->c % 4 != 0) {
		refusal = draft_refuse(draft, GG_ERR_GRAPH_DATA, GG_FIELD_GRAPH_STEP_IMM);
	}
	return refusal;
}

struct refusal graph_draft_command(struct graph_draft *draft, const struct graph_command *command)
{
	struct graph *graph = draft->graph;

	if (command->op != GG_GRAPH_OP_DISPATCH && command->op != GG_GRAPH_OP_FENCE) {
		const struct refusal refusal = command_check(draft, command);

		if (refusal.status != GG_OK) {
			return refusal;
		}
	}
	if (graph->command.used == graph->command.most ||
	    graph_draft_commands(draft) == GRAPH_BLOCK_COMMANDS) {
		return draft_refuse_size(draft);
	}
	struct graph_command *to = &graph->commands[graph->command.used++];

	*to = *command;
	to->first_value = draft->first_value;
	to->values = 0;
	if (command->op == GG_GRAPH_OP_DISPATCH) {
		to->values = (uint8_t)(graph->value.used - draft->first_value);
		draft->first_value = graph->value.used;
		draft->bytes = 0;
	}
	return refusal_none();
}

uint32_t graph_draft_commands(const struct graph_draft *draft)
{
	return draft->graph->command.used - draft->first_command;
}

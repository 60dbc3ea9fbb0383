/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/graph_build.h"

#include <stdlib.h>
#include <string.h>

#include "host/lib/core/failure.h"

#define STATES_MAX   254u /* two more are for copies and fills */
#define COMMANDS_MAX 16u

enum gg_status table_add(struct table *table, const void *item, size_t bytes, uint32_t most)
{
	uint32_t room = table->room ? 2 * table->room : 16;
	uint8_t *at;

	if (table->count >= most)
		return failure_set(GG_ERR_GRAPH_TOO_LARGE, "count", most,
				   "A table of the graph has %u entries at most", most);
	if (table->count == table->room) {
		at = realloc(table->at, room * bytes);
		if (!at)
			return failure_status(GG_ERR_NO_MEMORY);
		table->at = at;
		table->room = room;
	}
	memcpy(table->at + table->count * bytes, item, bytes);
	table->count++;
	return GG_OK;
}

enum gg_status graph_step(struct graph *graph, enum gg_graph_op op, uint32_t operands, uint32_t imm)
{
	struct gg_graph_step step = { .what = (uint32_t)op | operands, .imm = imm };

	if (graph->loaded)
		return failure_set(GG_ERR_ARGUMENT, "graph", 0,
				   "A loaded program cannot be added to");
	return table_add(&graph->draft, &step, sizeof(step), GRAPH_STEPS_MAX);
}

enum gg_status graph_command(struct graph *graph, enum gg_graph_op op, uint32_t operands,
			     uint32_t imm)
{
	enum gg_status status;

	if (graph->commands >= COMMANDS_MAX)
		return failure_set(GG_ERR_GRAPH_TOO_LARGE, "commands", graph->commands,
				   "A pass has at most %u commands", COMMANDS_MAX);
	status = graph_step(graph, op, operands, imm);
	if (status == GG_OK)
		graph->commands++;
	return status;
}

enum gg_status graph_add_state(struct graph *graph, const struct gg_tmd *state, uint32_t *number)
{
	uint32_t at = 0;

	while (at < graph->states.count &&
	       memcmp(graph->states.at + at * sizeof(*state), state, sizeof(*state)) != 0)
		at++;
	*number = at;
	if (at < graph->states.count)
		return GG_OK;
	return table_add(&graph->states, state, sizeof(*state), STATES_MAX);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/cycle.h"

/* Each version notes one of the remaining passes that write or read it. It is kept in `failed` and `reader_rank`,
 * which have no other meaning yet. */
static uint32_t note_users(struct graph *graph, uint32_t number)
{
	const struct graph_pass *pass = &graph->passes[number];

	if (pass->unmet == 0) {
		return 1;
	}
	graph->work.first = number;
	for (uint32_t i = 0; i < pass->accesses; i++) {
		const struct graph_access *access = &graph->accesses[pass->first_access + i];

		if (access->use == GRAPH_USE_WRITE) {
			graph->versions[access->version].failed = number;
		} else if (access->use == GRAPH_USE_READ) {
			graph->versions[access->version].reader_rank = number;
		}
	}
	return 1 + pass->accesses;
}

/* One of the remaining passes that this access waits for, or GRAPH_NONE. */
static uint32_t waits_for(const struct graph *graph, const struct graph_access *access)
{
	if (access->use == GRAPH_USE_WRITE) {
		return GRAPH_NONE;
	}
	if (access->use == GRAPH_USE_AFTER) {
		return graph->passes[access->version].unmet > 0 ? access->version : GRAPH_NONE;
	}
	const struct graph_version *version = &graph->versions[access->version];

	if (version->writers_left > 0) {
		return version->failed;
	}
	return access->use != GRAPH_USE_READ && version->readers_left > 0 ? version->reader_rank
									  : GRAPH_NONE;
}

/* Go from a pass to one that it waits for. */
static uint32_t go_back(struct graph *graph)
{
	const struct graph_pass *pass = &graph->passes[graph->work.first];

	for (uint32_t i = 0; i < pass->accesses; i++) {
		const uint32_t next = waits_for(graph, &graph->accesses[pass->first_access + i]);

		if (next != GRAPH_NONE) {
			graph->work.first = next;
			return 1 + i;
		}
	}
	return 1 + pass->accesses;
}

bool cycle_step(struct graph *graph, uint32_t *done)
{
	struct graph_work *work = &graph->work;

	if (work->at == graph->pass.used) {
		work->at = 0;
		work->tail++;
		return work->tail == 2;
	}
	*done += work->tail == 0 ? note_users(graph, work->at) : go_back(graph);
	work->at++;
	return false;
}

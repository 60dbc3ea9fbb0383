/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/run_begin.h"

#include "firmware/graph/choose.h"

static void reset_run(struct graph_run *run, struct graph *graph, const struct graph_limits *limits)
{
	*run = (struct graph_run){ .graph = graph,
				   .limits = *limits,
				   .left = graph->pass.used,
				   .first_failed = GRAPH_NONE };
	if (limits->live_bytes == 0) {
		run->limits.live_bytes = graph->peak_bytes - graph->peak_bytes / 4;
	}
	run->lives = graph->peak_bytes != 0;
	graph_choose_init(run);
}

static void reset_version(struct graph *graph, struct graph_version *version)
{
	version->writers_left = version->writers;
	version->readers_left = version->readers;
	version->failed = GRAPH_NONE;
	graph->resources[version->resource].begun = false;
}

/* Whether an access never waits, because what it is about was there before the graph. */
static bool is_met(const struct graph *graph, const struct graph_access *access)
{
	if (access->use == GRAPH_USE_AFTER || access->use == GRAPH_USE_WRITE) {
		return false;
	}
	const struct graph_version *version = &graph->versions[access->version];

	return version->writers == 0 && (access->use == GRAPH_USE_READ || version->readers == 0);
}

static void reset_pass(struct graph_run *run, uint32_t number)
{
	const struct graph *graph = run->graph;
	struct graph_pass *pass = &graph->passes[number];

	pass->unmet = pass->waits;
	for (uint32_t index = 0; index < pass->accesses; index++) {
		pass->unmet -= is_met(graph, &graph->accesses[pass->first_access + index]);
	}
	pass->state = GG_GRAPH_PASS_STATE_WAITING;
	pass->command = 0;
	pass->parts = 0;
	pass->gain = 0;
	pass->cause = GRAPH_NONE;
	pass->status = GG_OK;
	pass->ctas = 0;
	pass->ready_at = 0;
	pass->started_at = 0;
	pass->ended_at = 0;
	if (pass->unmet == 0) {
		graph_choose_add(run, number);
	}
}

void graph_run_begin(struct graph_run *run, struct graph *graph, const struct graph_limits *limits,
		     uint32_t *cursor, uint32_t budget)
{
	const uint32_t versions = graph->version.used;
	const uint32_t all = versions + graph->pass.used;

	if (*cursor == 0) {
		reset_run(run, graph, limits);
	}
	for (uint32_t spent = 0; *cursor < all && spent < budget; spent++) {
		if (*cursor < versions) {
			reset_version(graph, &graph->versions[*cursor]);
		} else {
			reset_pass(run, *cursor - versions);
			spent += graph->passes[*cursor - versions].accesses;
		}
		++*cursor;
	}
	if (*cursor == all) {
		*cursor = UINT32_MAX;
		run->more = true;
	}
}

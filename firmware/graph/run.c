/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/run.h"

#include "firmware/graph/choose.h"

/* Passes that one graph_run_next() may skip, so that it costs no more than a few ends of passes. */
#define SKIPS 8u

static bool is_transient(const struct graph *graph, const struct graph_version *version)
{
	return graph->resources[version->resource].kind == GG_GRAPH_RESOURCE_KIND_TRANSIENT;
}

/* A pass has all that it waited for: now it may start, or it is skipped (S2-Q19). */
static void turn(struct graph_run *run, uint32_t number, uint64_t now)
{
	struct graph_pass *pass = &run->graph->passes[number];

	pass->ready_at = now;
	if (pass->cause != GRAPH_NONE) {
		run->graph->heap[run->graph->pass.used - ++run->doomed] = number;
	} else {
		graph_choose_add(run, number);
	}
}

/* What these accesses waited for has come. A pass that needs the content inherits its failure. */
static void meet(struct graph_run *run, uint32_t first, uint32_t failed, uint64_t now)
{
	const struct graph_access *accesses = run->graph->accesses;
	struct graph_pass *passes = run->graph->passes;

	for (uint32_t index = first; index != GRAPH_NONE; index = accesses[index].next) {
		const struct graph_access *access = &accesses[index];
		struct graph_pass *pass = &passes[access->pass];

		if (failed < pass->cause &&
		    (access->use == GRAPH_USE_READ || access->use == GRAPH_USE_UPDATE)) {
			pass->cause = failed;
		}
		if (--pass->unmet == 0) {
			turn(run, access->pass, now);
		}
	}
}

/* A version is written and all its readers have ended: the next one may be made, or its memory may be used for
 * something else (S2-Q6). */
static void free_version(struct graph_run *run, uint32_t number, uint64_t now)
{
	const struct graph_version *version = &run->graph->versions[number];
	const struct graph_resource *resource = &run->graph->resources[version->resource];

	if (resource->begun && resource->last == number) {
		run->live -= resource->bytes;
	}
	if (version->first_free != GRAPH_NONE) {
		meet(run, version->first_free, version->failed, now);
	}
}

/* One reader is left of a buffer that nobody uses afterwards. That reader ends the buffer's life. */
static void raise_last_reader(struct graph_run *run, uint32_t number)
{
	const struct graph *graph = run->graph;
	const struct graph_version *version = &graph->versions[number];
	const struct graph_resource *resource = &graph->resources[version->resource];

	if (!resource->begun || resource->last != number) {
		return;
	}
	for (uint32_t index = version->first_reader; index != GRAPH_NONE;
	     index = graph->accesses[index].next) {
		graph_choose_raise(run, graph->accesses[index].pass);
	}
}

static void reader_ended(struct graph_run *run, uint32_t number, uint64_t now)
{
	struct graph_version *version = &run->graph->versions[number];

	version->readers_left--;
	if (version->readers_left == 0) {
		free_version(run, number, now);
	} else if (version->readers_left == 1 && run->lives && run->limits.resource) {
		raise_last_reader(run, number);
	}
}

static void writer_ended(struct graph_run *run, uint32_t number, uint32_t failed, uint64_t now)
{
	struct graph_version *version = &run->graph->versions[number];

	if (failed < version->failed) {
		version->failed = failed;
	}
	if (--version->writers_left == 0) {
		meet(run, version->first_reader, version->failed, now);
		if (version->readers_left == 0) {
			free_version(run, number, now);
		}
	}
}

/* A pass has ended. @param failed  Pass whose failure keeps its results from being made, or
 * GRAPH_NONE. */
static void settle(struct graph_run *run, uint32_t number, uint32_t failed, uint64_t now)
{
	const struct graph *graph = run->graph;
	struct graph_pass *pass = &graph->passes[number];

	pass->ended_at = now;
	run->left--;
	const struct graph_access *access = &graph->accesses[pass->first_access];

	for (uint32_t left = pass->accesses; left > 0; left--, access++) {
		if (access->use == GRAPH_USE_READ) {
			reader_ended(run, access->version, now);
		} else if (access->use == GRAPH_USE_WRITE) {
			writer_ended(run, access->version, failed, now);
		}
	}
	if (pass->first_after != GRAPH_NONE) {
		meet(run, pass->first_after, GRAPH_NONE, now);
	}
}

/* Skip a few of the passes that may not start and whose turn has come. */
static void skip_some(struct graph_run *run, uint64_t now)
{
	for (uint32_t count = 0; count < SKIPS; count++) {
		uint32_t number;

		if (run->doomed != 0) {
			number = run->graph->heap[run->graph->pass.used - run->doomed--];
		} else if (run->stopped && run->ready != 0) {
			number = graph_choose_any(run);
		} else {
			return;
		}
		struct graph_pass *pass = &run->graph->passes[number];

		pass->state = GG_GRAPH_PASS_STATE_SKIPPED;
		pass->status = GG_ERR_DEPENDENCY;
		run->skipped++;
		settle(run, number, pass->cause, now);
	}
}

static void start(struct graph_run *run, uint32_t number, uint64_t now)
{
	const struct graph *graph = run->graph;
	struct graph_pass *pass = &graph->passes[number];

	pass->state = GG_GRAPH_PASS_STATE_RUNNING;
	pass->started_at = now;
	pass->ready_at = pass->ready_at != 0 ? pass->ready_at : run->began;
	for (uint32_t index = 0; index < run->counted; index++) {
		run->used[run->kinds[index]] += pass->needs[run->kinds[index]];
	}
	if (++run->running > run->most_at_once) {
		run->most_at_once = run->running;
	}
	for (uint32_t index = 0; run->lives && index < pass->accesses; index++) {
		const struct graph_access *access = &graph->accesses[pass->first_access + index];

		if (access->use != GRAPH_USE_WRITE) {
			continue;
		}
		const struct graph_version *version = &graph->versions[access->version];
		struct graph_resource *resource = &graph->resources[version->resource];

		if (!resource->begun && is_transient(graph, version)) {
			resource->begun = true;
			run->live += resource->bytes;
		}
	}
}

uint32_t graph_run_next(struct graph_run *run, uint64_t now)
{
	run->began = run->began != 0 ? run->began : now;
	run->more = false;
	if (run->doomed != 0 || run->stopped) {
		skip_some(run, now);
		run->more = run->doomed != 0 || (run->stopped && run->ready != 0);
		if (run->more || run->stopped) {
			return GRAPH_NONE;
		}
	}
	const uint32_t pass = graph_choose_take(run);

	if (pass != GRAPH_NONE) {
		start(run, pass, now);
	}
	return pass;
}

void graph_run_end(struct graph_run *run, uint32_t number, enum gg_status status, uint64_t now)
{
	struct graph_pass *pass = &run->graph->passes[number];

	pass->state = status == GG_OK ? GG_GRAPH_PASS_STATE_DONE : GG_GRAPH_PASS_STATE_FAILED;
	pass->status = (int16_t)status;
	if (status != GG_OK) {
		run->failed++;
		run->first_failed = run->first_failed == GRAPH_NONE ? number : run->first_failed;
	}
	for (uint32_t index = 0; index < run->counted; index++) {
		run->used[run->kinds[index]] -= pass->needs[run->kinds[index]];
	}
	run->running--;
	run->look = 0; /* what did not fit may fit now */
	settle(run, number, status == GG_OK ? GRAPH_NONE : number, now);
	run->more = true;
}

void graph_run_stop(struct graph_run *run)
{
	run->stopped = true;
	run->more = true;
}

bool graph_run_is_over(const struct graph_run *run)
{
	return run->left == 0;
}

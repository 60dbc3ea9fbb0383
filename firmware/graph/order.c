/* SPDX-License-Identifier: Apache-2.0 */
/* Topological order (S2-R79) and ranks (S2-R72). Each access is looked at once, through the lists of waiters. */
#include "firmware/graph/order.h"

#include <stddef.h>

#include "firmware/graph/cycle.h"

/* Parts of graph_order_make; `at` counts, `mark` is the number of passes in `order`. */
enum order_stage {
	ORDER_PASSES, /* What passes wait for is counted again. */
	ORDER_VERSIONS, /* So are the writers and readers of versions; content from before the graph is there at once. */
	ORDER_TAKE,  /* Passes that wait for nothing come next, one after the other. */
	ORDER_CYCLE, /* Some passes remain: look for one that is in a cycle. */
};

/* What the accesses of a list wait for has come. Passes that wait for nothing more are next in order. */
static uint32_t meet(struct graph *graph, uint32_t access)
{
	uint32_t met = 0;

	for (; access != GRAPH_NONE; access = graph->accesses[access].next, met++) {
		const uint32_t pass = graph->accesses[access].pass;

		if (--graph->passes[pass].unmet == 0) {
			graph->order[graph->work.mark++] = pass;
		}
	}
	return met;
}

/* The version has one writer or one reader less, or it was there from the start. */
static uint32_t meet_version(struct graph *graph, const struct graph_version *version, bool written)
{
	uint32_t met = 0;

	if (version->writers_left == 0) {
		met += written ? meet(graph, version->first_reader) : 0;
		met += version->readers_left == 0 ? meet(graph, version->first_free) : 0;
	}
	return met;
}

static uint32_t order_pass(struct graph *graph, uint32_t number)
{
	struct graph_pass *pass = &graph->passes[number];

	pass->unmet = pass->waits;
	if (pass->waits == 0) {
		graph->order[graph->work.mark++] = number;
	}
	return 1;
}

static uint32_t order_version(struct graph *graph, uint32_t number)
{
	struct graph_version *version = &graph->versions[number];

	version->writers_left = version->writers;
	version->readers_left = version->readers;
	return 1 + meet_version(graph, version, version->writers == 0);
}

/* The next pass in order counts as ended: find what that lets go. */
static uint32_t order_take(struct graph *graph, uint32_t place)
{
	const struct graph_pass *pass = &graph->passes[graph->order[place]];
	uint32_t met = 1 + meet(graph, pass->first_after);

	for (uint32_t i = 0; i < pass->accesses; i++, met++) {
		const struct graph_access *access = &graph->accesses[pass->first_access + i];

		if (access->use == GRAPH_USE_WRITE) {
			struct graph_version *version = &graph->versions[access->version];

			version->writers_left--;
			met += meet_version(graph, version, true);
		} else if (access->use == GRAPH_USE_READ) {
			struct graph_version *version = &graph->versions[access->version];

			version->readers_left--;
			met += meet_version(graph, version, false);
		}
	}
	return met;
}

/* Go on to the next stage, or to the end. */
static void order_next(struct graph *graph, uint32_t *cursor)
{
	struct graph_work *work = &graph->work;

	if (work->stage == ORDER_TAKE && work->mark == graph->pass.used) {
		*cursor = UINT32_MAX;
	}
	work->stage++;
	work->at = 0;
}

/* Look at one element. Returns how many elements that took. */
static uint32_t order_step(struct graph *graph, uint32_t *cursor)
{
	struct graph_work *work = &graph->work;
	const uint32_t ends[] = { graph->pass.used, graph->version.used, work->mark };

	if (work->at == ends[work->stage]) {
		order_next(graph, cursor);
		return 1;
	}
	const uint32_t at = work->at++;

	switch ((enum order_stage)work->stage) {
	case ORDER_PASSES:
		return order_pass(graph, at);
	case ORDER_VERSIONS:
		return order_version(graph, at);
	default:
		return order_take(graph, at);
	}
}

/* Without references to later passes the passes are in order as they are. */
static void order_as_is(struct graph *graph, uint32_t *cursor, uint32_t budget)
{
	const uint32_t left = graph->pass.used - graph->work.at;
	const uint32_t end = graph->work.at + (left < budget ? left : budget);

	for (uint32_t at = graph->work.at; at < end; at++) {
		graph->order[at] = at;
	}
	graph->work.at = end;
	if (end == graph->pass.used) {
		*cursor = UINT32_MAX;
	}
}

struct refusal graph_order_make(struct graph *graph, uint32_t *cursor, uint32_t budget)
{
	struct graph_work *work = &graph->work;

	if (*cursor == 0) {
		*cursor = 1;
		*work = (struct graph_work){ .stage = ORDER_PASSES };
	}
	if (!graph->forward) {
		order_as_is(graph, cursor, budget);
		return refusal_none();
	}
	for (uint32_t done = 0; done < budget && *cursor != UINT32_MAX;) {
		if (work->stage < ORDER_CYCLE) {
			done += order_step(graph, cursor);
		} else if (cycle_step(graph, &done)) {
			return refusal_of(GG_ERR_GRAPH_CYCLE, 0, work->first);
		}
	}
	return refusal_none();
}

/* Parts of graph_order_rank. */
enum rank_stage {
	RANK_VERSIONS,
	RANK_PASSES
};

/* Highest rank of the passes in a list. For the list of a version, which many passes use, it is found once and kept. */
static uint32_t list_rank(const struct graph *graph, uint32_t access)
{
	uint32_t most = 0;

	for (; access != GRAPH_NONE; access = graph->accesses[access].next) {
		const uint32_t rank = graph->passes[graph->accesses[access].pass].rank;

		most = rank > most ? rank : most;
	}
	return most;
}

/* Highest rank of the passes that wait until the version is free. */
static inline uint32_t free_rank(const struct graph *graph, struct graph_version *version)
{
	if (version->free_rank == GRAPH_NONE) {
		version->free_rank = list_rank(graph, version->first_free);
	}
	return version->free_rank;
}

/* Highest rank of all passes that wait for this one. */
static inline uint32_t version_rank(const struct graph *graph, struct graph_version *version)
{
	const uint32_t rank = free_rank(graph, version);

	if (version->reader_rank == GRAPH_NONE) {
		version->reader_rank = list_rank(graph, version->first_reader);
	}
	return version->reader_rank > rank ? version->reader_rank : rank;
}

/* All passes that wait for this one have their ranks already. */
static uint32_t rank_pass(struct graph *graph, struct graph_pass *pass)
{
	const struct graph_access *access = &graph->accesses[pass->first_access];
	const struct graph_access *const end = access + pass->accesses;
	uint32_t most = list_rank(graph, pass->first_after);

	pass->after_rank = most;
	for (; access < end; access++) {
		uint32_t rank = 0;

		if (access->use == GRAPH_USE_READ) {
			rank = free_rank(graph, &graph->versions[access->version]);
		} else if (access->use == GRAPH_USE_WRITE) {
			rank = version_rank(graph, &graph->versions[access->version]);
		}
		most = rank > most ? rank : most;
	}
	const uint32_t room = GRAPH_NONE - 1 - most;

	pass->rank = most + (pass->estimate < room ? pass->estimate : room);
	return 1 + pass->accesses;
}

/* Forget what was kept. Returns how many versions were looked at. */
static uint32_t rank_reset(struct graph *graph, uint32_t budget)
{
	struct graph_work *work = &graph->work;
	const uint32_t left = graph->version.used - work->at;
	const uint32_t count = left < budget ? left : budget;

	for (uint32_t at = work->at; at < work->at + count; at++) {
		graph->versions[at].reader_rank = GRAPH_NONE;
		graph->versions[at].free_rank = GRAPH_NONE;
	}
	work->at += count;
	return count;
}

void graph_order_rank(struct graph *graph, uint32_t *cursor, uint32_t budget)
{
	struct graph_work *work = &graph->work;

	if (*cursor == 0) {
		*cursor = 1;
		*work = (struct graph_work){ .mark = graph->pass.used };
	}
	uint32_t done = rank_reset(graph, budget);

	while (done < budget && work->mark > 0) {
		work->mark--;
		done += rank_pass(graph, &graph->passes[graph->order[work->mark]]);
	}
	if (work->mark == 0) {
		*cursor = UINT32_MAX;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of transient buffers (S2-Q18, S2-R39). The plan walks through the passes in topological order: a transient
 * gets a place before its first writer and gives it back behind its last user. The plan is right for every schedule,
 * because whoever gets memory that was used before waits until its last user has ended (S2-R79). */
#include "firmware/graph/plan.h"

#include "firmware/graph/space.h"

/* Parts of graph_plan; `at` counts. */
enum plan_stage {
	PLAN_RESET, /* The users of versions are counted again. */
	PLAN_SWEEP, /* Places are given and taken back, pass by pass. */
	PLAN_UNDO, /* It did not fit: the added waits are taken back, from the last one down to work->mark. */
};

/* There is no room for the waits. */
static struct refusal refuse_size(const struct graph *graph, uint32_t pass)
{
	return refusal_of(GG_ERR_GRAPH_TOO_LARGE, GG_FIELD_GRAPH_STEP_OP, graph->passes[pass].step);
}

/* A transient gets a place, for the first pass that writes it. */
static struct refusal begin_life(struct graph *graph, uint32_t pass, uint32_t resource,
				 uint64_t space_bytes)
{
	const uint64_t bytes = graph->resources[resource].bytes;

	if (bytes > SPACE_MOST) {
		return refusal_of(GG_ERR_GRAPH_MEMORY, GG_FIELD_GRAPH_RESOURCE_BYTES, bytes);
	}
	const enum gg_status status = space_give(graph, resource, pass, space_bytes);

	if (status == GG_OK) {
		graph->sum_bytes += space_round(bytes);
	}
	return status == GG_ERR_GRAPH_TOO_LARGE
		       ? refuse_size(graph, pass)
		       : refusal_of(status, GG_FIELD_GRAPH_SPACE_BYTES, bytes);
}

/* Another writer of the first version waits for the same memory as the writer that came first in order. */
static struct refusal wait_too(struct graph *graph, uint32_t pass, uint32_t resource)
{
	const struct graph_region *region = &graph->resources[resource].region;

	for (uint32_t i = 0; i < region->waits; i++) {
		const uint32_t version = graph->accesses[region->first_wait + i].version;

		if (!space_wait(graph, pass, version)) {
			return refuse_size(graph, pass);
		}
	}
	return refusal_none();
}

/* A pass is about to write. */
static struct refusal before_write(struct graph *graph, const struct graph_access *access,
				   uint64_t space_bytes)
{
	const uint32_t number = graph->versions[access->version].resource;
	const struct graph_resource *resource = &graph->resources[number];

	if (resource->kind != GG_GRAPH_RESOURCE_KIND_TRANSIENT ||
	    resource->first != access->version) {
		return refusal_none();
	}
	return resource->life == SPACE_LIFE_NONE
		       ? begin_life(graph, access->pass, number, space_bytes)
		       : wait_too(graph, access->pass, number);
}

/* A pass has used a version. If that was the last use of the last version, nobody uses the transient any more:
 * whoever wrote the last version waited for all users of those before. */
static void after_access(struct graph *graph, const struct graph_access *access)
{
	struct graph_version *version = &graph->versions[access->version];

	version->writers_left -= access->use == GRAPH_USE_WRITE;
	version->readers_left -= access->use == GRAPH_USE_READ;
	if ((version->writers_left | version->readers_left) == 0 && version->next == GRAPH_NONE &&
	    graph->resources[version->resource].kind == GG_GRAPH_RESOURCE_KIND_TRANSIENT) {
		space_take(graph, version->resource);
	}
}

/* What begins is handled before what ends, because the pass uses both. */
static struct refusal sweep_pass(struct graph *graph, const struct graph_pass *pass,
				 uint64_t space_bytes)
{
	const struct graph_access *const first = &graph->accesses[pass->first_access];
	const struct graph_access *const end = first + pass->accesses;

	for (const struct graph_access *access = first; access < end; access++) {
		if (access->use == GRAPH_USE_WRITE) {
			const struct refusal refusal = before_write(graph, access, space_bytes);

			if (refusal.status != GG_OK) {
				return refusal;
			}
		}
	}
	for (const struct graph_access *access = first; access < end; access++) {
		if (access->use == GRAPH_USE_WRITE || access->use == GRAPH_USE_READ) {
			after_access(graph, access);
		}
	}
	return refusal_none();
}

static void reset_version(struct graph *graph, uint32_t number)
{
	struct graph_version *version = &graph->versions[number];

	version->writers_left = version->writers;
	version->readers_left = version->readers;
	graph->resources[version->resource].life = SPACE_LIFE_NONE;
}

/* Take back the wait that was added last. It is the first one of its list. */
static void undo_wait(struct graph *graph)
{
	const struct graph_access *access = &graph->accesses[--graph->access.used];

	graph->versions[access->version].first_free = access->next;
	graph->passes[access->pass].waits--;
}

static void begin(struct graph *graph, enum space_way way)
{
	struct graph_work *work = &graph->work;
	const uint32_t mark = work->mark;

	*work = (struct graph_work){ .stage = PLAN_RESET,
				     .mark = mark,
				     .first = GRAPH_NONE,
				     .last = GRAPH_NONE,
				     .tail = GRAPH_NONE };
	graph->space_way = (uint8_t)way;
	graph->sum_bytes = 0;
}

/* The walk has come to its end, or to something that does not fit. */
static struct refusal sweep_over(struct graph *graph, struct refusal refusal, uint32_t *cursor)
{
	if (refusal.status == GG_ERR_GRAPH_MEMORY && refusal.field == GG_FIELD_GRAPH_SPACE_BYTES) {
		graph->work.stage = PLAN_UNDO;
		return refusal_none();
	}
	if (refusal.status != GG_OK) {
		return refusal;
	}
	*cursor = UINT32_MAX;
	graph->peak_bytes = graph->work.top;
	return graph->space_way == SPACE_MEASURE
		       ? refusal_of(GG_ERR_GRAPH_MEMORY, GG_FIELD_GRAPH_SPACE_BYTES,
				    graph->work.top)
		       : refusal_none();
}

/* Passes, as many as the budget allows. */
static struct refusal sweep(struct graph *graph, uint64_t space_bytes, uint32_t *cursor,
			    uint32_t budget)
{
	struct graph_work *work = &graph->work;
	struct refusal refusal = refusal_none();

	for (uint32_t done = 0; done < budget && refusal.status == GG_OK; done++) {
		if (work->at == graph->pass.used) {
			return sweep_over(graph, refusal, cursor);
		}
		const struct graph_pass *pass = &graph->passes[graph->order[work->at++]];

		done += pass->accesses;
		refusal = sweep_pass(graph, pass, space_bytes);
	}
	return refusal.status == GG_OK ? refusal : sweep_over(graph, refusal, cursor);
}

/* Elements of the other stages, as many as the budget allows. */
static void prepare(struct graph *graph, uint32_t budget)
{
	struct graph_work *work = &graph->work;

	for (; budget > 0 && work->stage == PLAN_UNDO; budget--) {
		if (graph->access.used == work->mark) {
			begin(graph, graph->space_way + 1);
		} else {
			undo_wait(graph);
		}
	}
	for (; budget > 0 && work->stage == PLAN_RESET; budget--) {
		if (work->at == graph->version.used) {
			work->stage = PLAN_SWEEP;
			work->at = 0;
		} else {
			reset_version(graph, work->at++);
		}
	}
}

struct refusal graph_plan(struct graph *graph, uint64_t space_bytes, bool resource,
			  uint32_t *cursor, uint32_t budget)
{
	if (*cursor == 0) {
		*cursor = 1;
		graph->work.mark = graph->access.used;
		begin(graph, resource ? SPACE_TIGHT : SPACE_APART);
	}
	if (!graph->transients) {
		*cursor = UINT32_MAX;
		return refusal_none();
	}
	if (graph->work.stage == PLAN_SWEEP) {
		return sweep(graph, space_bytes, cursor, budget);
	}
	prepare(graph, budget);
	return refusal_none();
}

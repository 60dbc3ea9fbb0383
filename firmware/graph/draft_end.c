/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/draft_end.h"

/* The access waits for a version, in one of its lists. */
static inline void wait_in(struct graph *graph, uint32_t number, uint32_t *list, uint32_t version,
			   enum graph_use use)
{
	struct graph_access *access = &graph->accesses[number];

	access->version = version;
	access->use = (uint8_t)use;
	access->next = *list;
	*list = number;
}

/* It reads a version. */
static inline void wait_written(struct graph *graph, uint32_t number, uint32_t version)
{
	struct graph_version *of = &graph->versions[version];

	of->readers++;
	wait_in(graph, number, &of->first_reader, version, GRAPH_USE_READ);
}

/* Add the next version of a resource. Returns false when there is no room. */
static bool version_add(struct graph *graph, uint32_t number)
{
	struct graph_resource *resource = &graph->resources[number];

	if (graph->version.used == graph->version.most) {
		return false;
	}
	graph->versions[graph->version.used] = (struct graph_version){ .resource = number,
								       .first_reader = GRAPH_NONE,
								       .first_free = GRAPH_NONE,
								       .next = GRAPH_NONE,
								       .failed = GRAPH_NONE };
	if (resource->last == GRAPH_NONE) {
		resource->first = graph->version.used;
		graph->resources_used++;
	} else {
		graph->versions[resource->last].next = graph->version.used;
	}
	resource->declared.before = resource->last;
	resource->last = graph->version.used++;
	return true;
}

/* The newest version gets one more writer. The access itself is used for that, unless it waits for something. */
static bool version_write(struct graph *graph, uint32_t version, uint32_t access, bool waits)
{
	graph->versions[version].writers++;
	if (waits) {
		return draft_add_access(graph, version, GRAPH_USE_WRITE);
	}
	graph->accesses[access].version = version;
	graph->accesses[access].use = GRAPH_USE_WRITE;
	return true;
}

/* A declaration in a program without order: a resource has one version, and its readers wait for it (S2-R59). */
static enum gg_status resolve_unordered(struct graph *graph, struct graph_pass *pass,
					uint32_t access)
{
	const uint32_t number = graph->accesses[access].version;
	const uint32_t marks = graph->accesses[access].use;
	const struct graph_resource *resource = &graph->resources[number];
	const bool reads = (marks & DRAFT_READ) != 0;

	if (resource->last == GRAPH_NONE && !version_add(graph, number)) {
		return GG_ERR_GRAPH_TOO_LARGE;
	}
	if (reads) {
		wait_written(graph, access, resource->last);
		pass->waits++;
	}
	if (marks != DRAFT_READ && !version_write(graph, resource->last, access, reads)) {
		return GG_ERR_GRAPH_TOO_LARGE;
	}
	return GG_OK;
}

/* The pass reads what was there before the graph. A transient has no such content. */
static enum gg_status read_input(struct graph *graph, uint32_t number)
{
	if (graph->resources[number].kind == GG_GRAPH_RESOURCE_KIND_TRANSIENT) {
		return GG_ERR_GRAPH_RESOURCE;
	}
	return version_add(graph, number) ? GG_OK : GG_ERR_GRAPH_TOO_LARGE;
}

/* A pass writes, in a program with order. */
static enum gg_status resolve_write(struct graph *graph, struct graph_pass *pass, uint32_t access,
				    uint32_t number, uint32_t marks)
{
	struct graph_resource *resource = &graph->resources[number];
	const bool joins = resource->shared && marks == DRAFT_SHARE;
	const uint32_t old = joins ? resource->declared.before : resource->last;

	resource->shared = marks == DRAFT_SHARE;
	if (old != GRAPH_NONE) {
		wait_in(graph, access, &graph->versions[old].first_free, old,
			(marks & DRAFT_READ) != 0 ? GRAPH_USE_UPDATE : GRAPH_USE_FREE);
		pass->waits++;
	}
	if (!joins && !version_add(graph, number)) {
		return GG_ERR_GRAPH_TOO_LARGE;
	}
	return version_write(graph, resource->last, access, old != GRAPH_NONE)
		       ? GG_OK
		       : GG_ERR_GRAPH_TOO_LARGE;
}

/* A declaration in program order (S2-Q5, S2-Q6). */
static enum gg_status resolve_ordered(struct graph *graph, struct graph_pass *pass, uint32_t access)
{
	const uint32_t number = graph->accesses[access].version;
	const uint32_t marks = graph->accesses[access].use;
	struct graph_resource *resource = &graph->resources[number];

	if ((marks & DRAFT_READ) != 0 && resource->last == GRAPH_NONE) {
		const enum gg_status status = read_input(graph, number);

		if (status != GG_OK) {
			return status;
		}
	}
	if (marks != DRAFT_READ) {
		return resolve_write(graph, pass, access, number, marks);
	}
	resource->shared = false;
	wait_written(graph, access, resource->last);
	pass->waits++;
	return GG_OK;
}

/* AFTER an earlier pass can be linked now; a later one is looked up when the graph is complete. */
static void resolve_after(struct graph *graph, struct graph_pass *pass, uint32_t number)
{
	struct graph_access *access = &graph->accesses[number];
	const bool earlier = access->version < graph->pass.used;
	uint32_t *list = earlier ? &graph->passes[access->version].first_after : &graph->late;

	graph->forward = graph->forward || !earlier;
	access->use = GRAPH_USE_AFTER;
	access->next = *list;
	*list = number;
	pass->waits++;
}

static enum gg_status resolve(struct graph *graph, struct graph_pass *pass, uint32_t number)
{
	const uint32_t marks = graph->accesses[number].use;

	if (marks == DRAFT_AFTER) {
		resolve_after(graph, pass, number);
		return GG_OK;
	}
	graph->reads += marks & DRAFT_READ;
	graph->writes += marks != DRAFT_READ;
	return graph->unordered ? resolve_unordered(graph, pass, number)
				: resolve_ordered(graph, pass, number);
}

/* Take over what the pass needs, and keep the most that any pass needs. */
static void take_needs(struct graph_draft *draft, struct graph_pass *pass)
{
	struct graph *graph = draft->graph;

	for (uint32_t kind = 0; kind < GRAPH_NEEDS; kind++) {
		pass->needs[kind] = draft->needs[kind];
		if (draft->needs[kind] > graph->needs_most[kind]) {
			graph->needs_most[kind] = draft->needs[kind];
		}
		draft->needs[kind] = 0;
	}
	draft->needy = false;
}

struct refusal graph_draft_end(struct graph_draft *draft, uint16_t definition)
{
	struct graph *graph = draft->graph;
	const uint32_t declared = graph->access.used;

	if (graph_draft_commands(draft) == 0) {
		return refusal_none();
	}
	if (graph->pass.used == graph->pass.most) {
		return draft_refuse_size(draft);
	}
	struct graph_pass *pass = &graph->passes[graph->pass.used];

	*pass = (struct graph_pass){ .first_access = draft->first_access,
				     .first_command = draft->first_command,
				     .commands = (uint8_t)graph_draft_commands(draft),
				     .definition = definition,
				     .step = draft->step,
				     .first_after = GRAPH_NONE,
				     .estimate = 1,
				     .cause = GRAPH_NONE };
	for (uint32_t access = draft->first_access; access < declared; access++) {
		const enum gg_status status = resolve(graph, pass, access);

		if (status != GG_OK) {
			return draft_refuse(draft, status, GG_FIELD_GRAPH_STEP_OP);
		}
	}
	if (graph->access.used - draft->first_access > UINT16_MAX) {
		return draft_refuse_size(draft);
	}
	pass->accesses = (uint16_t)(graph->access.used - draft->first_access);
	if (draft->needy) {
		take_needs(draft, pass);
	}
	graph->pass.used++;
	draft_next(draft);
	return refusal_none();
}

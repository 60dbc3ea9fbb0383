/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about a graph in topological order: one walk along it answers each. */
#include "firmware/graph/order.h"

/* Bits of `marks`. */
#define MARK_USER  1u /* It uses the resource. */
#define MARK_FOUND 2u /* It depends on the pass; or: a user waits for it. */

static void mark_all(const struct graph *graph, uint8_t *marks, uint8_t mark)
{
	for (uint32_t i = 0; i < graph->pass.used; i++) {
		marks[i] = mark;
	}
}

/* Passes in a list get a mark: all, or those that read what they wait for. */
static void mark_readers(const struct graph *graph, uint32_t access, uint8_t *marks)
{
	for (; access != GRAPH_NONE; access = graph->accesses[access].next) {
		if (graph->accesses[access].use != GRAPH_USE_FREE) {
			marks[graph->accesses[access].pass] = MARK_FOUND;
		}
	}
}

bool graph_order_depends(const struct graph *graph, uint32_t later, uint32_t earlier,
			 uint8_t *marks)
{
	mark_all(graph, marks, 0);
	marks[earlier] = MARK_FOUND;
	for (uint32_t place = 0; place < graph->pass.used; place++) {
		const struct graph_pass *pass = &graph->passes[graph->order[place]];

		for (uint32_t i = 0; marks[graph->order[place]] != 0 && i < pass->accesses; i++) {
			const struct graph_access *access =
				&graph->accesses[pass->first_access + i];

			if (access->use == GRAPH_USE_WRITE) {
				const struct graph_version *version =
					&graph->versions[access->version];

				mark_readers(graph, version->first_reader, marks);
				mark_readers(graph, version->first_free, marks);
			}
		}
	}
	return later != earlier && marks[later] != 0;
}

/* Some pass of a list uses the resource, or a user waits for it. */
static bool any_marked(const struct graph *graph, uint32_t access, const uint8_t *marks)
{
	for (; access != GRAPH_NONE; access = graph->accesses[access].next) {
		if (marks[graph->accesses[access].pass] != 0) {
			return true;
		}
	}
	return false;
}

/* A user of the resource waits for this pass; for those that follow it that is known. */
static bool is_waited_for(const struct graph *graph, const struct graph_pass *pass,
			  const uint8_t *marks)
{
	bool found = any_marked(graph, pass->first_after, marks);

	for (uint32_t i = 0; i < pass->accesses && !found; i++) {
		const struct graph_access *access = &graph->accesses[pass->first_access + i];

		if (access->use == GRAPH_USE_WRITE || access->use == GRAPH_USE_READ) {
			const struct graph_version *version = &graph->versions[access->version];

			found = any_marked(graph, version->first_free, marks) ||
				(access->use == GRAPH_USE_WRITE &&
				 any_marked(graph, version->first_reader, marks));
		}
	}
	return found;
}

/* Mark who writes or reads the last version. */
static void mark_users(const struct graph *graph, uint32_t version, uint8_t *marks)
{
	for (uint32_t number = 0; number < graph->pass.used; number++) {
		const struct graph_pass *pass = &graph->passes[number];

		for (uint32_t i = 0; i < pass->accesses; i++) {
			const struct graph_access *access =
				&graph->accesses[pass->first_access + i];

			if (access->version == version &&
			    (access->use == GRAPH_USE_WRITE || access->use == GRAPH_USE_READ)) {
				marks[number] = MARK_USER;
			}
		}
	}
}

uint32_t graph_order_last(const struct graph *graph, uint32_t resource, uint32_t *passes,
			  uint32_t most, uint8_t *marks)
{
	const uint32_t version = graph->resources[resource].last;
	uint32_t count = 0;

	mark_all(graph, marks, 0);
	if (version == GRAPH_NONE) {
		return 0;
	}
	mark_users(graph, version, marks);
	for (uint32_t place = graph->pass.used; place-- > 0;) {
		const uint32_t number = graph->order[place];
		const bool waited_for = is_waited_for(graph, &graph->passes[number], marks);

		if ((marks[number] & MARK_USER) != 0 && !waited_for) {
			if (count < most) {
				passes[count] = number;
			}
			count++;
		}
		marks[number] |= waited_for ? MARK_FOUND : 0;
	}
	return count;
}

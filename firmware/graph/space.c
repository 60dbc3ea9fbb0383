/* SPDX-License-Identifier: Apache-2.0 */
/* Use of graph->work: `first` and `last` are the ends of the list of free pieces, `tail` is the piece with the
 * highest address, `top` is the end of that piece. */
#include "firmware/graph/space.h"

/* Pieces that a search looks at, at most: while there is fresh memory, and when there is none. */
#define SEARCH_SHORT 64u
#define SEARCH_LONG  4096u

static struct graph_region *region_of(struct graph *graph, uint32_t resource)
{
	return &graph->resources[resource].region;
}

static bool is_free(const struct graph *graph, uint32_t resource)
{
	return resource != GRAPH_NONE && graph->resources[resource].life == SPACE_LIFE_FREE;
}

static uint64_t end_of(const struct graph *graph, uint32_t resource)
{
	return graph->resources[resource].address + space_round(graph->resources[resource].bytes);
}

bool space_wait(struct graph *graph, uint32_t pass, uint32_t version)
{
	if (graph->access.used == graph->access.most) {
		return false;
	}
	const uint32_t number = graph->access.used++;

	graph->accesses[number] =
		(struct graph_access){ .pass = pass,
				       .version = version,
				       .next = graph->versions[version].first_free,
				       .use = GRAPH_USE_FREE };
	graph->versions[version].first_free = number;
	graph->passes[pass].waits++;
	return true;
}

/* A free piece with so many free bytes from its lower end on. Of several, the one where least is left over. */
static uint32_t search(struct graph *graph, uint64_t bytes, uint32_t most)
{
	uint32_t best = GRAPH_NONE;
	uint64_t left = UINT64_MAX;

	for (uint32_t at = graph->work.first; at != GRAPH_NONE && most > 0 && left > 0;
	     at = region_of(graph, at)->next) {
		const uint64_t from = region_of(graph, at)->from;
		uint64_t end = from;

		for (uint32_t piece = at; is_free(graph, piece) && end - from < bytes && most > 0;
		     piece = region_of(graph, piece)->above, most--) {
			end = end_of(graph, piece);
		}
		if (end - from >= bytes && end - from - bytes < left) {
			left = end - from - bytes;
			best = at;
		}
	}
	return best;
}

/* The lowest of the free pieces below the top that have so many bytes together with the fresh memory above. */
static uint32_t top_piece(struct graph *graph, uint64_t bytes)
{
	uint32_t best = GRAPH_NONE;

	for (uint32_t at = graph->work.tail; is_free(graph, at); at = region_of(graph, at)->below) {
		best = at;
		if (graph->work.top - region_of(graph, at)->from >= bytes) {
			break;
		}
	}
	return best;
}

/* Where the place begins: a free piece, or GRAPH_NONE for the top. */
static bool choose(struct graph *graph, uint64_t bytes, uint64_t space_bytes, uint32_t *piece)
{
	const bool apart = graph->space_way == SPACE_APART;

	*piece = apart ? GRAPH_NONE : search(graph, bytes, SEARCH_SHORT);
	if (*piece != GRAPH_NONE) {
		return true;
	}
	*piece = apart ? GRAPH_NONE : top_piece(graph, bytes);

	const uint64_t from =
		*piece == GRAPH_NONE ? graph->work.top : region_of(graph, *piece)->from;

	if (graph->space_way == SPACE_MEASURE || from + bytes <= space_bytes) {
		return true;
	}
	*piece = search(graph, bytes, SEARCH_LONG);
	return *piece != GRAPH_NONE;
}

static void unlink_free(struct graph *graph, const struct graph_region *region)
{
	*(region->before == GRAPH_NONE ? &graph->work.first
				       : &region_of(graph, region->before)->next) = region->next;
	*(region->next == GRAPH_NONE ? &graph->work.last
				     : &region_of(graph, region->next)->before) = region->before;
}

/* The pieces from this one on give up their memory below an address, and the pass waits for the last user of each.
 * Returns false when there is no room for the waits.
 * @param[in,out] piece  The first piece; then the next one. */
static bool cover(struct graph *graph, uint32_t *piece, uint64_t end, uint32_t pass)
{
	while (*piece != GRAPH_NONE && region_of(graph, *piece)->from < end) {
		struct graph_region *region = region_of(graph, *piece);

		if (graph->space_way != SPACE_MEASURE &&
		    !space_wait(graph, pass, graph->resources[*piece].last)) {
			return false;
		}
		if (end_of(graph, *piece) > end) {
			region->from = end;
			break;
		}
		unlink_free(graph, region);
		graph->resources[*piece].life = SPACE_LIFE_GONE;
		*piece = region->above;
	}
	return true;
}

/* Put a piece between two others, by address. */
static void link_piece(struct graph *graph, uint32_t resource, uint32_t below, uint32_t above)
{
	struct graph_region *region = region_of(graph, resource);

	region->below = below;
	region->above = above;
	if (below != GRAPH_NONE) {
		region_of(graph, below)->above = resource;
	}
	*(above == GRAPH_NONE ? &graph->work.tail : &region_of(graph, above)->below) = resource;
}

enum gg_status space_give(struct graph *graph, uint32_t resource, uint32_t pass,
			  uint64_t space_bytes)
{
	struct graph_work *work = &graph->work;
	struct graph_region *region = region_of(graph, resource);
	const uint64_t bytes = space_round(graph->resources[resource].bytes);
	const uint32_t first_wait = graph->access.used;
	uint32_t piece;

	if (!choose(graph, bytes, space_bytes, &piece)) {
		return GG_ERR_GRAPH_MEMORY;
	}
	const uint64_t from = piece == GRAPH_NONE ? work->top : region_of(graph, piece)->from;
	const uint32_t below = piece == GRAPH_NONE ? work->tail : region_of(graph, piece)->below;

	if (!cover(graph, &piece, from + bytes, pass)) {
		return GG_ERR_GRAPH_TOO_LARGE;
	}
	link_piece(graph, resource, below, piece);
	work->top = from + bytes > work->top ? from + bytes : work->top;
	region->from = from;
	region->first_wait = first_wait;
	region->waits = graph->access.used - first_wait;
	graph->resources[resource].address = from;
	graph->resources[resource].life = SPACE_LIFE_USED;
	return GG_OK;
}

/* Memory that was used last is used again first, because it is still in caches; or last, to keep passes independent
 * of each other. */
void space_take(struct graph *graph, uint32_t resource)
{
	struct graph_work *work = &graph->work;
	struct graph_region *region = region_of(graph, resource);
	const bool apart = graph->space_way == SPACE_APART;

	graph->resources[resource].life = SPACE_LIFE_FREE;
	region->before = apart ? work->last : GRAPH_NONE;
	region->next = apart ? GRAPH_NONE : work->first;
	*(region->before == GRAPH_NONE ? &work->first : &region_of(graph, region->before)->next) =
		resource;
	*(region->next == GRAPH_NONE ? &work->last : &region_of(graph, region->next)->before) =
		resource;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/heap.h"

/* Passes are in one array, so that the lower number has the lower address. */
static inline bool before(bool gains, const struct graph_pass *one, const struct graph_pass *other)
{
	if (gains && one->gain != other->gain) {
		return one->gain > other->gain;
	}
	return one->rank != other->rank ? one->rank > other->rank : one < other;
}

bool graph_heap_before(const struct graph_run *run, uint32_t a, uint32_t b)
{
	return before(run->limits.resource, &run->graph->passes[a], &run->graph->passes[b]);
}

/* Move the pass at `place` towards the first, as long as it comes before the others. */
static void rise(const struct graph_run *run, uint32_t place, uint32_t number)
{
	const bool gains = run->limits.resource;
	struct graph_pass *passes = run->graph->passes;
	struct graph_pass *pass = &passes[number];
	uint32_t *heap = run->graph->heap;

	while (place != 0) {
		const uint32_t parent = (place - 1) / 2;
		struct graph_pass *other = &passes[heap[parent]];

		if (!before(gains, pass, other)) {
			break;
		}
		heap[place] = heap[parent];
		other->place = place;
		place = parent;
	}
	heap[place] = number;
	pass->place = place;
}

/* Close the hole at `place`: the better of the two members below moves up, again and again. Returns the place of the
 * last hole. */
static uint32_t close(const struct graph_run *run, uint32_t place)
{
	const bool gains = run->limits.resource;
	const uint32_t ready = run->ready;
	struct graph_pass *passes = run->graph->passes;
	uint32_t *heap = run->graph->heap;

	for (uint32_t child = 2 * place + 1; child < ready; child = 2 * place + 1) {
		struct graph_pass *best = &passes[heap[child]];

		if (child + 1 < ready && before(gains, &passes[heap[child + 1]], best)) {
			best = &passes[heap[++child]];
		}
		heap[place] = heap[child];
		best->place = place;
		place = child;
	}
	return place;
}

uint32_t graph_heap_take(struct graph_run *run, uint32_t place)
{
	const uint32_t *heap = run->graph->heap;
	const uint32_t pass = heap[place];
	const uint32_t last = heap[--run->ready];

	/* The last member mostly belongs far down. To put it into the last hole and let it rise costs less than to
	 * compare it on the way down. */
	if (place != run->ready) {
		rise(run, close(run, place), last);
	}
	return pass;
}

void graph_heap_add(struct graph_run *run, uint32_t pass)
{
	rise(run, run->ready++, pass);
}

void graph_heap_rise(struct graph_run *run, uint32_t pass)
{
	rise(run, run->graph->passes[pass].place, pass);
}

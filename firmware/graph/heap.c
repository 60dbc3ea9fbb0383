/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/heap.h"

/* So many places at most a list is moved by; a pass that belongs farther away makes it a heap that is no list. */
#define SHORT 8u

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

void graph_heap_init(struct graph_run *run)
{
	run->heap = run->graph->heap;
	run->ready = 0;
}

/* Move the pass at `place` towards the first, as long as it comes before the others: of a list one by one, else from the member
 * below to the one above. What a list was moved by until it is none lies in its order still, so it is a heap then. */
static void rise(struct graph_run *run, uint32_t place, uint32_t number)
{
	const bool gains = run->limits.resource;
	struct graph_pass *passes = run->graph->passes;
	struct graph_pass *pass = &passes[number];
	uint32_t *heap = run->heap;
	const uint32_t far = place - SHORT;

	while (place != 0) {
		if (place == far) {
			run->sorted = false;
		}
		const uint32_t parent = run->sorted ? place - 1 : (place - 1) / 2;
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
	uint32_t *heap = run->heap;

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
	uint32_t *heap = run->heap;
	const uint32_t pass = heap[place];

	run->ready--;
	if (run->sorted && place < SHORT) {
		for (; place != 0; place--) {
			heap[place] = heap[place - 1];
		}
		run->heap = heap + 1;
	} else if (place != run->ready) {
		/* The last member mostly belongs far down. To put it into the last hole and let it rise costs less than
		 * to compare it on the way down. */
		run->sorted = false;
		rise(run, close(run, place), heap[run->ready]);
	}
	return pass;
}

void graph_heap_add(struct graph_run *run, uint32_t pass)
{
	if (run->ready == 0) {
		/* Gains change while passes wait, so only the order by rank can be that of a list. */
		run->sorted = !run->limits.resource;
	}
	rise(run, run->ready++, pass);
}

void graph_heap_rise(struct graph_run *run, uint32_t pass)
{
	rise(run, run->graph->passes[pass].place, pass);
}

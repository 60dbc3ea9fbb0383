/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/choose.h"

#include "firmware/graph/heap.h"
#include "firmware/graph/lives.h"

/* Kinds with budgets come first, then those without that passes need. */
static void count_kinds(struct graph_run *run, bool budgets)
{
	for (uint32_t kind = 0; kind < GRAPH_NEEDS; kind++) {
		const uint32_t budget = run->limits.budgets[kind];
		const uint32_t whole = budget != 0 ? budget : run->graph->needs_most[kind];

		if ((budget != 0) == budgets && whole != 0) {
			run->kinds[run->counted++] = (uint8_t)kind;
			run->weight[kind] = UINT32_MAX / whole;
		}
	}
}

void graph_choose_init(struct graph_run *run)
{
	graph_heap_init(run);
	run->counted = 0;
	count_kinds(run, true);
	run->limited = run->counted;
	count_kinds(run, false);
	for (uint32_t kind = 0; kind < GRAPH_NEEDS; kind++) {
		run->least[kind] = UINT32_MAX;
	}
}

void graph_choose_add(struct graph_run *run, uint32_t number)
{
	struct graph_pass *pass = &run->graph->passes[number];

	pass->state = GG_GRAPH_PASS_STATE_READY;
	if (run->lives && run->limits.resource) {
		pass->gain = graph_lives_gain(run->graph, number);
	}
	for (uint32_t index = 0; index < run->limited; index++) {
		const uint32_t kind = run->kinds[index];

		if (pass->needs[kind] < run->least[kind]) {
			run->least[kind] = pass->needs[kind];
		}
	}
	run->look = 0;
	graph_heap_add(run, number);
}

void graph_choose_raise(struct graph_run *run, uint32_t number)
{
	struct graph_pass *pass = &run->graph->passes[number];

	if (pass->state ==
	    GG_GRAPH_PASS_STATE_READY) { /* a pass that is not ready gets its gain when it becomes ready */
		pass->gain = graph_lives_gain(run->graph, number);
		graph_heap_rise(run, number); /* a gain never becomes smaller */
	}
}

uint32_t graph_choose_any(struct graph_run *run)
{
	return run->heap[--run->ready];
}

/* Whether this much more may run now (S2-R67, S2-R68). */
static bool fits(const struct graph_run *run, const uint32_t *needs)
{
	if (run->running == 0) {
		return true; /* A pass that alone exceeds a budget may run when nothing else does: otherwise the graph would never end. */
	}
	for (uint32_t index = 0; index < run->limited; index++) {
		const uint32_t kind = run->kinds[index];

		if (run->used[kind] + needs[kind] > run->limits.budgets[kind]) {
			return false;
		}
	}
	return true;
}

static bool pass_fits(const struct graph_run *run, uint32_t pass)
{
	return fits(run, run->graph->passes[pass].needs);
}

/* What decides between the best few passes. */
struct wish {
	bool gains; /* Memory is high: take the pass that lowers the live bytes most (S2-R76). */
	uint32_t
		kind; /* Take the pass that needs least of this kind (S2-R70, S2-R71); GRAPH_NONE: this does not count. */
	uint32_t rank; /* Only passes of at least this rank are compared. */
};

/* The kind of need that the running passes use most, as a share of its budget; GRAPH_NONE when they use less than
 * half of every kind. */
static uint32_t busiest(const struct graph_run *run)
{
	uint32_t kind = GRAPH_NONE;
	uint64_t most = UINT32_MAX / 2;

	for (uint32_t index = 0; index < run->counted; index++) {
		const uint32_t other = run->kinds[index];
		const uint64_t share = run->used[other] * run->weight[other];

		if (share > most) {
			most = share;
			kind = other;
		}
	}
	return kind;
}

static bool better(const struct graph_run *run, const struct wish *wish, uint32_t a, uint32_t b)
{
	const struct graph_pass *one = &run->graph->passes[a];
	const struct graph_pass *other = &run->graph->passes[b];

	if (wish->gains && one->gain != other->gain) {
		return one->gain > other->gain;
	}
	if (wish->kind != GRAPH_NONE && one->rank >= wish->rank && other->rank >= wish->rank &&
	    one->needs[wish->kind] != other->needs[wish->kind]) {
		return one->needs[wish->kind] < other->needs[wish->kind];
	}
	return graph_heap_before(run, a, b);
}

/* Find what decides now. Mostly only the order of the heap does, and then its first member is the best. */
static struct wish wish_now(const struct graph_run *run)
{
	const struct graph_pass *passes = run->graph->passes;
	const uint32_t *heap = run->heap;
	struct wish wish = { .kind = GRAPH_NONE };

	if (run->limits.resource || run->ready < 2) {
		return wish;
	}
	wish.gains = run->lives && run->live > run->limits.live_bytes;
	wish.rank = passes[heap[0]].rank - passes[heap[0]].rank / 8;
	if (run->running != 0 && (passes[heap[1]].rank >= wish.rank ||
				  (run->ready > 2 && passes[heap[2]].rank >= wish.rank))) {
		wish.kind = busiest(run);
	}
	return wish;
}

/* Best of `best` and the members from `first` to before `end` that fit, as a place, or GRAPH_NONE. */
static uint32_t best_of(const struct graph_run *run, const struct wish *wish, uint32_t best,
			uint32_t first, uint32_t end)
{
	const uint32_t *heap = run->heap;

	for (uint32_t place = first; place < end; place++) {
		if (!pass_fits(run, heap[place])) {
			continue;
		}
		if (wish->gains) { /* With emphasis on speed the gains are not kept up to date. */
			run->graph->passes[heap[place]].gain =
				graph_lives_gain(run->graph, heap[place]);
		}
		if (best == GRAPH_NONE || better(run, wish, heap[place], heap[best])) {
			best = place;
		}
	}
	return best;
}

/* Search on behind the members of which none fits. When all have been looked at, what they need at least is known
 * again. */
static uint32_t search(struct graph_run *run, const struct wish *wish)
{
	const uint32_t first = run->look;
	const uint32_t end = run->ready - first > GRAPH_SEARCH ? first + GRAPH_SEARCH : run->ready;
	const uint32_t place = best_of(run, wish, GRAPH_NONE, first, end);

	if (place != GRAPH_NONE) {
		return place;
	}
	for (uint32_t number = 0; number < run->limited; number++) {
		const uint32_t kind = run->kinds[number];
		uint32_t least = first == 0 ? UINT32_MAX : run->seen[kind];

		for (uint32_t index = first; index < end; index++) {
			const uint32_t need = run->graph->passes[run->heap[index]].needs[kind];

			least = need < least ? need : least;
		}
		run->seen[kind] = least;
		run->least[kind] = end == run->ready ? least : run->least[kind];
	}
	run->look = end;
	run->more = end != run->ready;
	return GRAPH_NONE;
}

/* The place of one of the first that fits, or GRAPH_NONE. */
static uint32_t look(const struct graph_run *run, const struct wish *wish)
{
	const uint32_t ready = run->ready;
	const uint32_t few = ready < GRAPH_WINDOW ? ready : GRAPH_WINDOW;

	if (!wish->gains && wish->kind == GRAPH_NONE && pass_fits(run, run->heap[0])) {
		return 0;
	}
	const uint32_t place = best_of(run, wish, GRAPH_NONE, 0, few);

	/* The readers of what was made last came last into the heap, and have a low rank. */
	return wish->gains ? best_of(run, wish, place,
				     ready - few > GRAPH_WINDOW ? ready - GRAPH_WINDOW : few, ready)
			   : place;
}

static __attribute__((noinline)) uint32_t choose(struct graph_run *run)
{
	if (run->look == run->ready || run->running >= run->limits.at_once ||
	    !fits(run, run->least)) {
		return GRAPH_NONE;
	}
	const struct wish wish = wish_now(run);
	uint32_t place = run->look == 0 ? look(run, &wish) : GRAPH_NONE;

	if (place == GRAPH_NONE) {
		place = search(run, &wish);
	}
	if (place == GRAPH_NONE) {
		return GRAPH_NONE;
	}
	run->look = 0; /* members move */
	return graph_heap_take(run, place);
}

uint32_t graph_choose_take(struct graph_run *run)
{
	/* as in a chain: nothing to choose between, and it fits */
	return run->ready == 1 && run->running == 0 ? graph_choose_any(run) : choose(run);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What is right for a random graph, by brute force; and what is good for it. */
#include "tests/unit/graph_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define USERS 300u /* of one resource */

static struct world_use users[WORLD_RESOURCES][USERS]; /* in order */
static uint32_t counts[WORLD_RESOURCES];
static struct {
	uint32_t before;
	uint32_t after;
} found[WORLD_PAIRS];

static void pair(uint32_t before, uint32_t after)
{
	assert_true(world.pairs < WORLD_PAIRS && before != after);
	found[world.pairs].before = before;
	found[world.pairs++].after = after;
}

/* Whether one user of a resource must have ended before the start of another (S2-Q5, S2-Q6). */
static bool ordered(const struct world_use *list, uint32_t one, uint32_t other)
{
	if (world.unordered) {
		return list[one].what != 'r' && list[other].what == 'r';
	}
	if (list[one].what == 'r' && list[other].what == 'r') {
		return false;
	}
	for (uint32_t between = one; between <= other; between++) {
		if (list[between].what != 's') {
			return true;
		}
	}
	return false; /* nothing but SHARE */
}

static void pair_users(uint32_t of)
{
	for (uint32_t other = 0; other < counts[of]; other++) {
		for (uint32_t one = 0; one < other; one++) {
			if (ordered(users[of], one, other)) {
				pair(users[of][one].pass, users[of][other].pass);
			}
		}
	}
	/* All that use memory before all that use it afterwards. */
	for (uint32_t index = 0; world.reuses[of] != GRAPH_NONE && index < counts[of]; index++) {
		for (uint32_t old = 0; old < counts[world.reuses[of]]; old++) {
			pair(users[world.reuses[of]][old].pass, users[of][index].pass);
		}
	}
}

static void collect(void)
{
	memset(counts, 0, sizeof(counts));
	world.pairs = 0;
	for (uint32_t index = 0; index < world.uses; index++) {
		const struct world_use *use = &world.use[index];

		if (use->what == 'a') {
			pair(use->of, use->pass);
		} else {
			assert_true(counts[use->of] < USERS);
			users[use->of][counts[use->of]++] = *use;
		}
	}
	for (uint32_t of = 0; of < world.resources; of++) {
		pair_users(of);
	}
}

/* Sort the pairs by their first pass. */
static void sort(void)
{
	uint32_t place[WORLD_PASSES] = { 0 };

	memset(world.first, 0, sizeof(world.first));
	for (uint32_t index = 0; index < world.pairs; index++) {
		world.first[found[index].before + 1]++;
	}
	for (uint32_t pass = 0; pass < world.passes; pass++) {
		place[pass] = world.first[pass];
		world.first[pass + 1] += world.first[pass];
	}
	for (uint32_t index = 0; index < world.pairs; index++) {
		world.second[place[found[index].before]++] = found[index].after;
	}
}

/* The failure that a reader of what `pass` wrote inherits, or GRAPH_NONE. */
static uint32_t failure_of(uint32_t pass)
{
	return world.state[pass] == GG_GRAPH_PASS_STATE_FAILED ? pass : world.cause[pass];
}

/* The reader inherits from all that made what it reads: the writer before it, with whom that one shared. */
static uint32_t inherited(const struct world_use *reader)
{
	const struct world_use *list = users[reader->of];
	uint32_t cause = GRAPH_NONE;
	uint32_t place = 0;

	while (list[place].pass != reader->pass) {
		place++;
	}
	while (place > 0 && !world.unordered && list[place - 1].what == 'r') {
		place--;
	}
	while (place-- > 0) {
		const uint32_t failure =
			list[place].what != 'r' ? failure_of(list[place].pass) : GRAPH_NONE;

		cause = failure < cause ? failure : cause;
		if (!world.unordered &&
		    (list[place].what != 's' || (place > 0 && list[place - 1].what != 's'))) {
			break; /* those before made an older version */
		}
	}
	return cause;
}

static void foresee(void)
{
	uint32_t index = 0;

	for (uint32_t place = 0; place < world.passes; place++) {
		const uint32_t pass = world.order[place];

		world.cause[pass] = GRAPH_NONE;
		for (; index < world.uses && world.use[index].pass == pass; index++) {
			const struct world_use *use = &world.use[index];
			const uint32_t cause =
				use->what == 'r' || use->what == 'u' ? inherited(use) : GRAPH_NONE;

			world.cause[pass] = cause < world.cause[pass] ? cause : world.cause[pass];
		}
		world.state[pass] = world.cause[pass] != GRAPH_NONE ? GG_GRAPH_PASS_STATE_SKIPPED
				    : world.fails[pass]             ? GG_GRAPH_PASS_STATE_FAILED
								    : GG_GRAPH_PASS_STATE_DONE;
	}
}

void world_solve(void)
{
	collect();
	sort();
	foresee();
}

uint64_t world_bound(uint32_t slots, uint32_t units)
{
	static uint64_t start[WORLD_PASSES];
	uint64_t most = 0;
	uint64_t work = 0;
	uint64_t area = 0;

	memset(start, 0, sizeof(start));
	for (uint32_t place = 0; place < world.passes; place++) {
		const uint32_t pass = world.order[place];
		const uint64_t end = start[pass] + world.ticks[pass];

		for (uint32_t index = world.first[pass]; index < world.first[pass + 1]; index++) {
			uint64_t *later = &start[world.second[index]];

			*later = end > *later ? end : *later;
		}
		most = end > most ? end : most;
		work += world.ticks[pass];
		area += (uint64_t)world.ticks[pass] * world.needs[pass][0];
	}
	work = (work + slots - 1) / slots;
	most = work > most ? work : most;
	area = units != 0 ? (area + units - 1) / units : 0;
	return area > most ? area : most;
}

/* State of the simulation of a queue. */
static struct {
	uint32_t waits[WORLD_PASSES];
	uint32_t queue[WORLD_PASSES];
	uint64_t ends[WORLD_PASSES]; /* 0: does not run */
	uint32_t queued;
	uint32_t running;
	uint32_t used[2];
} come;

/* Start what fits, the first come first. */
static void come_start(uint64_t now, uint32_t slots, const uint32_t *budgets)
{
	uint32_t kept = 0;

	for (uint32_t index = 0; index < come.queued; index++) {
		const uint32_t pass = come.queue[index];
		const uint32_t *needs = world.needs[pass];
		const bool fits = (budgets[0] == 0 || come.used[0] + needs[0] <= budgets[0]) &&
				  (budgets[1] == 0 || come.used[1] + needs[1] <= budgets[1]);

		if (come.running < slots && fits) {
			come.running++;
			come.used[0] += needs[0];
			come.used[1] += needs[1];
			come.ends[pass] = now + world.ticks[pass];
		} else {
			come.queue[kept++] = pass;
		}
	}
	come.queued = kept;
}

static void come_end(uint32_t pass)
{
	come.ends[pass] = 0;
	come.running--;
	come.used[0] -= world.needs[pass][0];
	come.used[1] -= world.needs[pass][1];
	for (uint32_t index = world.first[pass]; index < world.first[pass + 1]; index++) {
		if (--come.waits[world.second[index]] == 0) {
			come.queue[come.queued++] = world.second[index];
		}
	}
}

uint64_t world_first_come(uint32_t slots, uint32_t units, uint32_t bandwidth)
{
	const uint32_t budgets[2] = { units, bandwidth };
	uint64_t now = 0;

	memset(&come, 0, sizeof(come));
	for (uint32_t index = 0; index < world.pairs; index++) {
		come.waits[world.second[index]]++;
	}
	for (uint32_t pass = 0; pass < world.passes; pass++) {
		if (come.waits[pass] == 0) {
			come.queue[come.queued++] = pass;
		}
	}
	while (come.queued > 0 || come.running > 0) {
		uint64_t next = UINT64_MAX;

		come_start(now, slots, budgets);
		for (uint32_t pass = 0; pass < world.passes; pass++) {
			next = come.ends[pass] != 0 && come.ends[pass] < next ? come.ends[pass]
									      : next;
		}
		now = next;
		for (uint32_t pass = 0; pass < world.passes; pass++) {
			if (come.ends[pass] == now) {
				come_end(pass);
			}
		}
	}
	return now;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/graph_slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/graph/run_begin.h"

struct graph *slots_graph;
struct graph_run slots;
struct graph_limits slots_limits;
uint64_t slots_start[WORLD_PASSES];
uint64_t slots_end[WORLD_PASSES];
static uint32_t slot[SLOTS]; /* passes that run */
static uint32_t busy;

static uint32_t used(uint32_t kind)
{
	uint32_t sum = 0;

	for (uint32_t index = 0; index < busy; index++) {
		sum += world.needs[slot[index]][kind];
	}
	return sum;
}

uint32_t slots_budget(uint32_t kind)
{
	return slots_limits.budgets[kind == 0 ? GG_GRAPH_NEED_UNITS : GG_GRAPH_NEED_BANDWIDTH];
}

static bool fits(uint32_t pass)
{
	for (uint32_t kind = 0; kind < 2; kind++) {
		if (slots_budget(kind) != 0 &&
		    used(kind) + world.needs[pass][kind] > slots_budget(kind)) {
			return false;
		}
	}
	return true;
}

/* Start what the run gives. When it gives none, nothing that is ready would fit. */
static void start_all(uint64_t now)
{
	uint32_t calls = 0;

	for (;;) {
		const uint32_t pass = graph_run_next(&slots, now + 1);

		if (pass != GRAPH_NONE) {
			assert_true(pass < world.passes && slots_start[pass] == UINT64_MAX);
			assert_true(busy < slots_limits.at_once && fits(pass) && !slots.stopped);
			slots_start[pass] = now;
			slot[busy++] = pass;
		} else if (!slots.more) {
			break;
		}
		assert_true(calls++ < 4 * world.passes + 4);
	}
	for (uint32_t pass = 0; busy < slots_limits.at_once && pass < world.passes; pass++) {
		assert_true(slots_graph->passes[pass].state != GG_GRAPH_PASS_STATE_READY ||
			    !fits(pass));
	}
}

/* Time goes on to the next end; of several at one time any comes first. */
static uint64_t end_next(void)
{
	uint64_t now = UINT64_MAX;

	assert_true(busy > 0); /* else nothing would ever happen */
	for (uint32_t index = 0; index < busy; index++) {
		const uint64_t end = slots_start[slot[index]] + world.ticks[slot[index]];

		now = end < now ? end : now;
	}
	for (uint32_t count = busy, index = world_below(busy); count-- > 0;) {
		index = index < busy ? index : 0;
		const uint32_t pass = slot[index];

		if (slots_start[pass] + world.ticks[pass] == now) {
			slots_end[pass] = now;
			slot[index] = slot[--busy];
			graph_run_end(&slots, pass, world.fails[pass] ? GG_ERR_TIME_LIMIT : GG_OK,
				      now + 1);
		} else {
			index++;
		}
	}
	return now;
}

static void begin(void)
{
	uint32_t cursor = 0;

	busy = 0;
	for (uint32_t pass = 0; pass < world.passes; pass++) {
		slots_start[pass] = UINT64_MAX;
		slots_end[pass] = 0;
	}
	while (cursor != UINT32_MAX) {
		graph_run_begin(&slots, slots_graph, &slots_limits, &cursor, 1 + world_below(100));
	}
}

uint64_t slots_run(uint32_t last)
{
	uint64_t now = 0;

	begin();
	for (start_all(now); !graph_run_is_over(&slots); start_all(now)) {
		now = end_next();
		if (last < world.passes && slots_end[last] != 0 && !slots.stopped) {
			graph_run_stop(&slots);
		}
	}
	assert_int_equal(busy, 0);
	assert_true(slots.most_at_once <= slots_limits.at_once);
	assert_int_equal(slots.live, 0);
	return now;
}

void slots_check_order(void)
{
	for (uint32_t pass = 0; pass < world.passes; pass++) {
		for (uint32_t index = world.first[pass]; index < world.first[pass + 1]; index++) {
			const uint32_t later = world.second[index];

			assert_true(slots_start[pass] == UINT64_MAX ||
				    slots_start[later] == UINT64_MAX ||
				    slots_start[later] >= slots_end[pass]);
		}
	}
}

void slots_check_states(void)
{
	uint32_t failed = 0;
	uint32_t skipped = 0;

	for (uint32_t pass = 0; pass < world.passes; pass++) {
		const bool ran = world.state[pass] != GG_GRAPH_PASS_STATE_SKIPPED;

		assert_int_equal(slots_graph->passes[pass].state, world.state[pass]);
		assert_int_equal(slots_graph->passes[pass].cause, world.cause[pass]);
		assert_int_equal(slots_start[pass] != UINT64_MAX, ran);
		failed += world.state[pass] == GG_GRAPH_PASS_STATE_FAILED;
		skipped += !ran;
	}
	assert_int_equal(slots.failed, failed);
	assert_int_equal(slots.skipped, skipped);
	assert_int_equal(slots.first_failed == GRAPH_NONE, failed == 0);
}

/* When the lives of the buffers were. */
static uint64_t born[WORLD_RESOURCES];
static uint64_t died[WORLD_RESOURCES];

static void find_lives(void)
{
	for (uint32_t of = 0; of < world.resources; of++) {
		born[of] = UINT64_MAX;
		died[of] = 0;
	}
	for (uint32_t index = 0; index < world.uses; index++) {
		const struct world_use *use = &world.use[index];
		const uint64_t start = slots_start[use->pass];

		if (use->what != 'a' && start != UINT64_MAX) {
			born[use->of] = start < born[use->of] ? start : born[use->of];
			died[use->of] = slots_end[use->pass] > died[use->of] ? slots_end[use->pass]
									     : died[use->of];
		}
	}
}

void slots_check_memory(void)
{
	const struct graph_resource *resources = slots_graph->resources;

	find_lives();
	for (uint32_t one = 0; world.planned && one < world.resources; one++) {
		for (uint32_t other = 0; other < one; other++) {
			const bool apart = world.bytes[one] == 0 || world.bytes[other] == 0 ||
					   resources[one].address + world.bytes[one] <=
						   resources[other].address ||
					   resources[other].address + world.bytes[other] <=
						   resources[one].address;

			assert_true(apart || died[one] <= born[other] || died[other] <= born[one]);
		}
	}
}

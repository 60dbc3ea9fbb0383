/* SPDX-License-Identifier: Apache-2.0 */
/* Random graphs on simulated slots: every schedule is checked by brute force, and its length is compared with a lower
 * bound and with first come, first served.
 * sources: firmware/graph/run.c firmware/graph/run_begin.c firmware/graph/choose.c firmware/graph/heap.c
 *  firmware/graph/lives.c firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c
 *  firmware/graph/order.c firmware/graph/cycle.c tests/unit/graph_world.c tests/unit/graph_world_solve.c
 *  tests/unit/graph_slots.c firmware/graph/plan.c firmware/graph/space.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/graph_slots.h"

/* Random limits: some without budgets, some with emphasis on resources. */
static void choose_limits(void)
{
	slots_limits = (struct graph_limits){ .at_once = 1 + world_below(SLOTS) };
	if (world_below(2) == 0) {
		slots_limits.budgets[GG_GRAPH_NEED_UNITS] = 100 + world_below(200);
	}
	if (world_below(4) == 0) {
		slots_limits.budgets[GG_GRAPH_NEED_BANDWIDTH] = 60 + world_below(60);
	}
	slots_limits.resource = world_below(3) == 0;
	slots_limits.live_bytes = world_below(3) == 0 ? 64 + world_below(10000) : 0;
}

static uint32_t size_of(uint32_t round)
{
	return round % 500 == 0  ? WORLD_PASSES - world_below(100)
	       : round % 10 == 0 ? 1 + world_below(300)
	       : round % 2 == 0  ? 1 + world_below(60)
				 : 1 + world_below(12);
}

/* S2-R55, S2-R59, S2-R61, S2-R62, S2-R63, S2-R67, S2-V3, S2-V5: 4,000 random graphs with failures, under all kinds of
 * limits: dependences (RAW, WAR, WAW, SHARE, AFTER, memory) and budgets hold; a pass that depends on a failure is
 * skipped for the right cause, all others run (S2-Q19); nothing that fits waits (S2-R68). */
static void all_schedules_are_right(void **state)
{
	(void)state;
	uint64_t pairs = 0;
	uint64_t passes = 0;

	for (uint32_t round = 0; round < 4000; round++) {
		world_make(size_of(round), round % 3 == 0 ? 0 : 1 + world_below(100));
		slots_graph = world_build();
		world_solve();
		choose_limits();
		slots_run(GRAPH_NONE);
		slots_check_order();
		slots_check_states();
		slots_check_memory();
		pairs += world.pairs;
		passes += world.passes;
	}
	print_message("%u passes, %u pairs in order\n", (uint32_t)passes, (uint32_t)pairs);
}

/* S2-Q19: 500 runs are stopped somewhere: nothing starts afterwards, and all passes come to an end; then the same graph
 * runs to its end. */
static void stops(void **state)
{
	(void)state;
	for (uint32_t round = 1; round <= 500; round++) {
		world_make(size_of(round), 20);
		slots_graph = world_build();
		world_solve();
		choose_limits();
		const uint32_t last = world_below(world.passes);

		slots_run(last);
		slots_check_order();
		for (uint32_t pass = 0; pass < world.passes; pass++) {
			const bool ran = slots_start[pass] != UINT64_MAX;

			assert_true(!ran || !slots.stopped || slots_start[pass] <= slots_end[last]);
			assert_int_equal(slots_graph->passes[pass].state ==
						 GG_GRAPH_PASS_STATE_SKIPPED,
					 !ran);
		}
		slots_run(GRAPH_NONE);
		slots_check_states();
	}
}

/* Limits that matter: so much that the work takes about as long as the longest way. */
static void choose_tight(bool on_slots)
{
	const uint64_t way = world_bound(UINT32_MAX, 0);
	const uint64_t work = on_slots ? world_bound(1, 0) : world_bound(UINT32_MAX, 1);
	const uint64_t wanted = work * (60 + world_below(80)) / 100 / way + 1;

	slots_limits = (struct graph_limits){ .at_once = SLOTS };
	if (on_slots) {
		slots_limits.at_once = wanted < 2 ? 2 : wanted > SLOTS ? SLOTS : (uint32_t)wanted;
	} else {
		slots_limits.budgets[GG_GRAPH_NEED_UNITS] = wanted < 100 ? 100 : (uint32_t)wanted;
	}
}

/* 1,000 graphs with limits on slots, or on units: time by the least possible; less than that of first
 * come, first served. */
static void compare_times(bool on_slots, double most)
{
	double sum = 0;
	double sum_come = 0;
	double worst = 0;
	const uint32_t rounds = 1000;

	for (uint32_t round = 0; round < rounds; round++) {
		world_make(size_of(round), 0);
		world.planned = false; /* the waits for memory would be in neither bound */
		slots_graph = world_build();
		world_solve();
		choose_tight(on_slots);
		const double bound = (double)world_bound(slots_limits.at_once, slots_budget(0));
		const double ratio = (double)slots_run(GRAPH_NONE) / bound;

		slots_check_order();
		slots_check_states();
		assert_true(ratio >= 1);
		sum += ratio;
		worst = ratio > worst ? ratio : worst;
		sum_come +=
			(double)world_first_come(slots_limits.at_once, slots_budget(0), 0) / bound;
	}
	print_message("%s: time by least %.3f, worst %.3f; first come, first served %.3f\n",
		      on_slots ? "slots" : "units", sum / rounds, worst, sum_come / rounds);
	assert_true(sum / rounds < most);
	assert_true(sum < sum_come);
}

/* S2-R56, S2-R72, S2-R73, S2-R75: 1,000 graphs on 2 to 16 slots, exact and rough estimates. */
static void times_on_slots(void **state)
{
	(void)state;
	compare_times(true, 1.05);
}

/* S2-R56, S2-R72, S2-R75: 1,000 graphs of narrow and wide passes that share units. */
static void times_on_units(void **state)
{
	(void)state;
	compare_times(false, 1.15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_schedules_are_right),
		cmocka_unit_test(stops),
		cmocka_unit_test(times_on_slots),
		cmocka_unit_test(times_on_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

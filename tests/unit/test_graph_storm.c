/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs at random, with all that they meet on the control processor: every command is answered once; passes run
 * in the order of their data, and exactly those are skipped that need what was not made; nothing is left behind, and
 * no task is forgotten. GANGER_SEED in the environment repeats a run.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_graph.c tests/unit/graph_storm.c
 *          tests/unit/graph_storm_make.c tests/unit/graph_storm_put.c tests/unit/graph_storm_check.c
 *          tests/unit/graph_storm_kept.c tests/unit/graph_storm_device.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/graph_storm.h"

#define ROUNDS 6u
#define STEPS  20000u
#define LOOKS  400u /* at the clock in a turn, at most */

/* A device with places for `tasks` and up to as many more, and memory for graphs alike. */
static void storm(uint32_t tasks, uint32_t store_bytes)
{
	const char *chosen = getenv("GANGER_SEED");
	const unsigned int first =
		chosen != NULL ? (unsigned int)strtoul(chosen, NULL, 0) : (unsigned int)time(NULL);

	for (uint32_t round = 0; round < (chosen != NULL ? 1 : ROUNDS); round++) {
		print_message("GANGER_SEED=%u\n", first + round);
		srand(first + round);
		storm_begin(tasks + (uint32_t)rand() % tasks,
			    store_bytes + (uint32_t)rand() % store_bytes / 16 * 16);
		storm_run(STEPS);
		storm_end();
		storm_expect_nothing_left();
		print_message(
			"%u graphs ran, %u failed, %u stopped; %u refused, %u kept, %u nested; "
			"%u of %u passes skipped; %u looks at the clock\n",
			storm_counts.graphs, storm_counts.failed, storm_counts.stopped,
			storm_counts.refused, storm_counts.kept, storm_counts.nested,
			storm_counts.skipped, storm_counts.passes, storm_counts.most);
		assert_true(storm_counts.graphs > 50);
		assert_in_range(storm_counts.most, 0, LOOKS);
	}
}

/* S0-R15, S2-R59, S2-R60, S2-R61, S2-R62, S2-R64, S2-Q6, S2-Q19, S2-Q20: there is room. */
static void with_room(void **state)
{
	(void)state;
	storm(2048, 2u << 20);
}

/* S0-R11, S2-Q3, S2-Q19, S2-Q20: the pool is nearly full, and some graphs have to wait for memory. */
static void in_little_room(void **state)
{
	(void)state;
	storm(72, 12288);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_room),
		cmocka_unit_test(in_little_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

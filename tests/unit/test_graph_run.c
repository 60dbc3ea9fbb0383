/* SPDX-License-Identifier: Apache-2.0 */
/* What is ready when.
 * sources: firmware/graph/run.c firmware/graph/run_begin.c firmware/graph/choose.c
 *  firmware/graph/heap.c firmware/graph/lives.c tests/unit/graph_hand.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/graph_hand.h"

static const struct graph_limits wide = { .at_once = 100 };

/* What starts now; the list ends by itself. */
#define EXPECT(...) hand_expect((const uint32_t[]){ __VA_ARGS__, GRAPH_NONE })

/* S2-R54, S2-R55, S2-R59, S2-R60, S2-V6: A makes X, B makes Y of it, C reads Y: one after the other,
 * each when the one before has completed, not when it has started (S2-R62, S2-R64, S2-R98). */
static void a_chain(void **state)
{
	(void)state;
	hand_resources(2);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_make(0, GRAPH_NONE, 1);
	hand_make(1, GRAPH_NONE, GRAPH_NONE);
	hand_end();
	hand_start(&wide);
	EXPECT(0);
	hand_ended(0);
	EXPECT(1);
	assert_int_equal(hand_state(2), GG_GRAPH_PASS_STATE_WAITING);
	hand_ended(1);
	EXPECT(2);
	assert_false(graph_run_is_over(&hand_run));
	hand_ended(2);
	EXPECT(GRAPH_NONE);
	assert_true(graph_run_is_over(&hand_run));
	assert_int_equal(hand_run.most_at_once, 1);
	assert_int_equal(hand_run.failed + hand_run.skipped, 0);
}

/* S2-R61, S2-R63, S2-R65: readers of one resource run together; the next writer waits for all of
 * them (S2-Q6, WAR), its reader for it, and the second next writer (WAW) too. */
static void hazards(void **state)
{
	(void)state;
	hand_resources(1);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_end();
	hand_start(&wide);
	EXPECT(0);
	hand_ended(0);
	EXPECT(1, 2);
	hand_ended(2);
	EXPECT(GRAPH_NONE);
	hand_ended(1);
	EXPECT(3);
	hand_ended(3);
	EXPECT(4);
	hand_ended(4);
	EXPECT(5);
	assert_int_equal(hand_run.most_at_once, 2);
}

/* S2-Q6, S2-Q7: what was there before the graph is read at once, and written after it was read. */
static void what_was_there(void **state)
{
	(void)state;
	hand_resources(2);
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_pass(10);
	hand_update(1); /* nobody read it: it need not wait */
	hand_end();
	hand_start(&wide);
	EXPECT(0, 1, 3);
	hand_ended(0);
	EXPECT(GRAPH_NONE);
	hand_ended(1);
	EXPECT(2);
}

/* S2-Q6: co-writers that SHARE run together; a reader waits for all of them. S2-Q4: an update in place waits for the
 * readers of what it changes. */
static void together(void **state)
{
	(void)state;
	hand_resources(1);
	for (uint32_t pass = 0; pass < 3; pass++) {
		hand_pass(10);
		hand_share(0);
	}
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_pass(10);
	hand_update(0);
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_end();
	hand_start(&wide);
	EXPECT(0, 1, 2);
	hand_ended(2);
	hand_ended(0);
	EXPECT(GRAPH_NONE);
	hand_ended(1);
	EXPECT(3);
	hand_ended(3);
	EXPECT(4);
	hand_ended(4);
	EXPECT(5);
}

/* A run begins in steps, each of which looks at as many versions, passes and declarations as it is told, and at most those of one
 * pass more. */
static void steps_of_the_begin(void **state)
{
	const uint32_t passes = 90;

	(void)state;
	for (uint32_t budget = 1; budget < 40; budget++) {
		uint32_t cursor = 0, steps = 0;

		hand_resources(passes + 1);
		for (uint32_t pass = 0; pass < passes; pass++) {
			(void)hand_make(budget % 2 != 0 ? pass : GRAPH_NONE, GRAPH_NONE, pass + 1);
		}
		hand_end();
		while (cursor != UINT32_MAX) {
			graph_run_begin(&hand_run, &hand, &wide, &cursor, budget);
			assert_in_range(++steps, 1, 400);
		}
		const uint32_t work = hand.version.used + passes + hand.access.used;

		assert_in_range(steps, work / (budget + 3), work / budget + 2);
	}
}

/* S2-R31: AFTER orders passes that share nothing, also when the first fails. S2-Q18: memory that was another buffer's
 * is written when all have done with that. */
static void after_and_memory(void **state)
{
	(void)state;
	hand_begin();
	hand_resource(64);
	hand_resource(64);
	hand_pass(10);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_after(0);
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_make(GRAPH_NONE, GRAPH_NONE, 1);
	hand_reuse(0);
	hand_end();
	hand_start(&wide);
	EXPECT(0);
	hand_failed(0);
	EXPECT(1);
	hand_ended(1);
	EXPECT(2);
	assert_int_equal(hand_run.live, 64);
	hand_ended(2);
	assert_int_equal(hand_run.live, 0);
	EXPECT(3);
	assert_int_equal(hand_run.live, 64);
	hand_ended(3);
	assert_int_equal(hand_run.live, 0);
	assert_true(graph_run_is_over(&hand_run));
}

/* S2-R38, S2-R73: when passes became ready, started and ended. A graph without passes is over. */
static void times(void **state)
{
	(void)state;
	hand_begin();
	hand_end();
	hand_start(&wide);
	assert_int_equal(hand_next(1), GRAPH_NONE);
	assert_true(graph_run_is_over(&hand_run));

	hand_resources(1);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_make(0, GRAPH_NONE, GRAPH_NONE);
	hand_pass(5);
	hand_end();
	hand_start(&(struct graph_limits){ .at_once = 1 });
	assert_int_equal(hand_next(100), 0);
	assert_int_equal(hand_next(110), GRAPH_NONE);
	graph_run_end(&hand_run, 0, GG_OK, 130);
	assert_int_equal(hand_next(135), 1);
	assert_int_equal(hand.passes[1].ended_at | hand.passes[2].ended_at, 0); /* not yet */
	assert_int_equal(hand.passes[2].started_at, 0);
	graph_run_end(&hand_run, 1, GG_OK, 150);
	assert_int_equal(hand_next(150), 2);
	assert_int_equal(hand.passes[0].ready_at, 100);
	assert_int_equal(hand.passes[0].started_at, 100);
	assert_int_equal(hand.passes[0].ended_at, 130);
	assert_int_equal(hand.passes[1].ready_at, 130);
	assert_int_equal(hand.passes[1].started_at, 135);
	assert_int_equal(hand.passes[2].ready_at, 100);
}

/* Many passes are skipped in a few calls, each of which starts none as long as there are more to skip. */
static void many_are_skipped(void **state)
{
	const uint32_t readers = 20;
	uint32_t skipped = 0;

	(void)state;
	hand_resources(1);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	for (uint32_t pass = 0; pass < readers; pass++) {
		hand_make(0, GRAPH_NONE, GRAPH_NONE);
	}
	hand_pass(10);
	hand_after(0);
	hand_end();
	hand_start(&wide);
	EXPECT(0);
	hand_failed(0);
	while (skipped < readers) {
		const uint32_t pass = graph_run_next(&hand_run, 1);

		assert_in_range(hand_run.skipped - skipped, 1, readers / 2);
		skipped = hand_run.skipped;
		assert_int_equal(hand_run.more, skipped < readers);
		assert_int_equal(pass, skipped < readers ? GRAPH_NONE : readers + 1);
	}
	hand_ended(readers + 1);
	EXPECT(GRAPH_NONE);
	assert_true(graph_run_is_over(&hand_run));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain),          cmocka_unit_test(hazards),
		cmocka_unit_test(what_was_there),   cmocka_unit_test(together),
		cmocka_unit_test(after_and_memory), cmocka_unit_test(times),
		cmocka_unit_test(many_are_skipped), cmocka_unit_test(steps_of_the_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

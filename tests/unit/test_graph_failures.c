/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of failures and stops.
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

static void expect_skipped(uint32_t pass, uint32_t cause)
{
	assert_int_equal(hand_state(pass), GG_GRAPH_PASS_STATE_SKIPPED);
	assert_int_equal(hand.passes[pass].status, GG_ERR_DEPENDENCY);
	assert_int_equal(hand.passes[pass].cause, cause);
	assert_int_equal(hand.passes[pass].started_at, 0);
}

/* S2-Q19: passes that need what a failed pass did not make are skipped, directly or not, and say why; of several
 * causes the lowest counts. Others run, and so does a pass that overwrites the result. */
static void a_failure(void **state)
{
	(void)state;
	hand_resources(5);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0); /* 0, 1: fail */
	hand_make(GRAPH_NONE, GRAPH_NONE, 1);
	hand_make(1, GRAPH_NONE, 2); /* 2: skipped for 1 */
	hand_make(2, 0, 3);          /* 3: for 0 */
	hand_make(GRAPH_NONE, GRAPH_NONE, 4);
	hand_make(4, GRAPH_NONE, 2); /* 5: overwrites */
	hand_make(2, GRAPH_NONE, GRAPH_NONE);
	hand_pass(10);
	hand_update(3); /* 7: changes what was not made */
	hand_end();
	hand_start(&wide);
	EXPECT(1, 0, 4);
	hand_failed(1);
	hand_failed(0);
	EXPECT(GRAPH_NONE);
	expect_skipped(2, 1);
	expect_skipped(3, 0);
	expect_skipped(7, 0);
	hand_ended(4);
	EXPECT(5);
	hand_ended(5);
	EXPECT(6);
	hand_ended(6);
	assert_true(graph_run_is_over(&hand_run));
	assert_int_equal(hand_run.failed, 2);
	assert_int_equal(hand_run.skipped, 3);
	assert_int_equal(hand_run.first_failed, 1);
	assert_int_equal(hand.passes[1].status, GG_ERR_TIME_LIMIT);
	assert_int_equal(hand_state(0), GG_GRAPH_PASS_STATE_FAILED);
	assert_int_equal(hand_state(6), GG_GRAPH_PASS_STATE_DONE);
}

/* S2-Q6, S2-Q19: a pass that will be skipped keeps its place, so a pass that overwrites its result does not overtake
 * one that still reads what was there. One failed co-writer fails what all of them made. */
static void skipped_in_its_turn(void **state)
{
	(void)state;
	hand_resources(3);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_make(1, GRAPH_NONE, GRAPH_NONE); /* reads long */
	hand_make(0, GRAPH_NONE, 1);          /* skipped */
	hand_make(GRAPH_NONE, GRAPH_NONE, 1);
	for (uint32_t pass = 4; pass < 6; pass++) {
		hand_pass(10);
		hand_share(2);
	}
	hand_make(2, GRAPH_NONE, GRAPH_NONE);
	hand_end();
	hand_start(&wide);
	EXPECT(0, 1, 4, 5);
	hand_failed(0);
	EXPECT(GRAPH_NONE);
	assert_int_equal(hand_state(2), GG_GRAPH_PASS_STATE_WAITING);
	hand_failed(5);
	hand_ended(4);
	EXPECT(GRAPH_NONE);
	expect_skipped(6, 5);
	hand_ended(1);
	EXPECT(3);
	expect_skipped(2, 0);
}

/* S2-Q19: after a stop nothing starts, neither what is ready nor what becomes so; what runs goes on. */
static void stopped(void **state)
{
	(void)state;
	hand_resources(2);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	hand_make(0, GRAPH_NONE, 1);
	hand_make(1, GRAPH_NONE, GRAPH_NONE);
	for (uint32_t pass = 3; pass < 40; pass++) {
		hand_pass(1);
	}
	hand_end();
	hand_start(&(struct graph_limits){ .at_once = 1 });
	EXPECT(0);
	graph_run_stop(&hand_run);
	assert_true(hand_run.more);
	EXPECT(GRAPH_NONE);
	assert_int_equal(hand_run.skipped, 37);
	expect_skipped(39, GRAPH_NONE);
	assert_int_equal(hand_run.left, 3);
	hand_ended(0);
	assert_false(graph_run_is_over(&hand_run));
	EXPECT(GRAPH_NONE);
	expect_skipped(1, GRAPH_NONE);
	expect_skipped(2, GRAPH_NONE);
	assert_true(graph_run_is_over(&hand_run));
	assert_int_equal(hand_run.failed, 0);
}

/* S2-Q19: a long cascade of skipped passes is done in pieces, and `more` says that there are others. Then the
 * same graph runs again, without a trace of that (S2-R74: a kept graph). */
static void a_long_cascade(void **state)
{
	(void)state;
	uint32_t calls = 0;

	hand_resources(1);
	hand_make(GRAPH_NONE, GRAPH_NONE, 0);
	for (uint32_t pass = 1; pass < 1000; pass++) {
		hand_pass(10);
		hand_update(0);
	}
	hand_end();
	hand_start(&wide);
	EXPECT(0);
	hand_failed(0);
	assert_true(hand_run.more);
	do {
		const uint32_t skipped = hand_run.skipped;

		assert_int_equal(graph_run_next(&hand_run, 70), GRAPH_NONE);
		assert_int_equal(hand_run.skipped - skipped, 999 - skipped < 8 ? 999 - skipped : 8);
		calls++;
	} while (hand_run.more);
	assert_int_equal(hand_run.skipped, 999);
	assert_true(calls >= 999 / 8);
	assert_true(graph_run_is_over(&hand_run));

	hand_start(&wide);
	for (uint32_t pass = 0; pass < 1000; pass++) {
		EXPECT(pass);
		hand_ended(pass);
	}
	assert_true(graph_run_is_over(&hand_run));
	assert_int_equal(hand_run.failed + hand_run.skipped, 0);
	assert_int_equal(hand.passes[999].cause, GRAPH_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure),
		cmocka_unit_test(skipped_in_its_turn),
		cmocka_unit_test(stopped),
		cmocka_unit_test(a_long_cascade),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Topological order, cycles, ranks.
 * sources: firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c firmware/graph/order.c
 * firmware/graph/cycle.c */
#include "tests/unit/graph_reach.h"

#define FIXED GG_GRAPH_RESOURCE_KIND_FIXED

/* Fig 8a (S2-R106). Passes 0 to 4 are P1 to P5. */
static void make_figure_8(void)
{
	graph_test_begin(FIXED, 8, false);
	graph_test_pass("r1 w2");
	graph_test_pass("r2 w3");
	graph_test_pass("r2 w4");
	graph_test_pass("r2 w5");
	graph_test_pass("r3 r4 r5 w6");
	graph_test_finish();
}

/* V3, S2-R55, S2-R59, S2-R60, S2-R61, S2-R106, S2-R107: which pass depends on which in Fig 8a. */
static void figure_8(void **state)
{
	(void)state;
	make_figure_8();
	for (uint32_t later = 0; later < 5; later++) {
		for (uint32_t earlier = 0; earlier < 5; earlier++) {
			const bool expected =
				(later == 4 && earlier != 4) || (later != 0 && earlier == 0);

			assert_int_equal(graph_reach_is(earlier, later), expected);
		}
	}
}

/* V6, S2-R60, S2-R62: the chain A, X, B, Y, C: C depends on A. */
static void chain(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 8, false);
	graph_test_pass("r0 w1");
	graph_test_pass("r1 w2");
	graph_test_pass("r2 w3");
	graph_test_finish();
	assert_true(graph_reach_is(0, 2));
	assert_false(graph_reach_is(2, 0) || graph_reach_is(1, 1));
}

/* S2-R79, S2-R33: in an unordered program what is written goes before what is read. */
static void sorted(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 100, true);
	for (uint32_t pass = 0; pass < 90; pass++) {
		graph_test_draft.step = pass;
		graph_test_declare('w', pass);
		graph_test_declare('r', pass + 1);
		assert_int_equal(graph_test_end_pass().status, GG_OK);
	}
	graph_test_finish();
	for (uint32_t place = 0; place < 90; place++) {
		assert_int_equal(graph_test->order[place], 89 - place);
		assert_int_equal(graph_test->passes[place].rank, place + 1);
	}
}

/* The ranks are found in steps, each of which does what it is to do, or the rest. */
static void steps_of_ranks(void **state)
{
	const uint32_t passes = 90;

	(void)state;
	for (uint32_t budget = 10; budget <= 400; budget += 30) {
		uint32_t cursor = 0, steps = 0;

		graph_test_begin(FIXED, 100, false);
		for (uint32_t pass = 0; pass < passes; pass++) {
			graph_test_draft.step = pass;
			graph_test_declare('w', pass);
			if (budget % 20 == 0) {
				graph_test_declare('r', pass + 1);
			}
			assert_int_equal(graph_test_end_pass().status, GG_OK);
		}
		assert_int_equal(graph_test_end().status, GG_OK);
		assert_int_equal(graph_test_order().status, GG_OK);
		for (; cursor != UINT32_MAX; steps++) {
			graph_order_rank(graph_test, &cursor, budget);
		}
		const uint32_t work = graph_test->version.used + passes + graph_test->access.used;

		assert_in_range(steps, work / (budget + 3), work / budget + 2);
	}
}

/* Each pass comes after the next one, or reads what that one writes. The order is found in steps, each of which handles
 * as many elements as it is told, and at most those of one pass more: passes, versions, declarations, and what is let go. */
static void steps_of_the_order(void **state)
{
	const uint32_t passes = 90;

	(void)state;
	for (uint32_t round = 0; round < 20; round++) {
		const bool after = round % 2 != 0;
		const uint32_t budget = 10 + round * 3;
		uint32_t cursor = 0, steps = 0, waits = 0;

		graph_test_begin(FIXED, 100, true);
		for (uint32_t pass = 0; pass < passes; pass++) {
			graph_test_draft.step = pass;
			if (!after) {
				graph_test_declare('w', pass);
				graph_test_declare('r', pass + 1);
			} else if (pass + 1 < passes) {
				graph_test_declare('a', pass + 1);
			}
			assert_int_equal(graph_test_end_pass().status, GG_OK);
		}
		assert_int_equal(graph_test_end().status, GG_OK);
		for (uint32_t pass = 0; pass < passes; pass++) {
			waits += graph_test->passes[pass].waits;
		}
		for (; cursor != UINT32_MAX; steps++) {
			assert_int_equal(graph_order_make(graph_test, &cursor, budget).status,
					 GG_OK);
		}
		const uint32_t work =
			2 * passes + graph_test->version.used + graph_test->access.used + waits;

		assert_in_range(steps, work / (budget + 3), work / budget + 2);
	}
}

/* Told to handle one element, each step handles one. Without resources there are no versions. */
static void one_at_a_time(void **state)
{
	const uint32_t passes = 90;
	uint32_t cursor = 0, steps = 0;

	(void)state;
	graph_test_begin(FIXED, 1, false);
	for (uint32_t pass = 0; pass < passes; pass++) {
		graph_test_draft.step = pass;
		if (pass == 0) {
			graph_test_declare('a', 1);
		}
		assert_int_equal(graph_test_end_pass().status, GG_OK);
	}
	assert_int_equal(graph_test_end().status, GG_OK);
	for (; cursor != UINT32_MAX; steps++) {
		assert_int_equal(graph_order_make(graph_test, &cursor, 1).status, GG_OK);
	}
	assert_int_equal(graph_test->version.used, 0);
	assert_int_equal(steps, 2 * passes + 3); /* looked at, taken, and the ends of three lists */
}

/* The resources of an unordered graph are looked at in steps, too, each of as many as it is told. */
static void steps_of_the_end(void **state)
{
	(void)state;
	for (uint32_t budget = 1; budget <= 100; budget += 9) {
		uint32_t cursor = 0, steps = 0;

		graph_test_begin(FIXED, 100, true);
		graph_test_draft.step = 0;
		assert_int_equal(graph_test_end_pass().status, GG_OK);
		for (; cursor != UINT32_MAX; steps++) {
			assert_int_equal(graph_build_end(graph_test, &cursor, budget).status,
					 GG_OK);
		}
		assert_int_equal(steps, 100 / budget + 1);
	}
}

/* A cycle is refused, and the pass that is named is in it. */
static void expect_cycle(uint64_t members)
{
	assert_int_equal(graph_test_end().status, GG_OK);

	const struct refusal refusal = graph_test_order();

	assert_int_equal(refusal.status, GG_ERR_GRAPH_CYCLE);
	assert_in_range(refusal.value, 0, 63);
	assert_true(members >> refusal.value & 1);
}

/* S2-R33, S2-Q4. */
static void cycles(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 8, true);
	graph_test_pass("w0");
	graph_test_pass("r0 w1 r4");
	graph_test_pass("r1 w2");
	graph_test_pass("r2 w3");
	graph_test_pass("r3 w4 w5");
	graph_test_pass("r5");
	graph_test_pass("a5");
	expect_cycle(0x1e);
	/* A pass that reads what it writes. */
	graph_test_begin(FIXED, 8, true);
	graph_test_pass("w1");
	graph_test_pass("u1");
	graph_test_pass("r1");
	expect_cycle(0x2);
	/* AFTER itself; each other; against the data; against a hazard. */
	graph_test_begin(FIXED, 8, false);
	graph_test_pass("w1");
	graph_test_pass("a1 r1");
	graph_test_pass("w1");
	expect_cycle(0x2);
	graph_test_begin(FIXED, 8, false);
	graph_test_pass("a3");
	graph_test_pass("");
	graph_test_pass("a0");
	graph_test_pass("a2");
	graph_test_pass("a3");
	expect_cycle(0xd);
	graph_test_begin(FIXED, 8, false);
	graph_test_pass("w1 a1");
	graph_test_pass("r1");
	expect_cycle(0x3);
	graph_test_begin(FIXED, 8, false);
	graph_test_pass("r1 a1");
	graph_test_pass("w1");
	graph_test_pass("w1");
	expect_cycle(0x3);
}

/* S2-R72: the rank is the longest way to the end, in the time that is expected; it does not overflow. */
static void ranks(void **state)
{
	const uint32_t expected[] = { 111, 101, 103, 108, 100 };

	(void)state;
	make_figure_8();
	for (uint32_t i = 0; i < 5; i++) {
		graph_test->passes[i].estimate = (const uint32_t[]){ 3, 1, 3, 8, 100 }[i];
	}
	graph_test_rank();
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(graph_test->passes[i].rank, expected[i]);
	}
	graph_test->passes[3].estimate = UINT32_MAX;
	graph_test->passes[0].estimate = UINT32_MAX - 5;
	graph_test_rank();
	assert_int_equal(graph_test->passes[0].rank, UINT32_MAX - 1);
	assert_int_equal(graph_test->passes[3].rank, UINT32_MAX - 1);
	assert_int_equal(graph_test->passes[2].rank, 103);
}

/* A cycle is found in steps, too: each pass is looked at, then again with the one that it waits for, and once on the way back. */
static void steps_of_a_cycle(void **state)
{
	const uint32_t passes = 90;

	(void)state;
	for (uint32_t budget = 10; budget <= 100; budget += 30) {
		uint32_t cursor = 0, steps = 0;
		enum gg_status status = GG_OK;

		graph_test_begin(FIXED, 1, false);
		for (uint32_t pass = 0; pass < passes; pass++) {
			graph_test_draft.step = pass;
			graph_test_declare('a', (pass + 1) % passes);
			assert_int_equal(graph_test_end_pass().status, GG_OK);
		}
		assert_int_equal(graph_test_end().status, GG_OK);
		for (; status == GG_OK && cursor != UINT32_MAX; steps++) {
			status = graph_order_make(graph_test, &cursor, budget).status;
		}
		assert_int_equal(status, GG_ERR_GRAPH_CYCLE);
		assert_in_range(steps, 4 * passes / (budget + 3), 4 * passes / budget + 2);
	}
}

/* The passes that wait for a version are looked at once, for all passes that make or read it: what their ranks become later
 * does not count. */
static void ranks_are_found_once(void **state)
{
	static const uint32_t expected[] = { 3, 3, 2, 2, 1 };
	uint32_t cursor = 0;

	(void)state;
	graph_test_begin(FIXED, 1, false);
	graph_test_pass("s0");
	graph_test_pass("s0");
	graph_test_pass("r0");
	graph_test_pass("r0");
	graph_test_pass("w0");
	assert_int_equal(graph_test_end().status, GG_OK);
	assert_int_equal(graph_test_order().status, GG_OK);
	for (uint32_t pass = 5; pass-- > 0;) {
		while (cursor == 0 || graph_test->work.mark > pass) {
			graph_order_rank(graph_test, &cursor, 1);
		}
		assert_int_equal(graph_test->passes[pass].rank, expected[pass]);
		if (pass % 2 != 0) { /* the next one asks for the same list */
			graph_test->passes[pass + 1].rank = 1000;
		}
	}
	assert_int_equal(cursor, UINT32_MAX);
}

/* A cycle through 60,000 passes is found too. */
static void long_cycle(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 1, false);
	graph_test_draft.step = 0;
	graph_test_declare('a', 59999);
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	for (uint32_t pass = 1; pass < 60000; pass++) {
		graph_test_declare('a', pass - 1);
		assert_int_equal(graph_test_end_pass().status, GG_OK);
	}
	assert_int_equal(graph_test_end().status, GG_OK);
	assert_int_equal(graph_test_order().status, GG_ERR_GRAPH_CYCLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_of_ranks),
		cmocka_unit_test(steps_of_the_order),
		cmocka_unit_test(figure_8),
		cmocka_unit_test(chain),
		cmocka_unit_test(sorted),
		cmocka_unit_test(cycles),
		cmocka_unit_test(ranks),
		cmocka_unit_test(long_cycle),
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(steps_of_the_end),
		cmocka_unit_test(steps_of_a_cycle),
		cmocka_unit_test(ranks_are_found_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

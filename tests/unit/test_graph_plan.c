/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of transient buffers (S2-R39, S2-Q18).
 * sources: firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c firmware/graph/order.c
 * firmware/graph/cycle.c firmware/graph/plan.c firmware/graph/space.c */
#include "firmware/graph/plan.h"
#include "firmware/graph/space.h"
#include "tests/unit/graph_reach.h"

#define TRANSIENT GG_GRAPH_RESOURCE_KIND_TRANSIENT
#define PLENTY    (1ull << 40)
#define UNIT      64u /* alignment, and the size of resources here */

static struct refusal plan(uint64_t space_bytes, bool resource)
{
	struct refusal refusal = refusal_none();

	for (uint32_t cursor = 0; cursor != UINT32_MAX && refusal.status == GG_OK;) {
		refusal = graph_plan(graph_test, space_bytes, resource, &cursor, 3);
	}
	return refusal;
}

static uint64_t place(uint32_t resource)
{
	return graph_test->resources[resource].address;
}

static void expect_plan(uint64_t space_bytes, bool resource, uint64_t peak_units)
{
	assert_int_equal(plan(space_bytes, resource).status, GG_OK);
	assert_int_equal(graph_test->peak_bytes, peak_units * UNIT);
}

/* Pass i reads buffer i - 1 and writes buffer i. */
static void make_chain(uint32_t passes)
{
	graph_test_begin(TRANSIENT, passes + 1, false);
	for (uint32_t pass = 0; pass < passes; pass++) {
		if (pass > 0) {
			graph_test_declare('r', pass - 1);
		}
		graph_test_declare('w', pass);
		assert_int_equal(graph_test_end_pass().status, GG_OK);
	}
	assert_int_equal(graph_test_end().status, GG_OK);
	assert_int_equal(graph_test_order().status, GG_OK);
}

/* S2-R39, S2-R69, S2-R81: a chain of 100 buffers needs two places, or has one for each; between them what there is. */
static void chain(void **state)
{
	(void)state;
	make_chain(100);
	expect_plan(PLENTY, true, 2);
	assert_int_equal(graph_test->sum_bytes, 100 * UNIT);
	for (uint32_t i = 1; i < 100; i++) {
		assert_int_not_equal(place(i), place(i - 1));
	}
	graph_test_rank();
	assert_int_equal(graph_test->passes[0].rank, 100);
	make_chain(100);
	expect_plan(100 * UNIT, false, 100);
	assert_int_equal(graph_test->access.used, 199);
	make_chain(100);
	expect_plan(7 * UNIT + 63, false, 7);
	make_chain(100);
	expect_plan(2 * UNIT, false, 2);
	make_chain(100);
	expect_plan(2 * UNIT, true, 2);
}

/* S2-R39: lives that overlap never share; lives that are apart do, and the later one waits. */
static void lives(void **state)
{
	(void)state;
	graph_test_begin(TRANSIENT, 4, false);
	graph_test_pass("w0");
	graph_test_pass("w1");
	graph_test_pass("r0 r1");
	graph_test_pass("w2");
	graph_test_pass("r2");
	assert_int_equal(graph_test_end().status, GG_OK);
	assert_int_equal(graph_test_order().status, GG_OK);
	assert_false(graph_reach_is(2, 3));
	expect_plan(PLENTY, true, 2);
	assert_int_not_equal(place(0), place(1));
	assert_true(place(2) == place(0) || place(2) == place(1));
	assert_true(graph_reach_is(2, 3));
	assert_int_equal(graph_test->passes[3].waits, 1);
	assert_int_equal(graph_test->sum_bytes, 3 * UNIT);
}

/* With emphasis on speed passes stay independent while there is room (S2-R69). */
static void speed(void **state)
{
	(void)state;
	for (uint32_t units = 2; units <= 4; units++) {
		graph_test_begin(TRANSIENT, 4, false);
		graph_test_pass("w0");
		graph_test_pass("w1");
		graph_test_pass("w2");
		graph_test_pass("w3");
		assert_int_equal(graph_test_end().status, GG_OK);
		assert_int_equal(graph_test_order().status, GG_OK);
		expect_plan(units * UNIT, false, units);
		/* What has been free for longest is used again. */
		assert_int_equal(graph_reach_is(0, units), units < 4);
		assert_false(graph_reach_is(units - 1, units == 4 ? 0 : units));
	}
}

/* S2-R39: updates and shared writers belong to the life; each of the first writers of the next one waits. */
static void writers(void **state)
{
	(void)state;
	graph_test_begin(TRANSIENT, 4, false);
	graph_test_pass("s0");
	graph_test_pass("s0");
	graph_test_pass("u0");
	graph_test_pass("r0");
	graph_test_pass("s1");
	graph_test_pass("s1");
	graph_test_pass("w1");
	assert_int_equal(graph_test_end().status, GG_OK);
	assert_int_equal(graph_test_order().status, GG_OK);
	expect_plan(PLENTY, true, 1);
	for (uint32_t later = 4; later < 7; later++) {
		assert_true(graph_reach_is(3, later) && graph_reach_is(0, later));
	}
	assert_int_equal(graph_test->passes[5].waits, 1);
	assert_int_equal(graph_test->passes[6].waits, 1);
	assert_false(graph_reach_is(4, 5));
}

/* Sizes differ: small ones share what a large one had, and a large one takes what several small ones had. */
static void differ(void **state)
{
	(void)state;
	graph_test_fill(TRANSIENT, 6);
	graph_test_table[0].bytes_lo = 4 * UNIT - 1;
	graph_test_table[3].bytes_lo = 3 * UNIT;
	graph_test_table[4].bytes_lo = 5 * UNIT;
	graph_test_begin_as(6, false);
	graph_test_pass("w0");
	graph_test_pass("w1 w2");
	graph_test_pass("w3");
	graph_test_pass("r1 r2");
	graph_test_pass("w4");
	assert_int_equal(graph_test_end().status, GG_OK);
	assert_int_equal(graph_test_order().status, GG_OK);
	/* 0 is free again when 1 and 2 come; 3 takes the rest of it and more; 4 takes all. */
	expect_plan(PLENTY, true, 5);
	assert_int_equal(place(1) + place(2), UNIT);
	assert_int_equal(place(3), 2 * UNIT);
	assert_int_equal(place(4), 0);
	for (uint32_t earlier = 0; earlier < 4; earlier++) {
		assert_true(graph_reach_is(earlier, 4));
	}
	assert_true(graph_reach_is(0, 2));
	assert_false(graph_reach_is(1, 2));
	assert_int_equal(graph_test->sum_bytes, (4 + 2 + 3 + 5) * UNIT);
}

/* The place that leaves least is chosen, whichever became free last. */
static void best_fit(void **state)
{
	(void)state;
	for (uint32_t last = 0; last <= 2; last += 2) {
		graph_test_fill(TRANSIENT, 6);
		graph_test_table[0].bytes_lo = 4 * UNIT;
		graph_test_table[2].bytes_lo = 3 * UNIT;
		graph_test_table[4].bytes_lo = 2 * UNIT;
		graph_test_table[5].bytes_lo = 4 * UNIT;
		graph_test_begin_as(6, false);
		graph_test_pass("w0 w1 w2 w3");
		graph_test_pass(last == 0 ? "r0" : "r2");
		graph_test_pass("w4");
		graph_test_pass("w5 r4");
		graph_test_pass("r1 r3");
		graph_test_finish();
		expect_plan(PLENTY, true, 9);
		assert_int_equal(place(4), place(2));
		assert_int_equal(place(5), place(0));
	}
}

/* A buffer of two units lies between pieces of one unit that were freed after it, and another buffer takes its place. */
static void make_pieces(uint32_t pieces)
{
	const uint32_t last = 2 * pieces + 1;

	graph_test_fill(TRANSIENT, last + 1);
	graph_test_table[0].bytes_lo = graph_test_table[last].bytes_lo = 2 * UNIT;
	graph_test_begin_as(last + 1, false);
	for (uint32_t buffer = 0; buffer < last; buffer++) {
		graph_test_declare('w', buffer);
	}
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	graph_test_pass("r0");
	for (uint32_t buffer = 1; buffer < last; buffer += 2) {
		graph_test_declare('r', buffer);
	}
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	graph_test_declare('w', last);
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	for (uint32_t buffer = 2; buffer < last; buffer += 2) {
		graph_test_declare('r', buffer);
	}
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	graph_test_finish();
}

/* While there is fresh memory, no more than 64 pieces are looked at for a buffer; when there is none, 4,096. */
static void short_search(void **state)
{
	(void)state;
	make_pieces(63);
	expect_plan(PLENTY, true, 128);
	make_pieces(64);
	expect_plan(PLENTY, true, 132);
	make_pieces(64);
	expect_plan(131 * UNIT, true, 130);
	make_pieces(4095);
	expect_plan(8192 * UNIT, true, 8192);
	make_pieces(4096);
	const struct refusal refusal = plan(8194 * UNIT, true);

	assert_int_equal(refusal.status, GG_ERR_GRAPH_MEMORY);
	assert_int_equal(refusal.value, 8196 * UNIT);
}

/* Pieces that lie side by side count one by one: of 70 that are too small together no more than 64 are looked at, and the
 * place behind them in the list is not found. */
static void short_search_side_by_side(void **state)
{
	const uint32_t pieces = 70, last = pieces + 2;

	(void)state;
	for (uint32_t fit = 60; fit <= 80; fit += 20) {
		graph_test_fill(TRANSIENT, last + 1);
		graph_test_table[0].bytes_lo = graph_test_table[last].bytes_lo = fit * UNIT;
		graph_test_begin_as(last + 1, false);
		for (uint32_t buffer = 0; buffer < last; buffer++) {
			graph_test_declare('w', buffer); /* 0, a piece that stays in use, and 70 */
		}
		assert_int_equal(graph_test_end_pass().status, GG_OK);
		graph_test_pass("r0");
		for (uint32_t buffer = last; buffer-- > 2;) {
			graph_test_declare('r', buffer);
		}
		assert_int_equal(graph_test_end_pass().status, GG_OK);
		graph_test_declare('w', last);
		assert_int_equal(graph_test_end_pass().status, GG_OK);
		graph_test_pass("r1");
		graph_test_finish();
		expect_plan(PLENTY, true, fit == 60 ? 131 : 161);
		assert_int_equal(place(last) / UNIT, fit + 1);
	}
}

/* What is free at the top is used, with fresh memory above it. */
static void top(void **state)
{
	(void)state;
	graph_test_fill(TRANSIENT, 4);
	graph_test_table[3].bytes_lo = 5 * UNIT;
	graph_test_begin_as(4, false);
	graph_test_pass("w0 w1 w2");
	graph_test_pass("w3");
	graph_test_pass("r0");
	graph_test_finish();
	expect_plan(PLENTY, true, 6);
	assert_int_equal(place(3), UNIT);
}

/* When nothing is found in a short search, as little of what is free at the top is used as is enough: what lies below stays
 * free, and the pass does not wait for its users. */
static void top_is_enough(void **state)
{
	const uint32_t pieces = 140, under = pieces, highest = pieces + 1, last = pieces + 2;

	(void)state;
	graph_test_fill(TRANSIENT, last + 1);
	graph_test_table[highest].bytes_lo = graph_test_table[last].bytes_lo = 2 * UNIT;
	graph_test_begin_as(last + 1, false);
	for (uint32_t buffer = 0; buffer < last; buffer++) {
		graph_test_declare('w', buffer);
	}
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	graph_test_pass("r140 r141"); /* 1: both of the top are free, */
	for (uint32_t buffer = 0; buffer < pieces; buffer += 2) {
		graph_test_declare('r', buffer); /* 2: and then 70 pieces that are too small */
	}
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	graph_test_pass("w142");
	for (uint32_t buffer = 1; buffer < pieces; buffer += 2) {
		graph_test_declare('r', buffer);
	}
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	graph_test_finish();
	expect_plan(PLENTY, true, pieces + 3);
	assert_int_equal(place(highest), place(under) + UNIT);
	assert_int_equal(place(last), place(highest));
	assert_int_equal(graph_test->passes[3].waits, 1);
}

/* Too little: what would be enough is told, and is enough; nothing is left behind. */
static void too_small(void **state)
{
	(void)state;
	for (uint32_t resource = 0; resource < 2; resource++) {
		make_chain(50);
		const uint32_t accesses = graph_test->access.used;
		const struct refusal refusal = plan(2 * UNIT - 1, resource);

		assert_int_equal(refusal.status, GG_ERR_GRAPH_MEMORY);
		assert_int_equal(refusal.value, 2 * UNIT);
		assert_int_equal(graph_test->access.used, accesses);
		assert_int_equal(graph_test->passes[49].waits, 1);
		assert_int_equal(graph_test->versions[0].first_free, GRAPH_NONE);
		assert_int_equal(plan(refusal.value, resource).status, GG_OK);
		assert_int_equal(graph_test->sum_bytes, 50 * UNIT);
	}
	graph_test_fill(TRANSIENT, 1);
	graph_test_table[0].bytes_hi = 0xffffffff;
	graph_test_begin_as(1, false);
	graph_test_pass("w0");
	graph_test_finish();
	assert_int_equal(plan(UINT64_MAX, false).status, GG_ERR_GRAPH_MEMORY);
	assert_true(plan(UINT64_MAX, false).value == 0xffffffff00000040);
}

/* The plan is found in steps, each of which looks at as many elements as it is told, and at most those of one pass more: here
 * two plans come to a buffer for which there is no room, and are taken back, and a third one finds how much would be enough. */
static void steps_of_the_plan(void **state)
{
	const uint32_t passes = 50, waits = 2 * (passes - 5), accesses = 2 * passes - 1;
	const uint32_t work = 3 * (passes + passes + accesses) + waits;

	(void)state;
	for (uint32_t budget = 1; budget < 60; budget++) {
		struct refusal refusal = refusal_none();
		uint32_t cursor = 0, steps = 0;

		make_chain(passes);
		graph_test->resources[passes - 1].bytes = 100 * UNIT;
		while (refusal.status == GG_OK) {
			refusal = graph_plan(graph_test, 4 * UNIT, false, &cursor, budget);
			assert_in_range(++steps, 1, work + 20);
		}
		assert_int_equal(refusal.value, 101 * UNIT);
		assert_in_range(steps, work / (budget + 3), work / budget + 12);
	}
}

/* No room for the waits. */
static void full(void **state)
{
	(void)state;
	make_chain(50);
	graph_test->access.most = graph_test->access.used + 40;
	assert_int_equal(plan(2 * UNIT, true).status, GG_ERR_GRAPH_TOO_LARGE);
	make_chain(50);
	graph_test->access.most = graph_test->access.used + 48;
	assert_int_equal(plan(2 * UNIT, true).status, GG_OK);
}

/* Nothing to plan: resources of the host, and transients that nobody uses. */
static void nothing(void **state)
{
	(void)state;
	graph_test_fill(TRANSIENT, 4);
	graph_test_table[0].kind = GG_GRAPH_RESOURCE_KIND_FIXED;
	graph_test_table[0].address_lo = 4096;
	graph_test_begin_as(4, false);
	graph_test_pass("u0");
	graph_test_finish();
	expect_plan(0, false, 0);
	assert_int_equal(place(0), 4096);
	graph_test_begin(GG_GRAPH_RESOURCE_KIND_FIXED, 4, false);
	graph_test_pass("w0");
	graph_test_finish();
	expect_plan(0, true, 0);
}

/* 12,000 transients of random sizes: the plan is near what lives at the same time. */
static void large(void **state)
{
	uint64_t live = 0;
	uint64_t most = 0;

	(void)state;
	srand(2);
	graph_test_fill(TRANSIENT, 12000);
	for (uint32_t i = 0; i < 12000; i++) {
		graph_test_table[i].bytes_lo = UNIT * (1 + (uint32_t)rand() % 50);
	}
	graph_test_begin_as(12000, false);
	for (uint32_t pass = 0; pass < 12000; pass++) {
		live += graph_test_table[pass].bytes_lo;
		most = live > most ? live : most;
		graph_test_declare('w', pass);
		if (pass >= 40) {
			graph_test_declare('r', pass - 40);
			live -= graph_test_table[pass - 40].bytes_lo;
		}
		assert_int_equal(graph_test_end_pass().status, GG_OK);
	}
	graph_test_finish();
	assert_int_equal(plan(PLENTY, true).status, GG_OK);
	assert_in_range(graph_test->peak_bytes, most, most * 3 / 2);
	for (uint32_t i = graph_test->work.first; i != GRAPH_NONE;
	     i = graph_test->resources[i].region.next) {
		assert_int_equal(graph_test->resources[i].life, SPACE_LIFE_FREE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chain),
		cmocka_unit_test(lives),
		cmocka_unit_test(speed),
		cmocka_unit_test(writers),
		cmocka_unit_test(differ),
		cmocka_unit_test(too_small),
		cmocka_unit_test(best_fit),
		cmocka_unit_test(short_search),
		cmocka_unit_test(top),
		cmocka_unit_test(top_is_enough),
		cmocka_unit_test(full),
		cmocka_unit_test(nothing),
		cmocka_unit_test(large),
		cmocka_unit_test(steps_of_the_plan),
		cmocka_unit_test(short_search_side_by_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

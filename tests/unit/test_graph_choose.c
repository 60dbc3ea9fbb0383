/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the ready passes starts: rank, budgets, pairs, buffers' lives.
 * sources: firmware/graph/run.c firmware/graph/run_begin.c firmware/graph/choose.c
 *  firmware/graph/heap.c firmware/graph/lives.c tests/unit/graph_hand.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/graph/heap.h"
#include "tests/unit/graph_hand.h"

#define EXPECT(...) hand_expect((const uint32_t[]){ __VA_ARGS__, GRAPH_NONE })

static const struct graph_limits two = { .at_once = 2 };

static void end(uint32_t pass)
{
	graph_run_end(&hand_run, pass, GG_OK, 50);
}

static uint32_t seed = 1;

static uint32_t below(uint32_t limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % limit;
}

/* The members are a heap, and a list where they are said to be one. With emphasis on resources each knows its place, from which it
 * rises when it gains more. */
static void assert_heap(void)
{
	const uint32_t *heap = hand_run.heap;

	for (uint32_t place = 0; place < hand_run.ready; place++) {
		const uint32_t above = hand_run.sorted ? place - 1 : (place - 1) / 2;

		assert_true(place == 0 || graph_heap_before(&hand_run, heap[above], heap[place]));
		if (hand_run.limits.resource) {
			assert_int_equal(hand.passes[heap[place]].place, place);
		}
	}
}

/* Of all that are ready, the one with the longest way, and of those the lowest. */
static uint32_t best_ready(uint32_t passes)
{
	uint32_t best = GRAPH_NONE;

	for (uint32_t pass = passes; pass-- > 0;) {
		if (hand_state(pass) == GG_GRAPH_PASS_STATE_READY &&
		    (best == GRAPH_NONE || hand.passes[pass].rank >= hand.passes[best].rank)) {
			best = pass;
		}
	}
	return best;
}

/* S2-R72: longer ways first, of equal ones the lower number; 300 random sets, each against a search through all. */
static void longest_first(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 300; round++) {
		const uint32_t passes = 1 + below(60);

		hand_begin();
		for (uint32_t pass = 0; pass < passes; pass++) {
			hand_pass(1 + below(20));
		}
		hand_end();
		hand_start(&(struct graph_limits){ .at_once = 1, .resource = round % 3 == 0 });
		for (uint32_t left = passes; left > 0; left--) {
			const uint32_t best = best_ready(passes);

			EXPECT(best);
			assert_heap();
			end(best);
		}
		assert_true(graph_run_is_over(&hand_run));
	}
}

/* Two passes that need so much of a kind, and what may run at once. */
static uint32_t overlap(enum gg_graph_need kind, uint32_t one, uint32_t other, uint32_t budget)
{
	struct graph_limits limits = { .at_once = 8 };

	limits.budgets[kind] = budget;
	hand_begin();
	hand_pass(10);
	hand_need(kind, one);
	hand_pass(10);
	hand_need(kind, other);
	hand_end();
	hand_start(&limits);
	for (uint32_t pass; (pass = hand_next(1)) != GRAPH_NONE || !graph_run_is_over(&hand_run);) {
		for (uint32_t index = 0; pass == GRAPH_NONE && index < 2; index++) {
			if (hand_state(index) == GG_GRAPH_PASS_STATE_RUNNING) {
				end(index);
			}
		}
	}
	return hand_run.most_at_once;
}

/* S2-R66, S2-R67, S2-R68, S2-V5: what needs more than half never overlaps, what needs half may; for each
 * kind, and without wrapping. A pass that alone needs too much runs alone (S2-Q12). */
static void budgets(void **state)
{
	(void)state;
	for (uint32_t kind = 0; kind < GRAPH_NEEDS; kind++) {
		assert_int_equal(overlap(kind, 51, 51, 100), 1);
		assert_int_equal(overlap(kind, 51, 50, 100), 1);
		assert_int_equal(overlap(kind, 50, 50, 100), 2);
		assert_int_equal(overlap(kind, 100, 0, 100), 2);
		assert_int_equal(overlap(kind, 0xfffffff0u, 0x20, 0xffffffffu), 1);
		assert_int_equal(overlap(kind, 0xfffffff0u, 0x0f, 0xffffffffu), 2);
		assert_int_equal(overlap(kind, 0xfffffff0u, 0xfffffff0u, 0), 2);
		assert_int_equal(overlap(kind, 101, 1, 100), 1);
		assert_int_equal(overlap(kind, 1, 101, 100), 1);
	}
}

/* S2-R66, S2-Q13: what fits goes before what does not, though its rank is lower and it is far
 * behind; looking for it is done in pieces. What did not fit comes when there is room. */
static void what_fits(void **state)
{
	(void)state;
	struct graph_limits limits = { .at_once = 8, .budgets = { 100, 10, 0, 0 } };

	hand_begin();
	for (uint32_t pass = 0; pass < 500; pass++) {
		hand_pass(1000 - pass);
		hand_need(GG_GRAPH_NEED_UNITS, pass == 490 ? 4 : 6);
		hand_need(GG_GRAPH_NEED_MEMORY, pass == 490 ? 2 : 3);
	}
	hand_end();
	hand_start(&limits);
	assert_int_equal(hand_run.least[GG_GRAPH_NEED_UNITS], 4);
	assert_int_equal(hand_run.least[GG_GRAPH_NEED_MEMORY], 2);
	assert_int_equal(graph_run_next(&hand_run, 1), 0);
	assert_int_equal(graph_run_next(&hand_run, 1), GRAPH_NONE);
	assert_true(hand_run.more);
	assert_int_equal(hand_next(1), 490);
	EXPECT(GRAPH_NONE);
	end(490);
	EXPECT(GRAPH_NONE);
	assert_int_equal(hand_run.least[GG_GRAPH_NEED_UNITS],
			 6); /* no look is needed until there is room for that */
	assert_int_equal(hand_run.least[GG_GRAPH_NEED_MEMORY], 3);
	end(0);
	EXPECT(1);
	for (uint32_t pass = 1; pass < 490; pass++) {
		end(pass);
		EXPECT(pass + 1 == 490 ? 491 : pass + 1);
	}
	assert_int_equal(hand_run.most_at_once, 2);
}

/* A heavy pass runs; a heavy one of rank 100 and another of that rank and needs are ready. */
static uint32_t partner(uint32_t rank, enum gg_graph_need kind, uint32_t amount)
{
	hand_begin();
	hand_pass(200);
	hand_need(GG_GRAPH_NEED_UNITS, 90);
	hand_need(GG_GRAPH_NEED_BANDWIDTH, 5);
	hand_pass(100);
	hand_need(GG_GRAPH_NEED_UNITS, 80);
	hand_pass(rank);
	hand_need(kind, amount);
	hand_end();
	hand.needs_most[GG_GRAPH_NEED_BANDWIDTH] = 100;
	hand_start(&two);
	assert_int_equal(hand_next(1), 0);
	return hand_next(1);
}

/* S2-R70, S2-R71, S2-A10: beside a pass that uses much of one kind, one that uses little of it, or of another
 * kind, though its rank is a little lower; not if it is much lower. */
static void pairs(void **state)
{
	(void)state;
	assert_int_equal(partner(95, GG_GRAPH_NEED_UNITS, 10), 2);
	assert_int_equal(partner(95, GG_GRAPH_NEED_BANDWIDTH, 100), 2);
	assert_int_equal(partner(88, GG_GRAPH_NEED_UNITS, 10), 2);
	assert_int_equal(partner(87, GG_GRAPH_NEED_UNITS, 10), 1);
	assert_int_equal(partner(95, GG_GRAPH_NEED_UNITS, 80), 1);
	assert_int_equal(partner(95, GG_GRAPH_NEED_UNITS, 81), 1);
}

/* S2-R70, S2-R71: the kind that counts is the one that the running pass uses most, whichever that is, and whether it has a
 * budget or not. */
static void pairs_of_each_kind(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 2 * GRAPH_NEEDS; round++) {
		const enum gg_graph_need kind = round % GRAPH_NEEDS;
		struct graph_limits limits = { .at_once = 2 };

		hand_begin();
		for (uint32_t pass = 0; pass < 3; pass++) {
			hand_pass(200 - 5 * pass);
			for (uint32_t other = 0; other < GRAPH_NEEDS; other++) {
				hand_need(other, 20 + 10 * pass);
				hand.needs_most[other] = 100;
			}
			hand_need(kind, 70 - 20 * pass);
		}
		if (round >= GRAPH_NEEDS) {
			limits.budgets[kind] = 130;
		}
		hand_end();
		hand_start(&limits);
		EXPECT(0, 2);
	}
}

/* With emphasis on resources no partner is looked for, also when several may run at once. */
static void no_pairs_to_save_memory(void **state)
{
	static const uint32_t ranks[] = { 200, 100, 95 };
	static const uint32_t units[] = { 90, 80, 10 };

	(void)state;
	hand_begin();
	for (uint32_t pass = 0; pass < 3; pass++) {
		hand_pass(ranks[pass]);
		hand_need(GG_GRAPH_NEED_UNITS, units[pass]);
	}
	hand_end();
	hand_start(&(struct graph_limits){ .at_once = 3, .resource = true });
	EXPECT(0, 1, 2);
}

/* S2-R70, S2-R72: of three, one of much lower rank is no partner, however little it needs. */
static void no_pair_with_a_short_one(void **state)
{
	static const uint32_t ranks[] = { 200, 100, 95, 20 };
	static const uint32_t units[] = { 90, 80, 70, 1 };

	(void)state;
	hand_begin();
	for (uint32_t pass = 0; pass < 4; pass++) {
		hand_pass(ranks[pass]);
		hand_need(GG_GRAPH_NEED_UNITS, units[pass]);
	}
	hand_end();
	hand_start(&(struct graph_limits){ .at_once = 3 });
	EXPECT(0, 2, 1);
}

/* Of 200 that are ready, those in two places of the heap fit: `first`, and the last, which is in the branch of place 2. */
static void find_two(uint32_t first)
{
	uint32_t branch[200] = { 0 };

	hand_begin();
	hand_pass(5000);
	hand_need(GG_GRAPH_NEED_UNITS, 6);
	hand_pass(1);
	for (uint32_t place = 200; place-- > 0;) { /* the list of waiters is the other way round */
		uint32_t top = place;

		while (top > 2) {
			top = (top - 1) / 2;
		}
		branch[place] = top;
		hand_pass(place == 0 ? 1000 : (top == 2 ? 800 : 400) - place);
		hand_need(GG_GRAPH_NEED_UNITS, place == first || place == 199 ? 1 : 6);
		hand_after(1);
	}
	assert_int_equal(branch[199], 2);
	assert_int_equal(branch[first], first == 2 ? 2 : 1);
	hand_end();
	hand_start(&(struct graph_limits){
		.at_once = 9, .resource = true, .budgets = { 0, 10, 0, 0 } });
	EXPECT(0, 1);
	end(1);
	EXPECT(201 - first, 201 - 199);
	assert_heap();
	end(201 - first);
	end(201 - 199);
	end(0);
	for (uint32_t left = 198; left > 0; left--) {
		const uint32_t best = best_ready(202);

		EXPECT(best);
		assert_heap();
		end(best);
	}
}

/* S2-R68: two that fit are far behind, the second as the last of the heap, with a higher rank than those in the
 * first one's branch: it moves before what was searched, and is found there. */
static void found_where_it_went(void **state)
{
	(void)state;
	find_two(70);
	find_two(2); /* near the first: others move up in its branch */
}

/* S2-R68, S2-R72: passes become ready in the order of their ranks, but for a few; two that fit are far behind, and are found by rank.
 * Those that are left start by rank when all fit again. */
static void found_in_a_list(void **state)
{
	(void)state;
	hand_begin();
	hand_pass(5000);
	hand_need(GG_GRAPH_NEED_UNITS, 6);
	hand_pass(1);
	for (uint32_t place = 40; place-- > 0;) { /* the list of waiters is the other way round */
		hand_pass(1000 - (place ^ 3));    /* each four of them the other way round again */
		hand_need(GG_GRAPH_NEED_UNITS, place == 5 || place == 30 || place == 39 ? 1 : 6);
		hand_after(1);
	}
	hand_end();
	hand_start(&(struct graph_limits){ .at_once = 3, .budgets = { 0, 10, 0, 0 } });
	EXPECT(0, 1);
	end(1);
	assert_true(hand_run.sorted);
	EXPECT(41 - 5, 41 - 30);
	assert_false(hand_run.sorted); /* one of them was taken from far behind */
	assert_heap();
	end(41 - 5);
	EXPECT(41 - 39);
	end(0);
	end(41 - 30);
	end(41 - 39);
	for (uint32_t rank = 0; rank < 40; rank++) {
		const uint32_t place = rank ^ 3;

		if (place != 5 && place != 30 && place != 39) {
			EXPECT(41 - place);
			end(41 - place);
		}
	}
	assert_true(graph_run_is_over(&hand_run));
}

/* S2-A11: two heavy and two light passes: with pairs, the most that is used at once is less than
 * that of the two heavy ones. */
static void pairs_use_less(void **state)
{
	(void)state;
	uint64_t most = 0;

	hand_begin();
	for (uint32_t pass = 0; pass < 8; pass++) {
		hand_pass(100 - pass);
		hand_need(GG_GRAPH_NEED_MEMORY, pass < 4 ? 1000 : 10);
	}
	hand_end();
	hand_start(&two);
	for (uint32_t round = 0; round < 4; round++) {
		const uint32_t one = hand_next(1);
		const uint32_t other = hand_next(1);

		most = hand_run.used[0] > most ? hand_run.used[0] : most;
		end(one);
		end(other);
	}
	assert_true(graph_run_is_over(&hand_run));
	assert_int_equal(most, 1010);
	assert_int_equal(hand_run.used[0], 0);
}

/* S2-R72: a pass that comes before eight others moves before them one by one; one that comes before more makes the list a
 * heap. */
static void far_from_its_place(void **state)
{
	(void)state;
	for (uint32_t passes = 2; passes < 40; passes++) {
		hand_begin();
		for (uint32_t pass = 0; pass < passes; pass++) {
			hand_pass(1 + pass);
		}
		hand_end();
		hand_start(&(struct graph_limits){ .at_once = 1 });
		assert_int_equal(hand_run.sorted, passes <= 9);
		assert_heap();
		EXPECT(passes - 1);
		assert_int_equal(hand_run.sorted, passes <= 9);
		assert_heap();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(longest_first),       cmocka_unit_test(budgets),
		cmocka_unit_test(what_fits),           cmocka_unit_test(pairs),
		cmocka_unit_test(pairs_of_each_kind),  cmocka_unit_test(no_pairs_to_save_memory),
		cmocka_unit_test(pairs_use_less),      cmocka_unit_test(no_pair_with_a_short_one),
		cmocka_unit_test(found_where_it_went), cmocka_unit_test(found_in_a_list),
		cmocka_unit_test(far_from_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

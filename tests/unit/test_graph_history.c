/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from what passes took before.
 * sources: firmware/graph/history.c firmware/graph/run.c firmware/graph/run_begin.c
 *  firmware/graph/choose.c firmware/graph/heap.c firmware/graph/lives.c tests/unit/graph_hand.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/graph/history.h"
#include "tests/unit/graph_hand.h"

static const struct graph_history_key some = { .context = 3, .entry = 0x80001000, .ctas = 64 };

static uint16_t place; /* of the pass that was looked up last, or of another one */

static uint32_t ticks_of(const struct graph_history_key *key, uint32_t otherwise)
{
	const uint32_t ticks = graph_history_ticks(key, &place);

	return ticks != 0 ? ticks : otherwise;
}

static void took(const struct graph_history_key *key, uint64_t ticks)
{
	graph_history_add(key, ticks, &place);
}

/* S2-R36, S2-R37, S2-R74, S2-V8: the second time the recorded estimate is used, not the default. */
static void recorded(void **state)
{
	(void)state;
	graph_history_init();
	assert_int_equal(ticks_of(&some, 77), 77);
	took(&some, 1000);
	assert_int_equal(ticks_of(&some, 77), 1000);
	graph_history_init();
	assert_int_equal(ticks_of(&some, 77), 77);
}

/* S2-Q11: context, kernel and CTAs are the key: each of them counts, in both halves. */
static void the_key(void **state)
{
	(void)state;
	struct graph_history_key other[5] = { some, some, some, some, some };

	other[0].context++;
	other[1].entry += 4;
	other[2].entry += (uint64_t)1 << 32;
	other[3].ctas++;
	other[4].ctas += (uint64_t)1 << 32;
	graph_history_init();
	took(&some, 1000);
	for (uint32_t index = 0; index < 5; index++) {
		assert_int_equal(ticks_of(&other[index], 7), 7);
		took(&other[index], index + 1);
	}
	for (uint32_t index = 0; index < 5; index++) {
		assert_int_equal(ticks_of(&other[index], 7), index + 1);
	}
	assert_int_equal(ticks_of(&some, 7), 1000);
	for (uint32_t index = 1; index < 4000; index++) { /* some of these are in the same set */
		other[0].context = some.context + index;
		other[1].entry = some.entry + 4ull * index + 4;
		other[3].ctas = some.ctas + index + 1;
		assert_int_equal(ticks_of(&other[0], 7), index == 1 ? 1 : 7);
		assert_int_equal(ticks_of(&other[1], 7), 7);
		assert_int_equal(ticks_of(&other[3], 7), 7);
	}
}

/* S2-Q11: the estimate moves a quarter of the way, and arrives, from either side. */
static void a_quarter(void **state)
{
	(void)state;
	graph_history_init();
	took(&some, 1000);
	took(&some, 2000);
	assert_int_equal(ticks_of(&some, 0), 1250);
	took(&some, 250);
	assert_int_equal(ticks_of(&some, 0), 1000);
	for (uint32_t index = 0; index < 40; index++) {
		took(&some, 10);
	}
	assert_int_equal(ticks_of(&some, 0), 10);
	for (uint32_t index = 0; index < 10; index++) {
		took(&some, 13);
	}
	assert_int_equal(ticks_of(&some, 0), 13);
}

/* S2-R37: an estimate is not 0, and has 32 bits. */
static void extremes(void **state)
{
	(void)state;
	graph_history_init();
	took(&some, 0);
	assert_int_equal(ticks_of(&some, 7), 1);
	took(&some, 0);
	assert_int_equal(ticks_of(&some, 7), 1);
	graph_history_init();
	took(&some, UINT64_MAX);
	took(&some, (uint64_t)1 << 32);
	assert_int_equal(ticks_of(&some, 7), UINT32_MAX);
}

/* S2-Q11: the table is full at some time: the newest are known, and one that is used all the time stays. */
static void full(void **state)
{
	(void)state;
	uint32_t known = 0;
	uint32_t half = 0;

	graph_history_init();
	for (uint32_t index = 1; index <= 20 * GRAPH_HISTORY; index++) {
		const struct graph_history_key key = { .context = index % 5,
						       .entry = 0x80000000u + 64 * index,
						       .ctas = index % 7 };

		took(&key, index);
		assert_int_equal(ticks_of(&key, 0), index);
		took(&some, 5);
		assert_int_equal(ticks_of(&some, 0), 5);
	}
	for (uint32_t age = 0; age < 20 * GRAPH_HISTORY; age++) {
		const uint32_t index = 20 * GRAPH_HISTORY - age;
		const struct graph_history_key key = { .context = index % 5,
						       .entry = 0x80000000u + 64 * index,
						       .ctas = index % 7 };
		const uint32_t ticks = ticks_of(&key, 0);

		assert_true(ticks == 0 || ticks == index);
		known += ticks != 0;
		half += ticks != 0 && age < GRAPH_HISTORY / 2;
	}
	assert_int_equal(known, GRAPH_HISTORY - 1); /* no entry is wasted */
	assert_true(half > GRAPH_HISTORY * 3 / 8);  /* of the newest half most are there */
}

/* S2-Q11: where a pass was is found again, and is only looked at: what another one has left there is not taken for its own. */
static void known_places(void **state)
{
	(void)state;
	const struct graph_history_key other = { .context = 3, .entry = 0x80002000, .ctas = 64 };
	uint16_t one = GRAPH_UNKNOWN;
	uint16_t two = GRAPH_UNKNOWN;

	graph_history_init();
	assert_int_equal(graph_history_ticks(&some, &one), 0);
	assert_int_equal(one, GRAPH_UNKNOWN);
	graph_history_add(&some, 1000, &one);
	graph_history_add(&other, 500, &two);
	assert_true(one < GRAPH_HISTORY && two < GRAPH_HISTORY && one != two);
	place = two;
	graph_history_add(&some, 2000, &place);
	assert_int_equal(place, one);
	place = GRAPH_UNKNOWN;
	assert_int_equal(graph_history_ticks(&some, &place), 1250);
	assert_int_equal(place, one);
	assert_int_equal(graph_history_ticks(&other, &place), 500);
	assert_int_equal(place, two);
}

/* S2-R72: ranks hold while the times from which they come do: nearer than an eighth, from either side. */
static void holds(void **state)
{
	(void)state;
	uint16_t at = 0;

	graph_history_init();
	graph_history_add(&some, 1000, &at);
	assert_true(graph_history_holds(at, 1000));
	assert_true(graph_history_holds(at, 876));
	assert_true(graph_history_holds(at, 1124));
	assert_false(graph_history_holds(at, 875));
	assert_false(graph_history_holds(at, 1125));
	assert_false(graph_history_holds(at, 0));
	assert_false(graph_history_holds(at, UINT32_MAX));
	graph_history_init();
	assert_false(graph_history_holds(at, 0)); /* nothing is known there */
}

/* Three passes of different kernels with the same default estimate, one at a time; @return the first. */
static uint32_t schedule(void)
{
	static const uint32_t ticks[] = { 300, 500, 400 };
	uint32_t first = GRAPH_NONE;
	uint64_t now = 1;

	hand_begin();
	for (uint32_t pass = 0; pass < 3; pass++) {
		const struct graph_history_key key = { .entry = 64 * pass };

		hand_pass(ticks_of(&key, 100));
	}
	hand_end();
	hand_start(&(struct graph_limits){ .at_once = 1 });
	for (uint32_t pass; (pass = hand_next(now)) != GRAPH_NONE; now++) {
		const struct graph_history_key key = { .entry = 64 * pass };

		first = first == GRAPH_NONE ? pass : first;
		now += ticks[pass];
		graph_run_end(&hand_run, pass, GG_OK, now);
		took(&key, hand.passes[pass].ended_at - hand.passes[pass].started_at);
		assert_int_equal(ticks_of(&key, 100), ticks[pass]);
	}
	return first;
}

/* S2-R72, S2-R73, S2-R74, S2-V8: the first time the defaults decide, the second time what was recorded: the
 * longest pass is first. */
static void scheduled_again(void **state)
{
	(void)state;
	graph_history_init();
	assert_int_equal(schedule(), 0);
	assert_int_equal(schedule(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded),     cmocka_unit_test(the_key),
		cmocka_unit_test(a_quarter),    cmocka_unit_test(extremes),
		cmocka_unit_test(full),         cmocka_unit_test(scheduled_again),
		cmocka_unit_test(known_places), cmocka_unit_test(holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

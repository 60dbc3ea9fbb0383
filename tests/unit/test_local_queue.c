/* SPDX-License-Identifier: Apache-2.0 */
/* Local queues of far groups. What happens between two accesses of a unit is done by a function that
 * atomic_step() calls there; random interleavings are in test_pull_random.c.
 * sources: firmware/pull/local_queue.c firmware/pull/work_queue.c firmware/pull/chunk.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/pull/local_queue.h"
#include "hal/atomic.h"

static struct work_entry entry;
static struct work_seen seen;
static struct local_queue local, other;

static uint32_t steps, act_at; /* Accesses so far; at which one act() is called, 0: never. */
static void (*act)(void);

void atomic_step(void)
{
	if (++steps == act_at) {
		act_at = 0;
		act();
	}
}

/* Ten units: node C, with units 8 and 9, is far. */
static void open_queue(uint64_t items, const struct chunk_policy *policy, uint32_t threshold)
{
	const uint32_t approved[WORK_SM_WORDS] = { 0x3b5 }, node_c[WORK_SM_WORDS] = { 0x300 };
	const struct work_order order = { .id = 5,
					  .items = items,
					  .groups = 2,
					  .policy = *policy,
					  .approved = approved,
					  .words = WORK_SM_WORDS };

	act_at = 0;
	memset(&entry, 0, sizeof(entry));
	memset(&local, 0x5a, sizeof(local)); /* whatever it held before */
	assert_int_equal(work_place(&entry, &order, &seen), GG_OK);
	assert_int_equal(local_open(&local, &entry, node_c, threshold), 2);
	work_open(&entry);
}

static const struct chunk_policy tens = { .fixed = 10, .far_factor = 4 };
static const struct chunk_policy fours = { .fixed = 4, .far_factor = 2 };

static enum work_result take(uint32_t unit, struct work_grant *grant)
{
	return local_take(&local, &entry, unit, 0, NULL, grant);
}

/* Whether the unit has taken a portion from the entry is told, whatever the result is. */
static enum work_result take_alone(uint32_t unit, struct work_grant *grant)
{
	const uint32_t before = work_remaining(&entry);

	const enum work_result result = take(unit, grant);

	assert_int_equal(grant->fetched, work_remaining(&entry) != before);
	return result;
}

static void assert_taken(uint32_t unit, uint64_t first, uint64_t items)
{
	struct work_grant grant;

	assert_int_equal(take_alone(unit, &grant), WORK_GRANTED);
	assert_int_equal(grant.first, first);
	assert_int_equal(grant.items, items);
}

static void assert_result(uint32_t unit, enum work_result result)
{
	struct work_grant grant;

	assert_int_equal(take_alone(unit, &grant), result);
}

/* S4-V5, S4-R86, S4-R89, S4-R90: 100 items, 7 units; a near one takes 10, node C fetches 40: wir goes
 * 100, 90, 50. The seen count stays until both units of C are through, and falls by 2, once (Q8). */
static void portion_and_seen(void **state)
{
	struct work_grant grant;

	(void)state;
	open_queue(100, &tens, 0);
	assert_int_equal(seen.left, 7);
	assert_int_equal(work_pull(&entry, 0, 0, NULL, &grant), WORK_GRANTED);
	assert_int_equal(work_remaining(&entry), 90);
	assert_taken(8, 10, 10);
	assert_int_equal(work_remaining(&entry), 50);
	assert_taken(9, 20, 10);
	assert_taken(8, 30, 10);
	assert_int_equal(work_remaining(&entry), 50);
	assert_int_equal(seen.left, 7);
	entry.wir = 0;
	assert_taken(8, 40, 10);
	assert_result(8, WORK_EMPTY);
	assert_int_equal(seen.left, 7);
	assert_result(9, WORK_EMPTY);
	for (int times = 0; times < 2; times++) {
		(void)work_mark(&seen, 8);
		(void)work_mark(&seen, 9);
		assert_int_equal(seen.left, 5);
	}
}

/* S4-R73, S4-R74, S4-R63, S4-R64, S4-R88: 16 items: A takes 4 straight from the entry, C fetches 8 for
 * its units, B takes 4. */
static void near_and_far(void **state)
{
	struct work_grant grant;

	(void)state;
	open_queue(16, &fours, 0);
	local.plan.groups = 1;
	assert_int_equal(work_take(&entry, 0, 4, &grant), WORK_GRANTED);
	assert_int_equal(grant.first, 0);
	assert_taken(8, 4, 4);
	assert_int_equal(work_take(&entry, 5, 4, &grant), WORK_GRANTED);
	assert_int_equal(grant.first, 12);
	assert_taken(9, 8, 4);
	assert_result(9, WORK_EMPTY);
	assert_int_equal(work_take(&entry, 0, 4, &grant), WORK_EMPTY);
}

/* S4-R79, S4-R83, S4-R34, S4-R71: the next portion is fetched when few granules are left, once, and
 * waits until the first is used up. */
static void fetched_in_advance(void **state)
{
	(void)state;
	open_queue(400, &tens, 20);
	assert_taken(8, 0, 10);
	assert_int_equal(work_remaining(&entry), 360);
	assert_taken(9, 10, 10);
	assert_int_equal(work_remaining(&entry), 320);
	assert_taken(8, 20, 10);
	assert_taken(8, 30, 10);
	assert_int_equal(work_remaining(&entry), 320);
	assert_taken(9, 40, 10);
	assert_int_equal(work_remaining(&entry), 320);
}

/* S4-R78, S4-R84, S4-R31, S4-R32: a unit that is not approved, or a queue that is closed. */
static void approval(void **state)
{
	const uint32_t none[WORK_SM_WORDS] = { 0 };

	(void)state;
	open_queue(100, &tens, 0);
	assert_result(7, WORK_NOT_APPROVED);
	local_close(&local);
	assert_result(8, WORK_NOT_APPROVED);
	memset(&other, 0, sizeof(other));
	assert_int_equal(local_open(&other, &entry, none, 0), 0);
	assert_int_equal(other.state, LOCAL_CLOSED);
	open_queue(100, &tens, 0);
	assert_taken(8, 0, 10);
	local_stop(&local);
	assert_result(8, WORK_EMPTY);
}

static uint64_t others_first, others_waits;

static void other_unit_takes(void)
{
	struct work_grant grant;
	const enum work_result result = take(9, &grant);

	if (result == WORK_GRANTED) {
		others_first = grant.first;
	}
	others_waits += result == WORK_WAIT ? 1 : 0;
}

/* S4-R31: a group of units above 32: those and no others take from its queue. */
static void units_of_any_number(void **state)
{
	(void)state;
	for (uint32_t unit = 0; unit < WORK_SMS; unit++) {
		uint32_t group[WORK_SM_WORDS] = { 0 };

		open_queue(100, &tens, 0);
		memset(&local, 0, sizeof(local));
		memset(entry.approved, 0xff, sizeof(entry.approved));
		group[unit / 32] = 1u << unit % 32;
		assert_int_equal(local_open(&local, &entry, group, 0), 1);
		for (uint32_t one = 0; one < WORK_SMS; one++) {
			assert_result(one, one == unit ? WORK_GRANTED : WORK_NOT_APPROVED);
		}
	}
}

/* S4-V9, S4-R85, S4-R112: two units find the queue empty at the same time: wherever the first one is
 * when the second comes, one portion is fetched; the second waits while the first is on its way. */
static void at_each_access(void **state)
{
	(void)state;
	for (uint32_t at = 2; at < 80; at++) {
		struct work_grant grant;

		open_queue(100, &tens, 0);
		steps = 0;
		others_first = 99;
		/* Every other time where the numbers wrap. */
		local.word = at % 2 != 0 ? (LOCAL_NUMBERS - 1) << LOCAL_LEFT_BITS : 0;
		local.state = LOCAL_STAGED << 12 | local.word >> LOCAL_LEFT_BITS;
		act = other_unit_takes;
		act_at = at / 2;
		assert_int_equal(take(8, &grant), WORK_GRANTED);
		assert_int_not_equal(grant.first, others_first);
		assert_int_equal(work_remaining(&entry), 60);
	}
	assert_true(others_waits >= 8);
}

/* Others use up this portion and the next one, and fetch the one after that. */
static void others_go_far_ahead(void)
{
	struct work_grant grant;

	for (int chunk = 0; chunk < 9; chunk++) {
		assert_int_equal(take(9, &grant), WORK_GRANTED);
	}
	others_first = grant.first;
}

/* S4-R112: the unit that was held up gets items that nobody else got, wherever that was. */
static void held_up(void **state)
{
	(void)state;
	for (uint32_t at = 1; at < 60; at++) {
		struct work_grant grant;

		open_queue(2000, &tens, 0);
		assert_taken(8, 0, 10);
		steps = 0;
		others_first = 0;
		act = others_go_far_ahead;
		act_at = at;
		assert_int_equal(take(8, &grant), WORK_GRANTED);
		if (act_at != 0) {
			break;
		}
		assert_true(grant.first == 10 ? others_first == 100 : grant.first == 100);
	}
}

/* S4-R84: a unit is not told that all is gone while others are in the last portion, wherever it was held
 * up when that one began. */
static void not_through_too_early(void **state)
{
	struct work_grant grant;

	(void)state;
	for (uint32_t at = 1; at < 30; at++) {
		open_queue(80, &tens, 30);
		local.plan.groups = 1;
		for (uint64_t item = 0; item < 40; item += 10) {
			assert_taken(9, item, 10);
		}
		steps = 0;
		act = other_unit_takes;
		act_at = at;
		assert_int_equal(take(8, &grant), WORK_GRANTED);
		assert_int_equal(local.state, LOCAL_EMPTY << 12 | 3u);
	}
}

/* S4-R74: a unit died while it was fetching: others are told to wait, and go on with the entry. */
static void fetcher_dies(void **state)
{
	struct work_grant grant;

	(void)state;
	open_queue(100, &tens, 0);
	local.state = LOCAL_FETCHING << 12 | 1u;
	for (uint32_t chunk = 0; chunk < 10; chunk++) {
		assert_result(9, WORK_WAIT);
		assert_int_equal(work_pull(&entry, 9, 0, NULL, &grant), WORK_GRANTED);
		assert_int_equal(grant.first, chunk * 10);
	}
	assert_int_equal(work_pull(&entry, 9, 0, NULL, &grant), WORK_EMPTY);
}

/* S4-R30: numbers of portions wrap; EMPTY is of number 0 again; each granule once. */
static void numbers_wrap(void **state)
{
	const struct chunk_policy ones = { .fixed = 1, .far_factor = 2 };
	const uint32_t items = 2 * (3 * LOCAL_NUMBERS - 1);

	(void)state;
	open_queue(items, &ones, 1);
	local.plan.groups = 1;
	for (uint32_t item = 0; item < items; item++) {
		assert_taken(8, item, 1);
	}
	assert_result(8, WORK_EMPTY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(portion_and_seen),
		cmocka_unit_test(near_and_far),
		cmocka_unit_test(approval),
		cmocka_unit_test(units_of_any_number),
		cmocka_unit_test(fetched_in_advance),
		cmocka_unit_test(at_each_access),
		cmocka_unit_test(held_up),
		cmocka_unit_test(fetcher_dies),
		cmocka_unit_test(numbers_wrap),
		cmocka_unit_test(not_through_too_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

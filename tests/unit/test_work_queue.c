/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of the global work queue: who is granted what, and when an entry is free again.
 * sources: firmware/pull/work_queue.c firmware/pull/chunk.c firmware/pull/nd_range.c */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/pull/nd_range.h"
#include "firmware/pull/work_queue.h"

static struct work_entry entries[WORK_ENTRIES];
static struct work_seen seen[WORK_ENTRIES];

/* Place items for units of the first 32, and open the entry. */
static struct work_entry *place(uint32_t slot, uint64_t items, uint32_t units)
{
	const uint32_t approved[WORK_SM_WORDS] = { units };
	const struct work_order order = {
		.id = slot | 7u << 16, .items = items, .approved = approved, .words = WORK_SM_WORDS
	};
	struct work_entry *entry = &entries[slot];

	memset(entry, 0, sizeof(*entry));
	assert_int_equal(work_place(entry, &order, &seen[slot]), GG_OK);
	work_open(entry);
	return entry;
}

/* Items as the source counts them: the last one is dispatched first (S4-R103). */
static void assert_items(struct work_entry *entry, uint32_t unit, uint32_t want, uint64_t all,
			 uint64_t from, uint64_t to)
{
	const struct nd_range range = { .dimensions = 1, .descending = true, .size = { all } };
	uint64_t index[ND_DIMENSIONS];
	struct work_grant grant;

	assert_int_equal(work_take(entry, unit, want, &grant), WORK_GRANTED);
	assert_int_equal(grant.items, from - to + 1);
	nd_range_index(&range, grant.first, index);
	assert_int_equal(index[0], from);
	nd_range_index(&range, grant.first + grant.items - 1, index);
	assert_int_equal(index[0], to);
}

static void assert_result(struct work_entry *entry, uint32_t unit, enum work_result result)
{
	struct work_grant grant = { .items = 99 };

	assert_int_equal(work_take(entry, unit, 4, &grant), result);
	assert_int_equal(grant.items, 99);
}

/* S4-V1, S4-R22, S4-R23, S4-R24, S4-R42, S4-R43, S4-R51: mask 1001010100 (unit 0 is on the left): units 0, 3, 5 and 7
 * are served from the entry; the others may only take from another one. */
static void masks(void **state)
{
	static const bool approved[10] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0 };
	struct work_entry *first = place(4, 100, 1u | 1u << 3 | 1u << 5 | 1u << 7);
	struct work_entry *second = place(9, 100, 0x3ff);

	(void)state;
	for (uint32_t unit = 0; unit < 10; unit++) {
		struct work_grant grant;

		assert_int_equal(work_approved(first, unit), approved[unit]);
		assert_int_equal(work_take(first, unit, 4, &grant),
				 approved[unit] ? WORK_GRANTED : WORK_NOT_APPROVED);
		assert_int_equal(work_take(second, unit, 4, &grant), WORK_GRANTED);
	}
	assert_true(work_approved(second, 9));
	for (uint32_t unit = 32; unit < WORK_SMS; unit++) { /* one at a time */
		second->approved[0] = 0;
		second->approved[unit / 32] = 1u << unit % 32;
		for (uint32_t other = 0; other < WORK_SMS; other++) {
			assert_int_equal(work_approved(second, other), other == unit);
		}
		second->approved[unit / 32] = 0;
	}
	second->approved[0] = 0x3ff;
	assert_false(work_approved(second, 10));
}

/* S4-V2, S4-R48, S4-R49, S4-R50, S4-R52, S4-R92, S4-R115: 16 items, chunks of 4, 4 units; free when
 * the fourth different one has come back with nothing, and not when no item remains. */
static void ends_when_all_have_seen(void **state)
{
	struct work_entry *entry = place(0, 16, 0xf);

	(void)state;
	assert_items(entry, 0, 4, 16, 15, 12);
	assert_items(entry, 1, 4, 16, 11, 8);
	assert_items(entry, 0, 4, 16, 7, 4);
	assert_int_equal(seen[0].left, 4);
	assert_items(entry, 3, 4, 16, 3, 0);
	assert_int_equal(work_remaining(entry), 0);
	assert_false(work_free(entry, &seen[0]));
	for (uint32_t unit = 0; unit < 4; unit++) {
		assert_result(entry, unit, WORK_EMPTY);
		assert_int_equal(work_mark(&seen[0], unit), unit == 3);
		assert_int_equal(work_mark(&seen[0], unit), unit == 3);
		assert_false(work_mark(&seen[0], 30) && unit < 3);
	}
	assert_true(work_free(entry, &seen[0]));
	assert_result(entry, 0, WORK_NOT_APPROVED);
}

/* S4-V3, S4-V4, S4-R46, S4-R47, S4-R103, S4-R104, S4-R118, S4-C5, S4-C9: each grant names the task and
 * what remained before; the last one gets what there is. */
static void chunks_in_sequence(void **state)
{
	struct work_entry *entry = place(1, 16, 0xf);
	struct work_grant grant;

	(void)state;
	assert_items(entry, 0, 4, 16, 15, 12);
	assert_items(entry, 2, 8, 16, 11, 4);
	assert_items(entry, 1, 4, 16, 3, 0);
	entry = place(1, 27, 0xf);
	assert_items(entry, 0, 10, 27, 26, 17);
	assert_int_equal(work_take(entry, 1, 10, &grant), WORK_GRANTED);
	assert_int_equal(grant.id, 1u | 7u << 16);
	assert_int_equal(grant.before, 17);
	assert_true(grant.first == 10 && grant.granules == 10);
	assert_int_equal(work_take(entry, 2, 10, &grant), WORK_GRANTED);
	assert_true(grant.first == 20 && grant.items == 7 && grant.granules == 7);
}

/* S4-R113 (Q3): units that came too late leave wir below 0, and that is no grant. */
static void below_zero(void **state)
{
	struct work_entry *entry = place(2, 5, 0xf);

	(void)state;
	entry->wir = 0u - 511u * CHUNK_MOST;
	assert_int_equal(work_remaining(entry), 0);
	assert_result(entry, 0, WORK_EMPTY);
	assert_int_equal(entry->wir, 0u - 511u * CHUNK_MOST);
}

/* S4-R21, S4-R39, S4-R95, S4-V11: an entry in use is refused, and so are orders without items or
 * units (Q4), or of too many; a refusal changes nothing. */
static void refusals(void **state)
{
	uint32_t approved[WORK_SM_WORDS] = { 0 };
	struct work_order order = { .items = 16, .approved = approved, .words = WORK_SM_WORDS };
	struct work_entry *entry = &entries[3], kept;

	(void)state;
	memset(entry, 0, sizeof(*entry));
	kept = *entry;
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_ERR_AFFINITY);
	approved[15] = 1u << 31;
	order.items = 0;
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_ERR_GRID_ZERO);
	order.items = (uint64_t)1 << 63;
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_ERR_GRID_OVERFLOW);
	order.items--;
	order.first = 2;
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_ERR_GRID_OVERFLOW);
	order.first = 1;
	order.policy = (struct chunk_policy){ .least = 2, .most = 1 };
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_ERR_ARGUMENT);
	work_open(entry); /* nothing was placed */
	assert_memory_equal(entry, &kept, sizeof(kept));
	order.policy.least = 1;
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_OK);
	assert_result(entry, 511, WORK_NOT_APPROVED);
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_ERR_BUSY);
	work_open(entry);
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_ERR_BUSY);
	assert_false(work_free(entry, &seen[3]));
	assert_true(work_mark(&seen[3], 511) && work_free(entry, &seen[3]));
	assert_int_equal(work_place(entry, &order, &seen[3]), GG_OK);
}

/* S4-R101, S4-R113, S4-C1: sets of more items than the counter can hold; the last granule is short. */
static void large_sets(void **state)
{
	const uint64_t all = ((uint64_t)1 << 62) + 12345;
	struct work_entry *entry = place(6, all, 1);
	struct work_grant grant;
	uint64_t next = 0;

	(void)state;
	assert_int_equal(entry->plan.shift, 33);
	while (work_take(entry, 0, CHUNK_MOST, &grant) == WORK_GRANTED) {
		assert_int_equal(grant.first, next);
		next += grant.items;
	}
	assert_int_equal(next, all);
	assert_int_equal(place(6, WORK_GRANULES_MOST, 1)->plan.shift, 0);
	assert_int_equal(work_remaining(&entries[6]), WORK_GRANULES_MOST);
	assert_int_equal(place(6, WORK_GRANULES_MOST + 1ull, 1)->plan.shift, 1);
}

/* S4-R58: the size that the policy has for the unit. S4-R115: after a stop nothing more is granted,
 * units come back, and what no unit took is placed again. */
static void stop_and_go_on(void **state)
{
	const uint32_t approved[WORK_SM_WORDS] = { 3 };
	struct work_order order = {
		.first = 1000, .items = 200, .approved = approved, .words = WORK_SM_WORDS
	};
	struct work_entry *entry = &entries[7];
	struct work_grant grant;
	uint64_t first = 0;

	(void)state;
	assert_int_equal(work_place(entry, &order, &seen[7]), GG_OK);
	work_stop(entry);
	work_open(entry);
	assert_int_equal(work_pull(entry, 1, 0, NULL, &grant), WORK_GRANTED);
	assert_true(grant.first == 1000 && grant.items == 25);
	work_stop(entry);
	assert_int_equal(work_pull(entry, 0, 0, NULL, &grant), WORK_EMPTY);
	assert_result(entry, 1, WORK_EMPTY);
	assert_false(work_mark(&seen[7], 0));
	assert_true(work_mark(&seen[7], 1) && work_free(entry, &seen[7]));
	order.items = work_rest(entry, &first);
	order.first = first;
	assert_true(first == 1025 && order.items == 175);
	assert_int_equal(work_place(entry, &order, &seen[7]), GG_OK);
	work_open(entry);
	assert_int_equal(work_take(entry, 0, 500, &grant), WORK_GRANTED);
	assert_true(grant.first == 1025 && grant.items == 175);
	assert_int_equal(work_rest(entry, &first), 0);
}

#define THREADS 4u
#define ITEMS   200000u

static uint8_t taken[ITEMS];

static void *take_all(void *argument)
{
	const uint32_t unit = *(const uint32_t *)argument;
	struct work_grant grant;

	while (work_take(&entries[8], unit, 1 + unit * 2, &grant) == WORK_GRANTED) {
		for (uint64_t item = 0; item < grant.items; item++) {
			__atomic_fetch_add(&taken[grant.first + item], 1, __ATOMIC_RELAXED);
		}
	}
	return NULL;
}

/* S4-V8, S4-R112: real threads; each item once. Random interleavings: test_pull_random.c. */
static void at_the_same_time(void **state)
{
	pthread_t threads[THREADS];
	uint32_t units[THREADS];

	(void)state;
	(void)place(8, ITEMS, 0xf);
	for (uint32_t at = 0; at < THREADS; at++) {
		units[at] = at;
		assert_int_equal(pthread_create(&threads[at], NULL, take_all, &units[at]), 0);
	}
	for (uint32_t at = 0; at < THREADS; at++) {
		assert_int_equal(pthread_join(threads[at], NULL), 0);
	}
	for (uint32_t item = 0; item < ITEMS; item++) {
		assert_int_equal(taken[item], 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masks),          cmocka_unit_test(ends_when_all_have_seen),
		cmocka_unit_test(below_zero),     cmocka_unit_test(chunks_in_sequence),
		cmocka_unit_test(refusals),       cmocka_unit_test(large_sets),
		cmocka_unit_test(stop_and_go_on), cmocka_unit_test(at_the_same_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

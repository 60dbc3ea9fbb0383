/* SPDX-License-Identifier: Apache-2.0 */
/* How much work is taken at once.
 * sources: firmware/pull/chunk.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/pull/chunk.h"

static struct chunk_policy settled(struct chunk_policy policy, uint32_t granules, uint32_t units)
{
	assert_int_equal(chunk_settle(&policy, granules, 0, units), GG_OK);
	return policy;
}

/* S4-R56, S4-R57, S4-R58: a preset; larger wishes are rounded up to a multiple of it (Q13). */
static void preset(void **state)
{
	const struct chunk_policy policy = settled((struct chunk_policy){ .fixed = 10 }, 1000, 4);

	(void)state;
	assert_int_equal(chunk_size(&policy, NULL, 0, 1000, 4), 10);
	assert_int_equal(chunk_size(&policy, NULL, 3, 1000, 4), 10);
	assert_int_equal(chunk_size(&policy, NULL, 10, 1000, 4), 10);
	assert_int_equal(chunk_size(&policy, NULL, 11, 1000, 4), 20);
	assert_int_equal(chunk_size(&policy, NULL, UINT32_MAX, 1000, 4), 990);
	assert_int_equal(chunk_size(&policy, NULL, 0, 7, 4), 7);
	assert_int_equal(chunk_size(&policy, NULL, 0, 0, 4), 0);
}

/* S4-R56, S4-R60: the wish of a unit counts where there is no preset; sizes need no relation. */
static void wish(void **state)
{
	const struct chunk_policy policy =
		settled((struct chunk_policy){ .least = 2, .most = 50 }, 1000, 4);

	(void)state;
	assert_int_equal(chunk_size(&policy, NULL, 3, 1000, 4), 3);
	assert_int_equal(chunk_size(&policy, NULL, 10, 1000, 4), 10);
	assert_int_equal(chunk_size(&policy, NULL, 7, 1000, 4), 7);
	assert_int_equal(chunk_size(&policy, NULL, 1, 1000, 4), 2);
	assert_int_equal(chunk_size(&policy, NULL, 51, 1000, 4), 50);
	assert_int_equal(chunk_size(&policy, NULL, 51, 20, 4), 20);
}

/* S4-R58, S4-R61: a quarter of an even share of what remains, so that chunks shrink towards the end. */
static void shrinks_to_the_end(void **state)
{
	const struct chunk_policy policy = settled((struct chunk_policy){ 0 }, 6400, 8);
	uint32_t remaining = 6400, before = UINT32_MAX, chunks = 0;

	(void)state;
	assert_int_equal(chunk_size(&policy, NULL, 0, remaining, 8), 200);
	while (remaining > 0) {
		const uint32_t size = chunk_size(&policy, NULL, 0, remaining, 8);

		assert_true(size >= 1 && size <= before && size <= remaining);
		before = size;
		remaining -= size;
		chunks++;
	}
	assert_int_equal(before, 1);
	assert_true(chunks < 250);
}

/* S4-R58, S4-R61: more than a quarter of a share if that is worth while, but no more than a share, and within the bounds. */
static void what_is_worth_while(void **state)
{
	const struct chunk_policy policy = settled((struct chunk_policy){ .most = 90 }, 6400, 8);
	struct chunk_history history = { .worth = 64, .ticks_per_granule = 256 };

	(void)state;
	assert_int_equal(chunk_size(&policy, &history, 0, 6400, 8), 90);
	assert_int_equal(chunk_size(&policy, &history, 0, 32 * 65, 8), 65);
	assert_int_equal(chunk_size(&policy, &history, 0, 32 * 63, 8), 64);
	assert_int_equal(chunk_size(&policy, &history, 0, 8 * 64 - 8, 8), 63);
	assert_int_equal(chunk_size(&policy, &history, 0, 3, 8), 1);
	assert_int_equal(chunk_size(&policy, &history, 7, 6400, 8), 7);
	const struct chunk_policy timed =
		settled((struct chunk_policy){ .target_ticks = 10 }, 6400, 8);

	assert_int_equal(chunk_size(&timed, &history, 0, 1000, 8), 10);
}

/* S4-R38, S4-R61, S4-R81: a unit of known speed gets what it does in the target time. */
static void speed(void **state)
{
	const struct chunk_policy policy =
		settled((struct chunk_policy){ .least = 2, .target_ticks = 1000 }, 100000, 4);
	struct chunk_history history = { 0 };

	(void)state;
	assert_int_equal(chunk_size(&policy, &history, 0, 100000, 4), 6250);
	chunk_record(&history, 10, 500);
	assert_int_equal(history.chunks, 1);
	assert_int_equal(history.granules, 10);
	assert_int_equal(history.last_granules, 10);
	assert_int_equal(history.last_ticks, 500);
	assert_int_equal(history.ticks_per_granule, 50 * 256);
	assert_int_equal(chunk_size(&policy, &history, 0, 100000, 4), 20);
	chunk_record(&history, 20, 20 * 90);
	assert_int_equal(history.ticks_per_granule, 60 * 256);
	assert_int_equal(chunk_size(&policy, &history, 0, 100000, 4), 16);
	for (int chunk = 0; chunk < 40; chunk++) {
		chunk_record(&history, 1, 4000000000u);
	}
	assert_int_equal(chunk_size(&policy, &history, 0, 100000, 4), 2);
	for (int chunk = 0; chunk < 80; chunk++) {
		chunk_record(&history, CHUNK_MOST, 0);
	}
	assert_int_equal(chunk_size(&policy, &history, 0, 100000, 4), 6250);
}

/* S4-R58: a unit that needs no time at all is known, too: what it gets is for 1/256 tick a granule. */
static void no_time(void **state)
{
	const struct chunk_policy policy =
		settled((struct chunk_policy){ .least = 2, .target_ticks = 1 }, 100000, 4);
	struct chunk_history history = { 0 };

	(void)state;
	chunk_record(&history, 1000, 1);
	assert_int_equal(history.ticks_per_granule, 1);
	assert_int_equal(chunk_size(&policy, &history, 0, 100000, 4), 256);
}

/* S4-R58: a target of more ticks than 1/256 of 2^32. */
static void long_target(void **state)
{
	const struct chunk_policy policy =
		settled((struct chunk_policy){ .target_ticks = 2000000000u }, 100000000, 1);
	struct chunk_history history = { 0 };

	(void)state;
	chunk_record(&history, 1, 100000);
	assert_int_equal(chunk_size(&policy, &history, 0, 100000000, 1), 20000);
}

/* S4-R59, S4-R64, S4-R73, S4-R93, S4-R94, S4-C9: a far group fetches more, up to an even share. */
static void portions(void **state)
{
	struct chunk_policy policy =
		settled((struct chunk_policy){ .fixed = 10, .far_factor = 4 }, 100, 7);

	(void)state;
	assert_int_equal(chunk_portion(&policy, NULL, 90, 7, 2, 2), 40);
	assert_int_equal(chunk_portion(&policy, NULL, 60, 7, 2, 2), 30);
	assert_int_equal(chunk_portion(&policy, NULL, 12, 7, 2, 2), 10);
	assert_int_equal(chunk_portion(&policy, NULL, 3, 7, 2, 2), 3);
	assert_int_equal(chunk_portion(&policy, NULL, 0, 7, 2, 2), 0);
	policy = settled((struct chunk_policy){ .fixed = 4, .far_factor = 2 }, 16, 4);
	assert_int_equal(chunk_portion(&policy, NULL, 12, 4, 1, 2), 8);
	/* Without a factor, a chunk for each unit of the group. */
	policy = settled((struct chunk_policy){ .fixed = 4 }, 1000, 16);
	assert_int_equal(chunk_portion(&policy, NULL, 900, 16, 2, 6), 24);
	policy = settled((struct chunk_policy){ .fixed = 1u << 19, .far_factor = 9 }, 1u << 29, 2);
	assert_int_equal(chunk_portion(&policy, NULL, 1u << 29, 2, 2, 2), 1u << 19);
}

/* S4-R60: what a policy leaves open is filled in; with several units none gets everything. */
static void settling(void **state)
{
	struct chunk_policy policy = { .least = 9, .most = 8 };

	(void)state;
	assert_int_equal(chunk_settle(&policy, 100, 0, 4), GG_ERR_ARGUMENT);
	assert_int_equal(policy.least, 9);
	assert_int_equal(policy.most, 8);
	policy = settled((struct chunk_policy){ 0 }, 100, 4);
	assert_int_equal(policy.least, 1);
	assert_int_equal(policy.most, 99);
	policy = settled((struct chunk_policy){ .fixed = 1000 }, 16, 4);
	assert_int_equal(policy.fixed, 15);
	policy = settled((struct chunk_policy){ 0 }, 2, 2);
	assert_int_equal(policy.most, 1);
	policy = settled((struct chunk_policy){ .fixed = 1000 }, 16, 1);
	assert_int_equal(policy.fixed, 16);
	policy = settled((struct chunk_policy){ .fixed = UINT32_MAX }, 1u << 29, 1);
	assert_int_equal(policy.fixed, CHUNK_MOST);
	policy = (struct chunk_policy){ .fixed = 1000000, .least = 1, .most = 1025 };
	assert_int_equal(chunk_settle(&policy, 1000, 10, 4), GG_OK);
	assert_int_equal(policy.fixed, 2);
	assert_int_equal(policy.least, 1);
	assert_int_equal(policy.most, 2);
	for (uint32_t shift = 31; shift < 34; shift++) { /* a granule is larger than any size */
		policy = (struct chunk_policy){ .fixed = 5 };
		assert_int_equal(chunk_settle(&policy, 1000, shift, 4), GG_OK);
		assert_int_equal(policy.fixed, 1);
	}
}

/* S4-R58, S4-R60: whatever the numbers are, something is taken, and no more than there is. */
static void bounds(void **state)
{
	(void)state;
	srand(58);
	for (int round = 0; round < 200000; round++) {
		const uint32_t all = 1 + ((uint32_t)rand() >> rand() % 31) % ((1u << 30) - 1);
		const uint32_t units = 1 + (uint32_t)rand() % 512;
		struct chunk_policy policy = {
			.fixed = rand() % 2 != 0 ? (uint32_t)rand() >> rand() % 31 : 0,
			.least = (uint32_t)rand() >> (15 + rand() % 16),
			.far_factor = (uint32_t)rand() >> rand() % 31,
			.target_ticks = (uint32_t)rand() * 2u,
		};
		struct chunk_history history = { 0 };
		const uint32_t remaining = (uint32_t)rand() % (all + 1);
		const uint32_t want = (uint32_t)rand() * (uint32_t)(rand() % 3);

		assert_int_equal(chunk_settle(&policy, all, 0, units), GG_OK);
		chunk_record(&history, 1 + (uint32_t)rand() % CHUNK_MOST, (uint32_t)rand() * 2u);
		const uint32_t one = chunk_size(&policy, &history, want, remaining, units);
		const uint32_t portion =
			chunk_portion(&policy, &history, remaining, units, 3, units);

		assert_true(one <= remaining && one <= CHUNK_MOST && (one > 0) == (remaining > 0));
		assert_true(portion <= remaining && portion <= CHUNK_MOST &&
			    (portion > 0) == (remaining > 0));
	}
}

/* S4-R62, S4-R76: far is above the threshold (Q11). */
static void far_groups(void **state)
{
	(void)state;
	assert_true(chunk_is_far(101, 100));
	assert_false(chunk_is_far(100, 100));
	assert_false(chunk_is_far(100, 0));
}

/* Up to a target of 2^24 - 1 ticks the parts of a tick count; beyond it only whole ticks do, so that 32 bits suffice. */
static void long_targets(void **state)
{
	struct chunk_policy policy = { .least = 1,
				       .most = UINT32_MAX,
				       .target_ticks = UINT32_MAX / 256 };
	struct chunk_history history = { .chunks = 1, .ticks_per_granule = 384 };

	(void)state;
	assert_int_equal(chunk_size(&policy, &history, 0, UINT32_MAX, 1), UINT32_MAX / 384);
	policy.target_ticks++;
	assert_int_equal(chunk_size(&policy, &history, 0, UINT32_MAX, 1), 1u << 24);
	history.ticks_per_granule = 255;
	assert_int_equal(chunk_size(&policy, &history, 0, UINT32_MAX, 1), 1u << 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(preset),
		cmocka_unit_test(wish),
		cmocka_unit_test(no_time),
		cmocka_unit_test(speed),
		cmocka_unit_test(shrinks_to_the_end),
		cmocka_unit_test(what_is_worth_while),
		cmocka_unit_test(long_target),
		cmocka_unit_test(portions),
		cmocka_unit_test(settling),
		cmocka_unit_test(bounds),
		cmocka_unit_test(far_groups),
		cmocka_unit_test(long_targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Which items of a PULL grid go with the streams of a packet, and whether these take more.
 * sources: room:collect device tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/task/range.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

#define SMS 4u

static uint32_t put_of(uint32_t sm)
{
	return device.launch[sm].header.launch_put;
}

/* The packet that was written last for an SM: its streams, items, and whether the streams take more. */
static void expect_packet(uint32_t sm, uint32_t streams, uint32_t items, bool more)
{
	const struct gg_packet *packet =
		&device.launch[sm].packets[(put_of(sm) - 1) % CP_LAUNCH_ENTRIES];

	assert_int_equal(bits_count(packet->starts), streams);
	assert_int_equal(gg_get(packet->pull, GG_PACKET_PULL_ITEMS), items);
	assert_int_equal(gg_get(packet->pull, GG_PACKET_PULL_MORE), more);
}

/* A grid that is suspended when each SM has taken a chunk of 500 items, and has run 8 of them; its address. */
static uint64_t suspend(uint32_t items)
{
	uint64_t address;

	fake_pull_init(SMS, true);
	const struct gg_tmd tmd = fake_pull_grid(items, 500);

	address = fake_run(1, &tmd);
	fake_pull_begin_all();
	fake_name(2, GG_OPCODE_SUSPEND, address);
	fake_expect(2, GG_OK);
	fake_pull_finish();
	assert_int_equal(range_free(), CP_RANGES - SMS);
	return address;
}

static void resume(uint64_t address)
{
	fake_name(3, GG_OPCODE_RESUME, address);
	fake_expect(3, GG_OK);
}

static void expect_all(uint32_t items)
{
	fake_pull_finish();
	fake_expect(1, GG_OK);
	fake_pull_expect_once(items);
	assert_int_equal(range_free(), CP_RANGES);
}

/* Of items that were given back an SM gets an even share of what there is, as far as the next range goes. Its streams take more
 * if the entry has some. */
static void an_even_share(void **state)
{
	(void)state;
	for (uint32_t rest = 0; rest <= 2000; rest += 2000) {
		resume(suspend(2000 + rest));
		expect_packet(0, 8, 4 * 492 / 4, rest != 0);
		expect_packet(1, 8, 3 * 492 / 4, rest != 0);
		expect_packet(2, 8, 492 - 369, rest != 0);
		expect_packet(3, 8, 2 * 492 / 4, rest != 0);
		assert_int_equal(device.slots[0].left_lo, rest + 3 * 246);
		assert_int_equal(device.perf->pull_ranges, SMS);
		expect_all(2000 + rest);
	}
}

/* Without a place for what is left of a range an SM gets all of it; without a range it gets nothing. */
static void no_place_for_the_rest(void **state)
{
	(void)state;
	for (uint32_t rest = 0; rest <= 2000; rest += 2000) {
		const uint64_t address = suspend(2000 + rest);
		const uint32_t others = range_free();

		assert_true(range_reserve(others));
		resume(address);
		for (uint32_t sm = 0; sm < SMS; sm++) {
			expect_packet(sm, 8, 492, rest != 0);
		}
		range_unreserve(others);
		expect_all(2000 + rest);
	}
	fake_pull_init(SMS, true);
	const struct gg_tmd tmd = fake_pull_grid(2000, 0);
	const uint32_t others = range_free() - 2;

	assert_true(range_reserve(others));
	fake_run(1, &tmd);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(put_of(sm), sm < 2 ? 1 : 0);
	}
	range_unreserve(others);
	expect_all(2000);
}

/* S0-R13: each SM with streams has a place in reserve for what it gives back, also when all others are taken. */
static void the_place_in_reserve(void **state)
{
	(void)state;
	fake_pull_init(SMS, true);
	const struct gg_tmd tmd = fake_pull_grid(2000, 500);
	const uint64_t address = fake_run(1, &tmd);
	const uint32_t others = range_free();

	fake_pull_begin_all();
	assert_int_equal(others, CP_RANGES - SMS);
	assert_true(range_reserve(others));
	fake_name(2, GG_OPCODE_SUSPEND, address);
	fake_expect(2, GG_OK);
	fake_pull_finish();
	range_unreserve(others);
	assert_int_equal(range_free(), CP_RANGES - SMS);
	resume(address);
	expect_all(2000);
}

/* An SM that has streams gets an item for each new one, since it has a chunk in hand already. */
static void beside_other_streams(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd plain = fake_with_affinity(fake_tmd(6), 1),
			    tmd = fake_pull_grid(1000, 100);

	fake_run(9, &plain);
	fake_run(1, &tmd);
	fake_pull_begin_all();
	expect_packet(0, 2, 0, true);
	expect_packet(1, 8, 0, true);
	fake_end_tag(9, GG_OK);
	expect_packet(0, 1, 0, true); /* nothing was given back yet */
	fake_pull_lose(1);
	for (uint32_t streams = 1; streams <= 2; streams++) {
		for (uint32_t cta = 0; cta < streams; cta++) {
			fake_end(fake_find(9), GG_OK);
		}
		fake_settle(1000);
		expect_packet(0, streams, streams, true);
		fake_pull_begin_all();
	}
	fake_pull_finish();
	fake_expect(9, GG_OK);
	expect_all(1000);
}

/* S0-R13: an SM has a place in reserve for each stream that may give something back, and no more: one of two streams makes way
 * for an urgent task, and another one comes in its place. */
static void one_stream_for_another(void **state)
{
	(void)state;
	fake_pull_init(1, true);
	const struct gg_tmd plain = fake_tmd(7), tmd = fake_pull_grid(1000, 100);
	const struct gg_tmd urgent = fake_with_priority(fake_tmd(1), 1);

	fake_run(9, &plain);
	fake_run(1, &tmd);
	fake_pull_begin_all();
	fake_end_tag(9, GG_OK);
	fake_pull_begin_all();
	assert_int_equal(fake_streams(0, 0) + fake_streams(0, 1), 2);
	assert_int_equal(range_free(), CP_RANGES - 2);
	fake_run(2, &urgent);
	fake_pull_done(0, 1);
	fake_take_all();
	assert_int_equal(fake_count(2), 1);
	fake_end_tag(2, GG_OK);
	fake_expect(2, GG_OK);
	fake_pull_begin_all();
	assert_int_equal(fake_streams(0, 0) + fake_streams(0, 1), 2);
	assert_int_equal(range_free(), CP_RANGES - 2);
	fake_pull_finish();
	fake_expect(9, GG_OK);
	expect_all(1000);
}

/* A packet has an item for each of its streams, and they take no more. The number of its streams. */
static uint32_t streams_of(const struct gg_packet *packet)
{
	assert_int_equal(gg_get(packet->pull, GG_PACKET_PULL_ITEMS), bits_count(packet->starts));
	assert_int_equal(gg_get(packet->pull, GG_PACKET_PULL_MORE), 0);
	return bits_count(packet->starts);
}

/* While the number of CTAs is limited, all streams of both priorities get an item each and take no more. */
static void while_it_is_limited(void **state)
{
	(void)state;
	for (uint32_t atomics = 0; atomics <= 1; atomics++) {
		uint32_t sent = 0;

		fake_pull_init(SMS, atomics != 0);
		fake_by_tag = true;
		const struct gg_tmd upper = fake_with_priority(fake_pull_grid(2000, 0), 2);
		const struct gg_tmd lower = fake_with_priority(fake_pull_grid(2000, 0), 8);

		fake_floor(250);
		fake_submit(0, 1, &upper);
		fake_submit(0, 2, &lower);
		fake_settle(1000);
		for (uint32_t sm = 0; sm < SMS; sm++) {
			for (uint32_t number = 0; number < put_of(sm); number++) {
				sent += streams_of(&device.launch[sm].packets[number]);
			}
		}
		assert_int_equal(sent, 8 * SMS);
		fake_pull_finish();
		assert_int_equal(device.perf->tasks_completed, 2);
		fake_pull_expect_tag(1, 2000);
		fake_pull_expect_tag(2, 2000);
		assert_int_equal(range_free(), CP_RANGES);
	}
}

/* The same of items that were given back: an item goes with each stream, also to an SM that has none yet. */
static void given_back_and_limited(void **state)
{
	const uint64_t address = suspend(4000);
	const struct gg_tmd lower = fake_with_priority(fake_tmd(1000), 10);
	uint32_t before[SMS];
	uint32_t sent = 0;

	(void)state;
	for (uint32_t sm = 0; sm < SMS; sm++) {
		before[sm] = put_of(sm);
	}
	fake_floor(10); /* nothing is due to the lower one before all slots are taken */
	fake_submit(0, 4, &lower);
	resume(address);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		for (uint32_t number = before[sm]; number < put_of(sm); number++) {
			const struct gg_packet *packet =
				&device.launch[sm].packets[number % CP_LAUNCH_ENTRIES];

			if (gg_get(packet->pull, GG_PACKET_PULL_VALID) != 0) {
				sent += streams_of(packet);
			}
		}
	}
	assert_int_equal(sent, 8 * SMS);
	fake_pull_finish();
	fake_finish();
	fake_pull_finish();
	assert_int_equal(device.perf->tasks_completed, 2);
	fake_pull_expect_once(4000);
}

/* An SM without atomics gets a chunk with its streams, and they take no more. */
static void without_atomics(void **state)
{
	(void)state;
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fake_pull_init(SMS, true);
		const struct gg_tmd tmd = fake_pull_grid(2000, 100);

		device.sms[sm].features = 0;
		fake_run(1, &tmd);
		for (uint32_t other = 0; other < SMS; other++) {
			expect_packet(other, 8, other == sm ? 100 : 0, other != sm);
		}
		assert_int_equal(device.perf->pull_grants, 1);
		expect_all(2000);
	}
}

/* Of a grid so large that it is shared out by several items at a time, an SM without atomics gets none beside streams that
 * it has: it could not run them all at once. */
static void a_huge_grid(void **state)
{
	(void)state;
	for (uint32_t rows = 1; rows <= 64; rows *= 64) {
		fake_pull_init(1, false);
		const struct gg_tmd plain = fake_tmd(4);
		struct gg_tmd tmd = fake_pull_grid(1u << 29, 16);
		uint64_t address;
		uint32_t put;

		tmd.grid_yz = 1u << 16 | rows;
		fake_run(9, &plain);
		address = fake_run(1, &tmd);
		fake_pull_begin_all();
		expect_packet(0, 4, rows == 1 ? 16 : 64, false);
		put = put_of(0);
		fake_end_tag(9, GG_OK);
		assert_int_equal(put_of(0), rows == 1 ? put + 1 : put);
		fake_name(2, GG_OPCODE_CANCEL, address);
		fake_expect(2, GG_OK);
		fake_pull_finish();
		assert_int_equal(device.perf->tasks_completed, 2);
		assert_int_equal(range_free(), CP_RANGES);
	}
}

/* While the number of CTAs is limited, an SM gets no more of such a grid than the least that has an item for each stream. */
static void a_huge_grid_that_is_limited(void **state)
{
	struct gg_tmd tmd = fake_with_priority(fake_pull_grid(1u << 29, 0), 2);
	const struct gg_tmd lower = fake_with_priority(fake_tmd(1000), 8);

	(void)state;
	fake_pull_init(1, true);
	tmd.grid_yz = 1u << 16 | 64; /* 64 items at a time */
	fake_floor(250);
	fake_submit(0, 1, &tmd);
	fake_submit(0, 2, &lower);
	fake_settle(1000);
	const struct gg_packet *packet = &device.launch[0].packets[0];

	assert_in_range(bits_count(packet->starts), 1, 7);
	assert_int_equal(gg_get(packet->pull, GG_PACKET_PULL_ITEMS), 64);
	assert_int_equal(gg_get(packet->pull, GG_PACKET_PULL_MORE), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_even_share),
		cmocka_unit_test(no_place_for_the_rest),
		cmocka_unit_test(the_place_in_reserve),
		cmocka_unit_test(beside_other_streams),
		cmocka_unit_test(one_stream_for_another),
		cmocka_unit_test(while_it_is_limited),
		cmocka_unit_test(given_back_and_limited),
		cmocka_unit_test(a_huge_grid_that_is_limited),
		cmocka_unit_test(without_atomics),
		cmocka_unit_test(a_huge_grid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

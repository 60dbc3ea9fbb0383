/* SPDX-License-Identifier: Apache-2.0 */
/* PULL grids: SMs take chunks themselves, and the control processor sends a packet and takes a report for each.
 * sources: room:accept device tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

static uint64_t ctas_of(const struct gg_completion *done)
{
	return gg_join(done->ctas_lo, done->ctas_hi);
}

static void expect_done(uint32_t tag, uint64_t ctas)
{
	const struct gg_completion done = fake_expect(tag, GG_OK);

	assert_true(ctas_of(&done) == ctas);
}

/* S4-R16, R39, R49: a packet and a report for each SM, whatever the size of the grid. */
static void one_packet_and_one_report_an_sm(void **state)
{
	(void)state;
	static const uint32_t sizes[] = { 33, 1000, 10000000 };

	for (uint32_t at = 0; at < 3; at++) {
		fake_pull_init(4, true);
		const struct gg_tmd tmd = fake_pull_grid(sizes[at], 0);

		fake_run(1, &tmd);
		fake_pull_finish();
		assert_int_equal(fake_packets, 4);
		assert_int_equal(device.perf->pull_packets, 4);
		assert_int_equal(fake_reports, 4);
		expect_done(1, sizes[at]);
		fake_pull_expect_once(sizes[at]);
		fake_pull_expect_nothing_left();
	}
}

/* S4-R60: fewer items than slots: the CP spreads them, as those of other grids. */
static void few_items_are_spread(void **state)
{
	(void)state;
	fake_pull_init(4, true);
	const struct gg_tmd tmd = fake_pull_grid(8, 0);

	fake_run(1, &tmd);
	fake_take_all();
	for (uint32_t sm = 0; sm < 4; sm++) {
		assert_int_equal(fake_streams(sm, 0), 2);
	}
	fake_pull_finish();
	assert_int_equal(fake_packets, 4);
	assert_int_equal(device.perf->pull_packets, 4);
	expect_done(1, 8);
	fake_pull_expect_once(8);
	fake_pull_expect_nothing_left();
}

/* S4-V1: only SMs whose bit is set are granted work. */
static void only_approved_sms_take(void **state)
{
	(void)state;
	fake_pull_init(42, true);
	const uint64_t approved = (uint64_t)0x152 << 32 | 0xa9; /* SMs 0, 3, 5, 7, 33, 36, 38, 40 */
	const struct gg_tmd tmd = fake_with_affinity(fake_pull_grid(1000, 0), approved);

	fake_run(1, &tmd);
	fake_take_all();
	for (uint32_t sm = 0; sm < 42; sm++) {
		const bool may = (approved >> sm & 1u) != 0;

		assert_int_equal(fake_streams(sm, 0), may ? 8 : 0);
		fake_pull_begin(sm);
		assert_int_equal(fake_streams(sm, 0), may ? 8 : 0); /* each has got an item */
	}
	fake_pull_finish();
	expect_done(1, 1000);
	fake_pull_expect_nothing_left();
}

/* S4-V2, R49, R50, V11: the entry is free when the last of the SMs has come back with nothing, not before. */
static void the_entry_is_free_when_all_have_come_back(void **state)
{
	(void)state;
	fake_pull_init(4, true);
	const struct gg_tmd tmd = fake_pull_grid(16 * 8, 4);

	fake_run(1, &tmd);
	fake_take_all();
	for (uint32_t sm = 0; sm < 4; sm++) {
		fake_pull_begin(sm);
	}
	for (uint32_t sm = 0; sm < 4; sm++) {
		assert_int_equal(device.work[0].state, WORK_OPEN);
		while (fake_streams(sm, 0) != 0) {
			fake_pull_done(sm, 32);
		}
	}
	assert_int_equal(device.work[0].state, WORK_FREE);
	expect_done(1, 128);
	fake_pull_expect_nothing_left();
}

/* S4-R22: SMs without atomics are granted chunks by the CP; each item is done once all the same. */
static void sms_without_atomics(void **state)
{
	(void)state;
	for (uint32_t sms = 4; sms <= 40; sms += 36) {
		fake_pull_init(sms, false);
		const struct gg_tmd tmd = fake_pull_grid(5000, 0);

		fake_run(1, &tmd);
		fake_pull_finish();
		assert_true(device.perf->pull_grants > sms);
		expect_done(1, 5000);
		fake_pull_expect_once(5000);
		fake_pull_expect_nothing_left();
	}
}

/* A cancelled grid ends after the CTAs that run; nothing is taken any more. */
static void cancelled(void **state)
{
	(void)state;
	fake_pull_init(4, true);
	const struct gg_tmd tmd = fake_pull_grid(1000, 0);
	const uint64_t address = fake_run(1, &tmd);

	fake_take_all();
	for (uint32_t sm = 0; sm < 4; sm++) {
		fake_pull_begin(sm);
	}
	fake_name(2, GG_OPCODE_CANCEL, address);
	fake_expect(2, GG_OK);
	fake_pull_finish();
	fake_expect(1, GG_ERR_CANCELLED);
	assert_true(fake_items < 1000);
	fake_pull_expect_nothing_left();
}

/* S0-R13: a suspended grid gives its SMs back after the CTAs that run, and goes on where it was. */
static void suspended_and_resumed(void **state)
{
	(void)state;
	fake_pull_init(4, true);
	const struct gg_tmd tmd = fake_pull_grid(1000, 0);
	const uint64_t address = fake_run(1, &tmd);

	for (uint32_t round = 0; round < 5; round++) {
		fake_take_all();
		for (uint32_t sm = 0; sm < 4; sm++) {
			fake_pull_begin(sm);
		}
		fake_name(2, GG_OPCODE_SUSPEND, address);
		fake_expect(2, GG_OK);
		fake_pull_finish();
		assert_int_equal(task_table_free(), CP_SLOTS);
		assert_true(fake_items <= 32u * (round + 1));
		fake_name(3, GG_OPCODE_RESUME, address);
		fake_expect(3, GG_OK);
	}
	fake_pull_finish();
	expect_done(1, 1000);
	fake_pull_expect_once(1000);
	fake_pull_expect_nothing_left();
}

/* S0-R13: ranges alone are left, which go on from an entry without items; the position stays at the end. */
static void only_ranges_are_left(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd tmd = fake_pull_grid(1000, 500);
	const uint64_t address = fake_run(1, &tmd);

	fake_take_all();
	fake_pull_begin(0);
	fake_pull_begin(1);
	assert_int_equal(device.work[0].remaining, 0);
	fake_name(2, GG_OPCODE_SUSPEND, address);
	fake_expect(2, GG_OK);
	fake_pull_finish();
	assert_int_equal(fake_items, 16);
	fake_name(3, GG_OPCODE_RESUME, address);
	fake_expect(3, GG_OK);
	assert_int_equal(device.slots[0].next_lo, 1000);
	fake_pull_finish();
	expect_done(1, 1000);
	fake_pull_expect_once(1000);
	fake_pull_expect_nothing_left();
}

/* S0-R20, S0-R26: an urgent task has an SM as soon as the CTAs that run there are done. */
static void an_urgent_task_gets_sms(void **state)
{
	(void)state;
	fake_pull_init(4, true);
	const struct gg_tmd grid = fake_pull_grid(100000, 0);
	const struct gg_tmd urgent = fake_with_priority(fake_tmd(8), 1);

	fake_run(1, &grid);
	fake_take_all();
	for (uint32_t sm = 0; sm < 4; sm++) {
		fake_pull_begin(sm);
	}
	fake_run(2, &urgent);
	assert_int_equal(device.perf->pull_recalls, 1); /* 8 CTAs need one SM */
	fake_pull_done(0, 32);
	fake_take_all();
	assert_int_equal(fake_count(2), 8);
	assert_int_equal(fake_items, 8);
	fake_pull_finish();
	expect_done(2, 8);
	expect_done(1, 100000);
	fake_pull_expect_once(100000);
	fake_pull_expect_nothing_left();
}

/* S0-R12, S0-R13: with all slots taken, a PULL grid of low priority makes room, with its position. */
static void evicted(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd grid = fake_with_priority(fake_pull_grid(3000, 0), 9);

	for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
		fake_run(tag, &grid);
	}
	const struct gg_tmd urgent = fake_with_priority(fake_tmd(1), 1);

	fake_take_all();
	fake_run(100, &urgent);
	fake_pull_finish();
	expect_done(100, 1);
	for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
		expect_done(tag, 3000);
	}
	assert_true(device.perf->evictions > 0);
	fake_pull_expect_nothing_left();
}

/* A stream ends, and its SM gives back the last ten items of its hand with the report of that. */
static void give_back_ten(uint32_t sm)
{
	struct fake_hand *hand = &fake_hands[sm][0];
	const uint32_t bit = bits_isolate(hand->busy);

	fake_marks[hand->running[bits_lowest(bit)]]++;
	hand->busy &= ~bit;
	hand->streams &= ~bit;
	hand->left -= 10;
	device.launch[sm].reports[device.sms[sm].report_put++ % CP_LAUNCH_ENTRIES] =
		(struct gg_report){
			.task = hand->task,
			.starts = bit,
			.cta_lo = gg_low(hand->next + hand->left),
			.pull_ctas = 1,
			.pull_rest = 10,
		};
	fake_bell(sm);
	fake_settle(1000);
}

/* An SM gives back items more often than places are kept for it: each time takes a place of the pool, and no other place is
 * freed for that. */
static void given_back_more_often(void **state)
{
	const struct gg_tmd tmd = fake_pull_grid(1000, 100);

	(void)state;
	fake_pull_init(1, true);
	fake_run(1, &tmd);
	fake_pull_begin_all();
	assert_int_equal(range_free(), CP_RANGES - 1); /* kept for the SM */
	assert_true(range_reserve(5));
	device.config->enabled[0] = 0;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	give_back_ten(0);
	assert_int_equal(range_free(), CP_RANGES - 5 - 1);
	for (const uint64_t next = fake_hands[0][0].next; fake_hands[0][0].left > 60;) {
		fake_hands[0][0]
			.left--; /* in between, so that the next ones are a range of their own */
		fake_marks[next + fake_hands[0][0].left]++;
	}
	give_back_ten(0);
	assert_int_equal(range_free(), CP_RANGES - 5 - 2);
	device.config->enabled[0] = 1;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	fake_pull_finish();
	fake_expect(1, GG_OK);
	fake_pull_expect_once(1000);
	range_unreserve(5);
	fake_pull_expect_nothing_left();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_packet_and_one_report_an_sm),
		cmocka_unit_test(few_items_are_spread),
		cmocka_unit_test(only_approved_sms_take),
		cmocka_unit_test(the_entry_is_free_when_all_have_come_back),
		cmocka_unit_test(sms_without_atomics),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(suspended_and_resumed),
		cmocka_unit_test(only_ranges_are_left),
		cmocka_unit_test(an_urgent_task_gets_sms),
		cmocka_unit_test(evicted),
		cmocka_unit_test(given_back_more_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

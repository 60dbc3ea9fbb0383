/* SPDX-License-Identifier: Apache-2.0 */
/* Which SMs are recalled from PULL grids, for whom, and how many.
 * sources: room:collect device tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

#define SMS   4u
#define ITEMS 4000u

static struct gg_tmd grid(uint32_t priority, uint32_t sms)
{
	return fake_with_affinity(fake_with_priority(fake_pull_grid(ITEMS, 0), priority), sms);
}

static struct gg_tmd plain(uint32_t priority, uint32_t ctas)
{
	return fake_with_priority(fake_tmd(ctas), priority);
}

/* SMs with streams of a slot's grid that are told to end them. */
static uint32_t recalled(uint32_t slot)
{
	uint32_t sms = 0;

	for (uint32_t sm = 0; sm < SMS; sm++) {
		if (fake_streams(sm, slot) != 0 && pull_is_recalled(slot, sm)) {
			sms |= 1u << sm;
		}
	}
	return sms;
}

/* A grid of priority 5 has SMs 0 and 1, and one of priority 9 has SMs 2 and 3. */
static void two_grids(void)
{
	fake_pull_init(SMS, true);
	fake_by_tag = true;
	const struct gg_tmd upper = grid(5, 0x3), lower = grid(9, 0xc);

	fake_run(1, &upper);
	fake_run(2, &lower);
	fake_pull_begin_all();
	assert_int_equal(recalled(0) | recalled(1), 0);
}

static void expect_end(uint32_t tasks)
{
	fake_pull_finish();
	fake_finish();
	fake_pull_finish();
	assert_int_equal(device.perf->tasks_completed, tasks);
	fake_pull_expect_tag(1, ITEMS);
	fake_pull_expect_tag(2, ITEMS);
	assert_int_equal(pull_slots(), 0);
	assert_int_equal(range_free(), CP_RANGES);
}

/* SMs come from grids of lower priorities, the lowest first, as many as the CTAs need. */
static void the_lowest_first(void **state)
{
	static const struct {
		uint32_t priority, ctas, upper, lower;
	} cases[] = {
		{ 2, 1, 0, 4 },    { 2, 8, 0, 4 },    { 2, 9, 0, 0xc },  { 2, 16, 0, 0xc },
		{ 2, 17, 1, 0xc }, { 2, 24, 1, 0xc }, { 2, 25, 3, 0xc }, { 2, 99, 3, 0xc },
		{ 5, 17, 0, 0xc }, { 7, 99, 0, 0xc }, { 9, 99, 0, 0 },   { 10, 99, 0, 0 },
	};

	(void)state;
	for (uint32_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		const struct gg_tmd tmd = plain(cases[at].priority, cases[at].ctas);

		two_grids();
		fake_run(3, &tmd);
		assert_int_equal(recalled(0), cases[at].upper);
		assert_int_equal(recalled(1), cases[at].lower);
		expect_end(3);
	}
}

/* S0-R25: only from SMs that the task may use. */
static void where_it_may_run(void **state)
{
	(void)state;
	for (uint32_t sms = 1; sms < 1u << SMS; sms++) {
		two_grids();
		const struct gg_tmd tmd = fake_with_affinity(plain(2, 99), sms);

		fake_run(3, &tmd);
		assert_int_equal(recalled(0) | recalled(1), sms);
		expect_end(3);
	}
}

/* How many CTAs fit into what the eight streams of an SM hold is a matter of the units and the warps of both; at least one. */
static void how_many_sms(void **state)
{
	/* units and warps of a stream and of a CTA, and CTAs that an SM has room for */
	static const uint32_t cases[][5] = {
		{ 1, 1, 1, 1, 8 }, { 1, 1, 4, 1, 2 },  { 1, 1, 16, 1, 1 }, { 4, 1, 1, 1, 8 },
		{ 4, 1, 8, 1, 4 }, { 1, 1, 1, 4, 2 },  { 1, 8, 1, 4, 8 },  { 1, 8, 1, 16, 4 },
		{ 2, 2, 4, 8, 2 }, { 2, 2, 16, 2, 1 }, { 1, 1, 1, 30, 1 },
	};

	(void)state;
	for (uint32_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		for (uint32_t more = 0; more <= 1; more++) {
			const uint32_t room = cases[at][4];
			const uint32_t ctas = room < 8 ? room + more : 8;
			struct gg_tmd pulled = fake_with_priority(fake_pull_grid(ITEMS, 0), 5);
			struct gg_tmd tmd = plain(2, ctas);
			uint32_t count = 0;

			fake_pull_init(SMS, true);
			pulled.shared_bytes = cases[at][0] * 2048;
			pulled.block_xy = 0x00010000 | cases[at][1] * 32;
			tmd.shared_bytes = cases[at][2] * 2048;
			tmd.block_xy = 0x00010000 | cases[at][3] * 32;
			fake_run(1, &pulled);
			fake_pull_begin_all();
			assert_int_equal(fake_streams(0, 0), 8);
			fake_run(3, &tmd);
			for (uint32_t sms = recalled(0); sms != 0; sms &= sms - 1) {
				count++;
			}
			assert_int_equal(count, room < 8 ? 1 + more : 1);
			assert_int_equal(device.perf->pull_recalls, count);
			fake_pull_finish();
			assert_int_equal(device.perf->tasks_completed, 2);
			fake_pull_expect_once(ITEMS);
		}
	}
}

/* Streams that take no more items end by themselves: nobody is recalled. */
static void the_last_items(void **state)
{
	(void)state;
	fake_pull_init(1, true);
	const struct gg_tmd pulled = fake_with_priority(fake_pull_grid(8, 0), 5);
	const struct gg_tmd tmd = plain(2, 8);

	fake_run(1, &pulled);
	fake_pull_begin_all();
	fake_run(3, &tmd);
	assert_false(pull_is_recalled(0, 0));
	assert_int_equal(device.perf->pull_recalls, 0);
	fake_pull_finish();
	assert_int_equal(device.perf->tasks_completed, 2);
	fake_pull_expect_once(8);
}

/* The last streams of a grid of which all items were taken give some back: it keeps its slot and its entry, and the others
 * do them. */
static void given_back_at_last(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd pulled = fake_with_priority(fake_pull_grid(100, 40), 5);
	const struct gg_tmd tmd = fake_with_affinity(plain(2, 8), 1);

	fake_run(1, &pulled);
	fake_pull_begin_all(); /* 40 items each */
	fake_run(3, &tmd);
	assert_true(pull_is_recalled(0, 0));
	while (fake_streams(1, 0) != 0) {
		fake_pull_done(1, 8);
		(void)fake_pull_begin(1);
	}
	assert_int_equal(task_table_holder(0)->life.state, TASK_DRAINING);
	fake_pull_done(0, 8);
	assert_int_equal(device.work[0].items_lo, 100);
	assert_int_equal(device.slots[0].tag, 1);
	fake_pull_finish();
	assert_int_equal(device.perf->tasks_completed, 2);
	fake_pull_expect_once(100);
}

/* All SMs of a grid that is suspended, and none of another one; each is told once. */
static void suspended(void **state)
{
	(void)state;
	for (uint32_t slot = 0; slot < 2; slot++) {
		fake_pull_init(SMS, true);
		fake_by_tag = true;
		const struct gg_tmd grids[] = { grid(5, 0x3), grid(9, 0xc) };
		uint64_t addresses[2];

		for (uint32_t at = 0; at < 2; at++) {
			addresses[at] = fake_run(1 + at, &grids[at]);
		}
		fake_pull_begin_all();
		for (uint32_t times = 0; times < 2; times++) {
			fake_name(10, GG_OPCODE_SUSPEND, addresses[slot]);
			fake_expect(10, GG_OK);
			assert_int_equal(recalled(slot), slot == 0 ? 0x3 : 0xc);
			assert_int_equal(recalled(1 - slot), 0);
			assert_int_equal(device.perf->pull_recalls, 2);
		}
		fake_pull_done(2 * slot, 32);
		fake_pull_done(2 * slot + 1, 32);
		fake_name(11, GG_OPCODE_RESUME, addresses[slot]);
		fake_expect(11, GG_OK);
		expect_end(2);
	}
}

/* S0-R22: all SMs of all grids, when the throttle mode is to be switched. */
static void throttled(void **state)
{
	(void)state;
	two_grids();
	struct gg_tmd tmd = plain(1, 1);

	tmd.header |= GG_TMD_THROTTLE;
	fake_run(3, &tmd);
	assert_int_equal(recalled(0), 0x3);
	assert_int_equal(recalled(1), 0xc);
	assert_int_equal(device.perf->pull_recalls, SMS);
	expect_end(3);
}

/* SMs that are disabled, of all grids, and no others. */
static void disabled(void **state)
{
	(void)state;
	two_grids();
	device.config->enabled[0] = 0x6;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	assert_int_equal(recalled(0), 0x1);
	assert_int_equal(recalled(1), 0x8);
	assert_int_equal(device.perf->pull_recalls, 2);
	expect_end(2);
}

/* While lower priorities wait for their share, all streams of a grid above them are of an item each. Those of a grid
 * below it go on. */
static void limited_by_the_share(void **state)
{
	(void)state;
	two_grids();
	const struct gg_tmd tmd = plain(8, 64);

	fake_floor(200);
	fake_run(3, &tmd);
	assert_int_equal(recalled(0), 0x3);
	for (uint32_t left = 8;
	     left-- > 1;) { /* one gets no others before all of its own have ended */
		fake_pull_done(0, 1);
		fake_take_all();
		assert_int_equal(fake_streams(0, 0), left);
		assert_int_equal(recalled(0), 0x3);
	}
	for (uint32_t turn = 0; turn < 50; turn++) {
		fake_take_all();
		for (uint32_t sm = 0; sm < SMS; sm++) {
			fake_pull_begin(sm);
			fake_pull_done(sm, 32);
		}
		fake_end_all();
	}
	expect_end(3);
}

/* S0-R20: for a CTA that is due to a lower priority an SM is recalled from a grid above it, too, all of whose items are taken: what
 * the SM has not begun waits for its turn. */
static void due_to_a_lower_one(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	fake_by_tag = true;
	const struct gg_tmd upper = fake_with_affinity(plain(2, 1000), 1);
	const struct gg_tmd between =
		fake_with_affinity(fake_with_priority(fake_pull_grid(1000, 1000), 5), 2);
	const struct gg_tmd lower = fake_with_affinity(plain(8, 8), 2);

	fake_floor(500);
	fake_run(1, &between);
	fake_pull_begin_all();
	assert_int_equal(fake_streams(1, 0), 8);
	fake_run(2, &upper);
	fake_run(3, &lower);
	for (uint32_t round = 0; round < 8; round++) {
		fake_take_all();
		fake_end_tag(2, GG_OK);
	}
	assert_true(pull_is_recalled(0, 1));
	fake_pull_done(1, 32);
	fake_take_all();
	assert_int_not_equal(fake_count(3), 0);
	fake_pull_finish();
	fake_finish();
	fake_pull_finish();
	assert_int_equal(device.perf->tasks_completed, 3);
	fake_pull_expect_tag(1, 1000);
}

/* Each SM of the largest device is told itself. */
static void all_sms(void **state)
{
	(void)state;
	fake_pull_init(CP_SMS, true);
	const struct gg_tmd tmd = fake_pull_grid(64 * CP_SMS, 0);
	const uint64_t address = fake_run(1, &tmd);

	fake_pull_begin_all();
	fake_name(10, GG_OPCODE_SUSPEND, address);
	fake_expect(10, GG_OK);
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		assert_true(pull_is_recalled(0, sm));
	}
	assert_int_equal(device.perf->pull_recalls, CP_SMS);
	fake_pull_finish();
	assert_int_equal(task_table_free(), CP_SLOTS);
}

/* Each SM that was recalled takes items again when there is room on it again. */
static void all_come_back(void **state)
{
	(void)state;
	fake_pull_init(CP_SMS, true);
	const struct gg_tmd tmd = fake_with_priority(fake_pull_grid(64 * CP_SMS, 64), 5);
	const struct gg_tmd urgent = plain(2, 8 * CP_SMS);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	fake_run(2, &urgent);
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		assert_true(pull_is_recalled(0, sm));
		fake_pull_done(sm, 32);
	}
	assert_int_equal(fake_take_all(), 8 * CP_SMS);
	fake_end_all();
	fake_expect(2, GG_OK);
	fake_pull_begin_all();
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		assert_false(pull_is_recalled(0, sm));
		assert_int_not_equal(fake_streams(sm, 0), 0);
	}
	fake_pull_finish();
	fake_expect(1, GG_OK);
	fake_pull_expect_once(64 * CP_SMS);
	fake_pull_expect_nothing_left();
}

/* S1-Q10, S4-R22: SMs that were disabled since the grid before may not take from this one, in whatever word of a bitmap they are. */
static void disabled_since(void **state)
{
	const uint32_t sms = 2 * 32;
	const struct gg_tmd grid = fake_pull_grid(1000 * sms, 0);

	(void)state;
	fake_pull_init(sms, true);
	for (uint32_t disabled = 0; disabled < sms; disabled += 21) {
		const struct work_entry *entry = (const void *)&device.work[0];

		device.config->enabled[disabled / 32] &= ~(1u << disabled % 32);
		while (fake_config(GG_CONFIG_PART_ENABLED) != GG_OK) {
		}
		const uint64_t address = fake_run(1, &grid);

		assert_int_equal(entry->approved[0], device.config->enabled[0]);
		assert_int_equal(entry->approved[1], device.config->enabled[1]);
		fake_name(2, GG_OPCODE_CANCEL, address);
		fake_expect(2, GG_OK);
		fake_pull_finish();
		fake_expect(1, GG_ERR_CANCELLED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(disabled_since),     cmocka_unit_test(the_lowest_first),
		cmocka_unit_test(where_it_may_run),   cmocka_unit_test(how_many_sms),
		cmocka_unit_test(the_last_items),     cmocka_unit_test(given_back_at_last),
		cmocka_unit_test(suspended),          cmocka_unit_test(throttled),
		cmocka_unit_test(disabled),           cmocka_unit_test(limited_by_the_share),
		cmocka_unit_test(due_to_a_lower_one), cmocka_unit_test(all_sms),
		cmocka_unit_test(all_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

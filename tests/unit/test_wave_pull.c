/* SPDX-License-Identifier: Apache-2.0 */
/* The streams of PULL grids as waves: SMs count themselves when nothing is left, and report when somebody has looked.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

#define SMS   4u
#define ITEMS 1000u

/* Runs a PULL grid, whose streams the SMs have got and begin; its address. */
static uint64_t begin(void)
{
	fake_pull_init_waves(SMS);

	const struct gg_tmd grid = fake_pull_grid(ITEMS, 0);
	const uint64_t address = fake_run(1, &grid);

	assert_int_equal(device.perf->waves, 1);
	assert_int_not_equal(wave_behind, 0);
	assert_true(due_is(DUE_PULLS));
	fake_take_all();
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(fake_streams(sm, 0), device.resources.ctas);
		fake_pull_begin(sm);
	}
	return address;
}

static void command(enum gg_opcode opcode, uint64_t address)
{
	fake_name(2, opcode, address);
	fake_expect(2, GG_OK);
}

/* The grid has ended, each item was done once, and the device is as after boot. */
static void expect_all(void)
{
	const struct gg_completion done = fake_expect(1, GG_OK);

	assert_int_equal(done.ctas_lo, ITEMS);
	assert_int_equal(device.perf->ctas_lo, ITEMS);
	fake_pull_expect_once(ITEMS);
	fake_expect_none();
	assert_int_equal(task_table_free(), CP_SLOTS);
	assert_int_equal(pull_slots(), 0);
	assert_false(due_is(DUE_PULLS)); /* or no task would take the short way any more */
	assert_int_equal(range_free(), CP_RANGES);
	assert_int_equal(wave_slots | wave_behind, 0);
	assert_int_equal(sm_state_resident(), 0);
	assert_int_equal(device.perf->unmatched, 0);
	assert_int_equal(device.work[0].state, WORK_FREE);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_true(bits_has(sm_state_idle, sm));
	}
}

/* S4-R39, R49: nobody looks at the SMs until the last one rings; none of them reports. */
static void counted(void **state)
{
	(void)state;
	begin();
	fake_pull_finish();
	assert_int_equal(fake_reports, 0);
	assert_int_equal(device.perf->waves_opened, 0);
	assert_int_equal(device.perf->pull_packets, SMS);
	expect_all();
}

/* S4-R39, R49: the same with as many SMs as there can be. */
static void counted_by_all(void **state)
{
	const uint32_t items = 64 * CP_SMS;
	const struct gg_tmd grid = fake_pull_grid(items, 0);

	(void)state;
	fake_pull_init_waves(CP_SMS);
	fake_run(1, &grid);
	assert_int_equal(device.perf->waves, 1);
	assert_int_equal(range_free(),
			 CP_RANGES - CP_SMS); /* a place for what each may give back */
	fake_take_all();
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		fake_pull_begin(sm);
	}
	fake_pull_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, items);
	assert_int_equal(fake_reports, 0);
	fake_pull_expect_once(items);
}

/* S4-R49: a task that comes between opens the wave. SMs that had counted themselves are taken as ended, with what they
 * did; the others report. */
static void opened(void **state)
{
	(void)state;
	begin();
	for (uint32_t sm = 1; sm < SMS; sm++) {
		fake_pull_done(sm, 0);
	}
	while (fake_streams(0, 0) != 0) { /* runs nearly all, and counts itself */
		fake_pull_done(0, 32);
	}
	assert_int_equal(fake_reports, 0);
	assert_int_equal(device.waves[0].entry.left, SMS - 1);

	const struct gg_tmd other = fake_with_priority(fake_tmd(1), 1);

	fake_run(3, &other);
	assert_int_equal(device.perf->waves_opened, 1);
	fake_take_all();
	assert_int_equal(fake_count(3), 1);
	assert_int_equal(fake_ctas[0].sm, 0); /* which is free again */
	fake_pull_finish();
	fake_expect(3, GG_OK);
	assert_int_equal(fake_reports, SMS - 1);
	device.perf->ctas_lo -= 1; /* the other task's */
	expect_all();
}

/* S0-R20, S0-R26: an urgent task takes SMs from a wave, too: as many as it needs. */
static void recalled(void **state)
{
	const struct gg_tmd urgent = fake_with_priority(fake_tmd(8), 1);

	(void)state;
	begin();
	fake_run(3, &urgent);
	assert_int_equal(device.perf->pull_recalls, 1);
	fake_pull_done(0, 32);
	fake_take_all();
	assert_int_equal(fake_count(3), 8);
	fake_pull_finish();
	fake_expect(3, GG_OK);
	device.perf->ctas_lo -= 8; /* the other task's */
	expect_all();
}

/* More items are counted than a word holds. */
static void counted_in_two_words(void **state)
{
	(void)state;
	begin();
	device.work[0].items_hi = 5; /* as if it had had as many */
	fake_pull_finish();
	const struct gg_completion done = fake_expect(1, GG_OK);

	assert_int_equal(done.ctas_lo, ITEMS);
	assert_int_equal(done.ctas_hi, 5);
	assert_int_equal(device.perf->ctas_lo, ITEMS);
	assert_int_equal(device.perf->ctas_hi, 5);
}

/* S0-R13: a suspended grid gives back what its SMs have not begun, and goes on by packets. */
static void suspended(void **state)
{
	(void)state;
	const uint64_t address = begin();

	for (uint32_t round = 0; round < 3; round++) {
		command(GG_OPCODE_SUSPEND, address);
		fake_pull_finish();
		assert_true(fake_items < ITEMS);
		assert_int_equal(task_table_free(), CP_SLOTS);
		command(GG_OPCODE_RESUME, address);
		fake_take_all();
		for (uint32_t sm = 0; sm < SMS; sm++) {
			fake_pull_begin(sm);
		}
	}
	fake_pull_finish();
	expect_all();
}

/* A cancelled grid ends after the CTAs that run, and says how many were done. */
static void cancelled(void **state)
{
	(void)state;
	const uint64_t address = begin();

	fake_pull_done(0, 100);
	fake_pull_done(0, 5);

	const uint64_t done = fake_items;

	command(GG_OPCODE_CANCEL, address);
	fake_pull_finish();
	assert_int_equal(fake_expect(1, GG_ERR_CANCELLED).ctas_lo, done);
	assert_int_equal(wave_slots | wave_behind, 0);
	assert_int_equal(range_free(), CP_RANGES);
	assert_int_equal(sm_state_resident(), 0);
}

/* What an SM had that is lost before it has looked, or in between, is done by the others. */
static void lost(void **state)
{
	(void)state;
	for (uint32_t taken = 0; taken < 2; taken++) {
		fake_pull_init_waves(SMS);

		const struct gg_tmd grid = fake_pull_grid(ITEMS, 0);

		fake_run(1, &grid);
		if (taken != 0) {
			fake_take_all();
			fake_pull_begin(2);
			fake_pull_done(2, 3);
		}
		fake_pull_lose(2);
		fake_pull_finish();
		assert_int_equal(fake_expect(1, GG_OK).ctas_lo, ITEMS);
		assert_int_equal(device.perf->waves_opened, 1);
		assert_int_equal(wave_slots | wave_behind, 0);
		assert_int_equal(range_free(), CP_RANGES);
		for (uint32_t item = 0; item < ITEMS; item++) {
			assert_true(fake_marks[item] >= 1);
		}
	}
}

/* With a second grid that wants SMs, no wave is closed, and streams come in packets. */
static void with_another_one(void **state)
{
	(void)state;
	begin();

	const struct gg_tmd grid = fake_pull_grid(ITEMS, 0);

	fake_run(2, &grid);
	fake_pull_finish();
	fake_expect(1, GG_OK);
	assert_int_equal(fake_expect(2, GG_OK).ctas_lo, ITEMS);
	assert_int_equal(wave_slots | wave_behind, 0);
	assert_int_equal(range_free(), CP_RANGES);
}

/* S4-R60: fewer items than slots come in packets that bring them. */
static void few_items(void **state)
{
	(void)state;
	const struct gg_tmd grid = fake_pull_grid(2 * SMS, 0);

	fake_pull_init_waves(SMS);
	fake_run(1, &grid);
	assert_int_equal(device.perf->waves, 0);
	fake_take_all();
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(fake_streams(sm, 0), 2);
	}
	fake_pull_finish();
	fake_expect(1, GG_OK);
}

/* Without a place for what each SM may give back there are packets for some SMs. */
static void few_places(void **state)
{
	(void)state;
	const struct gg_tmd grid = fake_pull_grid(ITEMS, 0);

	fake_pull_init_waves(SMS);
	assert_true(range_reserve(CP_RANGES - SMS + 1));
	fake_run(1, &grid);
	assert_int_equal(device.perf->waves, 0);
	fake_take_all();
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(fake_streams(sm, 0) != 0, sm != SMS - 1);
	}
	fake_pull_finish();
	fake_expect(1, GG_OK);
}

/* A wave that is over leaves nothing to the next grid of its slot, which comes by packets: no place in reserve, and no
 * SM whose streams an urgent task could recall: those of the last one take no more items. */
static void after_a_wave(void **state)
{
	const struct gg_tmd few = fake_pull_grid(2 * SMS, 0);
	const struct gg_tmd urgent = fake_with_priority(fake_tmd(8 * SMS), 1);

	(void)state;
	begin();
	fake_pull_finish();
	expect_all();
	fake_run(2, &few);
	assert_int_equal(device.perf->waves, 1);
	assert_int_equal(range_free(), CP_RANGES - SMS);
	fake_run(3, &urgent);
	assert_int_equal(device.perf->pull_recalls, SMS - 1);
	fake_pull_finish();
	assert_int_equal(device.perf->tasks_completed, 3);
	assert_int_equal(range_free(), CP_RANGES);
}

/* A place for each is enough for a wave. */
static void just_enough_places(void **state)
{
	(void)state;
	const struct gg_tmd grid = fake_pull_grid(ITEMS, 0);

	fake_pull_init_waves(SMS);
	assert_true(range_reserve(CP_RANGES - SMS));
	fake_run(1, &grid);
	assert_int_equal(device.perf->waves, 1);
	assert_int_equal(range_free(), 0);
	range_unreserve(CP_RANGES - SMS);
	fake_take_all();
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fake_pull_begin(sm);
	}
	fake_pull_finish();
	expect_all();
}

/* An SM of a wave gives back what it has not begun to the place that is kept for it, when there is no other. */
static void just_enough_places_to_give_back(void **state)
{
	const struct gg_tmd grid = fake_pull_grid(ITEMS, 10);
	struct gg_tmd other = fake_tmd(8 * SMS);

	(void)state;
	fake_pull_init_waves(SMS);
	assert_true(range_reserve(CP_RANGES - SMS));

	const uint64_t address = fake_run(1, &grid);

	assert_int_equal(device.perf->waves, 1);
	fake_pull_begin_all();
	command(GG_OPCODE_SUSPEND, address);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fake_pull_done(sm, 32);
	}
	assert_int_equal(task_table_free(), CP_SLOTS);
	other = fake_with_priority(other, 1);
	fake_run(3, &other);
	fake_finish();
	fake_expect(3, GG_OK);
	device.perf->ctas_lo -= 8 * SMS; /* the other task's */
	range_unreserve(CP_RANGES - SMS);
	command(GG_OPCODE_RESUME, address);
	fake_pull_finish();
	expect_all();
}

/* A grid that must leave room for lower priorities does not get endless streams. */
static void with_a_floor(void **state)
{
	(void)state;
	const struct gg_tmd grid = fake_with_priority(fake_pull_grid(ITEMS, 0), 1);
	const struct gg_tmd lower = fake_with_priority(fake_pull_grid(ITEMS, 0), 9);

	fake_pull_init_waves(SMS);
	fake_floor(10);
	fake_submit(0, 1, &grid);
	fake_submit(0, 2, &lower);
	fake_settle(100);
	assert_int_equal(device.perf->waves, 0);
	fake_by_tag = true;
	fake_pull_finish();
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counted),
		cmocka_unit_test(opened),
		cmocka_unit_test(suspended),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(lost),
		cmocka_unit_test(with_another_one),
		cmocka_unit_test(few_items),
		cmocka_unit_test(few_places),
		cmocka_unit_test(with_a_floor),
		cmocka_unit_test(counted_by_all),
		cmocka_unit_test(recalled),
		cmocka_unit_test(counted_in_two_words),
		cmocka_unit_test(just_enough_places),
		cmocka_unit_test(just_enough_places_to_give_back),
		cmocka_unit_test(after_a_wave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

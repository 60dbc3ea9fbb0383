/* SPDX-License-Identifier: Apache-2.0 */
/* PULL grids on the short way: all their streams leave by a wave, and all end with it.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_pull.c tests/unit/fake_short.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/base/due.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_place.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"
#include "tests/unit/fake_short.h"

#define SMS   4u
#define SLOTS 32u /* CTAs that the SMs have room for */
#define ITEMS 1000u

/* The streams that the SMs have got begin, and run to the end of the grid. */
static void run_all(uint32_t sms)
{
	fake_take_all();
	for (uint32_t sm = 0; sm < sms; sm++) {
		fake_pull_begin(sm);
	}
	fake_pull_finish();
}

/* A device on which a grid has run, so that its TMD is known, and a place of the pool has its words; the TMD's address. */
static uint64_t begin(uint32_t sms, const struct gg_tmd *grid)
{
	fake_pull_init_waves(sms);
	const uint64_t address = fake_run(1, grid);

	run_all(sms);
	fake_expect(1, GG_OK);
	memset(fake_marks, 0, sizeof(fake_marks));
	return address;
}

static uint64_t begin_known(const struct gg_tmd *grid)
{
	const uint64_t address = begin(SMS, grid);

	fake_submit_at(0, 1, address); /* this one is kept */
	run_all(SMS);
	fake_expect(1, GG_OK);
	memset(fake_marks, 0, sizeof(fake_marks));
	return address;
}

/* S4-R39, S4-R49: the streams leave, and the grid ends, without the stages; each item was done once. */
static void both_ends_are_short(void **state)
{
	const struct gg_tmd grid = fake_pull_grid(ITEMS, 0);

	(void)state;
	const uint64_t address = begin_known(&grid);

	for (uint32_t round = 0; round < 3; round++) {
		const uint32_t waves = device.perf->waves;

		fake_post_submit(0, 2, address);
		assert_true(fake_is_short());
		assert_int_equal(device.perf->waves, waves + 1);
		assert_int_equal(device.slots[0].in_flight, SLOTS);
		assert_true(due_is(DUE_PULLS));
		assert_int_equal(range_free(), CP_RANGES - SMS);
		fake_take_all();
		for (uint32_t sm = 0; sm < SMS; sm++) {
			fake_wave_count(sm, 0, fake_wave(sm, 0));
		}
		assert_true(fake_is_short());
		assert_int_equal(fake_expect(2, GG_OK).ctas_lo, ITEMS);
		assert_int_equal(device.perf->waves_opened, 0);
		assert_false(due_is(DUE_PULLS));
		assert_int_equal(range_free(), CP_RANGES);
		memset(fake_hands, 0, sizeof(fake_hands));
	}
}

/* What there is to see of a grid when it has left, and when it has ended, but how often SMs were looked at. */
struct seen {
	struct gg_perf perf[2];
	struct gg_wave wave;
	struct gg_packet packet;
	struct gg_slot slot;
	struct work_entry entry;
	struct gg_completion done;
	uint32_t passed;
	uint32_t ranges;
};

static void see(bool express, uint32_t sms, const struct gg_tmd *grid, struct seen *seen)
{
	const uint64_t address = begin(sms, grid);

	express_switch(express);
	fake_hal.now = 1000000;
	memset(device.perf, 0, sizeof(*device.perf));
	const uint32_t passed = offer_total();

	fake_submit_at(0, 2, address);
	run_all(sms);
	fake_expect(2, GG_OK);
	memset(fake_marks, 0, sizeof(fake_marks));
	fake_submit_at(0, 2, address);
	memset(seen, 0, sizeof(*seen));
	seen->perf[0] = *device.perf;
	seen->perf[0].class_rebuilds = 0;
	seen->wave = device.waves[0].entry;
	seen->packet = device.waves[0].packet;
	seen->slot = device.slots[0];
	seen->slot.tmd_lo = seen->slot.tmd_hi = 0; /* which place of the pool it got */
	memcpy(&seen->entry, &device.work[0], sizeof(seen->entry));
	seen->ranges = range_free();
	run_all(sms);
	seen->done = fake_expect(2, GG_OK);
	seen->perf[1] = *device.perf;
	seen->perf[1].class_rebuilds = 0;
	seen->passed = offer_total() - passed;
	fake_pull_expect_once(grid->grid_x);
	fake_pull_expect_nothing_left();
	express_switch(true);
}

/* On the short way a grid leaves and ends as on the long one: also one that has as many items as there is room for streams, which
 * is no wave, or one more. */
static void on_both_ways(void **state)
{
	static const uint32_t items[] = { 1, SLOTS - 1, SLOTS, SLOTS + 1, ITEMS, 70000 };
	static struct seen seen[2];

	(void)state;
	for (uint32_t at = 0; at < sizeof(items) / sizeof(items[0]); at++) {
		const struct gg_tmd grid = fake_pull_grid(items[at], 0);

		for (uint32_t way = 0; way < 2; way++) {
			see(way != 0, SMS, &grid, &seen[way]);
		}
		assert_int_equal(seen[1].perf[0].waves, items[at] > SLOTS ? 2 : 0);
		assert_memory_equal(&seen[1].perf[0], &seen[0].perf[0], sizeof(seen[0].perf[0]));
		assert_memory_equal(&seen[1].perf[1], &seen[0].perf[1], sizeof(seen[0].perf[1]));
		assert_memory_equal(&seen[1].wave, &seen[0].wave, sizeof(seen[0].wave));
		assert_memory_equal(&seen[1].packet, &seen[0].packet, sizeof(seen[0].packet));
		assert_memory_equal(&seen[1].slot, &seen[0].slot, sizeof(seen[0].slot));
		assert_memory_equal(&seen[1].entry, &seen[0].entry, sizeof(seen[0].entry));
		assert_memory_equal(&seen[1].done, &seen[0].done, sizeof(seen[0].done));
		assert_int_equal(seen[1].passed, seen[0].passed);
		assert_int_equal(seen[1].ranges, seen[0].ranges);
	}
}

/* Whether the streams of a grid that is known leave the short way; it ends, too. */
static bool leaves_shortly(void (*before)(void), void (*after)(void))
{
	const struct gg_tmd grid = fake_pull_grid(ITEMS, 0);
	const uint64_t address = begin_known(&grid);

	before();
	fake_post_submit(0, 2, address);
	const bool shortly = fake_is_short();

	fake_by_tag = true;
	run_all(SMS);
	after();
	fake_expect(2, GG_OK);
	return shortly;
}

static void nothing(void)
{
}

static void take_places(void)
{
	assert_true(range_reserve(CP_RANGES - SMS));
}

static void take_one_more(void)
{
	assert_true(range_reserve(CP_RANGES - SMS + 1));
}

static void give_places(void)
{
	range_unreserve(CP_RANGES - range_free());
}

static void far_gpcs(void)
{
	pull_place_set(&(struct pull_settings){ .far_ticks = 1 });
}

static void near_gpcs(void)
{
	pull_place_set(&(struct pull_settings){ 0 });
}

static void another_one(void)
{
	const struct gg_tmd other = fake_tmd(1);

	fake_run(3, &other);
	fake_take_all();
}

static void end_other(void)
{
	fake_expect(3, GG_OK);
}

/* With a place less than each SM may give back a range to, or when a GPC may be far, or other CTAs are there, the stages
 * launch it. */
static void when_it_is_not_alone(void **state)
{
	(void)state;
	assert_true(leaves_shortly(nothing, nothing));
	assert_true(leaves_shortly(take_places, give_places));
	assert_false(leaves_shortly(take_one_more, give_places));
	assert_false(leaves_shortly(far_gpcs, near_gpcs));
	assert_false(leaves_shortly(another_one, end_other));
}

/* A place of the pool that the short way could take is there again. */
static void run_known(uint64_t address)
{
	fake_submit_at(0, 1, address);
	run_all(SMS);
	fake_expect(1, GG_OK);
}

/* S4-R97: more items than a word counts are all there, however often the grid is launched. */
static void more_than_a_word(void **state)
{
	const struct gg_tmd known = fake_pull_grid(ITEMS, 0);
	struct gg_tmd grid = fake_pull_grid(65538, 0);

	(void)state;
	const uint64_t other = begin_known(&known);

	grid.grid_yz = 0x0001ffff;
	const uint64_t address = fake_put_tmd(&grid);
	const struct work_entry *entry = (const void *)&device.work[0];

	for (uint32_t round = 0; round < 3; round++) {
		run_known(other);
		fake_submit_at(0, 3, address);
		assert_int_equal(entry->plan.items_high, 1);
		assert_int_equal(entry->plan.items_low, 65534);
		fake_name(4, GG_OPCODE_CANCEL, address);
		fake_expect(4, GG_OK);
		run_all(SMS);
		fake_expect(3, GG_ERR_CANCELLED);
	}
}

/* S4-R60: as many items as there are slots come in packets that bring them, however often the grid is launched. */
static void no_more_than_fit(void **state)
{
	const struct gg_tmd known = fake_pull_grid(ITEMS, 0);
	const struct gg_tmd grid = fake_pull_grid(SLOTS, 0);

	(void)state;
	const uint64_t other = begin_known(&known);
	const uint64_t address = fake_put_tmd(&grid);

	for (uint32_t round = 0; round < 3; round++) {
		run_known(other);
		fake_post_submit(0, 3, address);
		assert_false(fake_is_short());
		assert_int_equal(wave_slots, 0);
		run_all(SMS);
		fake_expect(3, GG_OK);
	}
}

/* A wave ends the short way only when no other PULL grid has streams, since somebody has to look what its SMs have taken. */
static void not_beside_another(void **state)
{
	const struct gg_tmd grid = fake_pull_grid(1, 0);
	const struct gg_tmd wave = fake_tmd(5);

	(void)state;
	for (uint32_t beside = 0; beside < 2; beside++) {
		fake_pull_init_waves(2 * SMS);
		if (beside != 0) {
			fake_run(1, &grid);
		}
		fake_run(2, &wave);
		assert_int_equal(device.perf->waves, 1);
		fake_take_all();
		assert_int_equal(fake_cta_count, 5);
		while (fake_cta_count != 0) {
			fake_end(0, GG_OK);
		}
		assert_int_equal(fake_is_short(), beside == 0);
		fake_expect(2, GG_OK);
		run_all(2 * SMS);
	}
}

static struct gg_tmd open_grid(uint32_t ctas)
{
	return fake_with_mode(fake_tmd(ctas), GG_TASK_MODE_DEVICE);
}

/* Whether the only task, which has left its mode to the device, is pulled; it ends, too. */
static bool ends_pulled(void)
{
	fake_pull_finish();
	return fake_expect(1, GG_OK).mode == GG_TASK_MODE_PULL;
}

/* A grid that is known leaves the short way as it did before, and otherwise when CONFIG has changed that. */
static void again_and_otherwise(void **state)
{
	const struct gg_tmd tmd = open_grid(100);

	(void)state;
	fake_pull_init_waves(SMS);
	fake_by_tag = true;
	const uint64_t address = fake_run(1, &tmd);

	for (uint32_t round = 0; round < 9; round++) {
		const bool balanced = round / 3 == 1;

		if (round != 0 && round % 3 == 0) {
			ends_pulled();
			device.config->mode =
				balanced ? GG_TASK_MODE_LOAD_BALANCING : GG_TASK_MODE_DEVICE;
			assert_int_equal(fake_config(GG_CONFIG_PART_MODE), GG_OK);
			fake_submit_at(0, 1, address);
		}
		assert_int_equal(ends_pulled(), !balanced);
		fake_post_submit(0, 1, address);
		assert_int_equal(fake_is_short(), !balanced && round != 0);
	}
	assert_true(ends_pulled());
}

/* So it does in a place of the pool where another kernel has run, and that one in its place. */
static void in_turns_with_another(void **state)
{
	const struct gg_tmd tmds[2] = { open_grid(100), open_grid(SLOTS) };
	uint64_t addresses[2];

	(void)state;
	fake_pull_init_waves(SMS);
	fake_by_tag = true;
	for (uint32_t at = 0; at < 2; at++) {
		addresses[at] = fake_run(1, &tmds[at]);
		ends_pulled();
	}
	for (uint32_t round = 0; round < 8; round++) {
		fake_post_submit(0, 1, addresses[round % 2]);
		const bool shortly = fake_is_short();

		assert_true(shortly || round < 2);
		assert_int_equal(ends_pulled(), round % 2 == 0);
	}
}

/* S4-R16: a grid that a kernel launches is pulled if it does not fit, as one of the host is. */
static void large_children(void **state)
{
	static const uint32_t sizes[] = { SLOTS, SLOTS + 1, ITEMS };
	const struct gg_tmd parent = fake_own(fake_tmd(1));

	(void)state;
	for (uint32_t at = 0; at < sizeof(sizes) / sizeof(sizes[0]); at++) {
		const struct gg_tmd grid = fake_own(open_grid(sizes[at]));

		fake_pull_init_waves(SMS);
		fake_run(1, &parent);
		assert_int_equal(fake_take_all(), 1);
		assert_int_equal(fake_launch(0, fake_put_tmd(&grid)), GG_OK);
		assert_int_equal(task_table_holder(1)->rules.mode,
				 sizes[at] > SLOTS ? GG_TASK_MODE_PULL : GG_TASK_MODE_DEVICE);
		fake_take_all();
		fake_end(0, GG_OK);
		run_all(SMS);
		fake_expect(1, GG_OK);
		if (sizes[at] > SLOTS) {
			fake_pull_expect_once(sizes[at]);
		}
		fake_pull_expect_nothing_left();
	}
}

/* Runs a grid twice, and then one of another size: what there is to see of it. Returns whether its TMD was known. */
static bool see_after(bool express, struct gg_tmd before, struct gg_tmd grid, struct seen *seen)
{
	const uint64_t ctas = (uint64_t)grid.grid_x * gg_get(grid.grid_yz, GG_TMD_GRID_Y) *
			      gg_get(grid.grid_yz, GG_TMD_GRID_Z);

	(void)begin_known(&before);
	express_switch(express);
	fake_hal.now = 1000000;
	memset(device.perf, 0, sizeof(*device.perf));
	memset(seen, 0, sizeof(*seen));
	fake_run(2, &grid);
	const bool known = task_table_holder(0)->rules.kept != 0;

	fake_take_all();
	seen->ranges = fake_cta_count;
	seen->slot = device.slots[0];
	seen->slot.tmd_lo = seen->slot.tmd_hi = 0;
	const struct gg_tmd put = fake_short(&grid);

	assert_memory_equal(&task_table_holder(0)->tmd, &put, sizeof(put));
	run_all(SMS);
	seen->done = fake_expect(2, GG_OK);
	seen->perf[0] = *device.perf;
	seen->perf[0].class_rebuilds = 0; /* the short way needs no classes */
	assert_int_equal(seen->done.ctas_lo, ctas);
	assert_int_equal(seen->done.mode == GG_TASK_MODE_PULL, ctas > SLOTS);
	fake_pull_expect_nothing_left();
	express_switch(true);
	return known;
}

/* S0-R31, S4-R16: a grid that differs from one before in nothing but its size takes the short way at once, with what its own
 * size asks for: it is pulled if it does not fit, or launched. */
static void of_another_size(void **state)
{
	static const uint32_t sizes[][3] = {
		{ 1, 1, 1 }, { 4, 1, 1 }, { SLOTS, 1, 1 }, { SLOTS + 1, 1, 1 }, { 8, 4, 1 },
		{ 8, 5, 1 }, { 8, 2, 2 }, { 8, 2, 3 },     { 1, 1, SLOTS },     { 70000, 1, 1 },
	};
	static struct seen seen[2];
	const uint32_t count = sizeof(sizes) / sizeof(sizes[0]);

	(void)state;
	for (uint32_t pair = 0; pair < count * count; pair++) {
		const uint32_t *before = sizes[pair / count], *after = sizes[pair % count];
		struct gg_tmd grids[2] = { open_grid(before[0]), open_grid(after[0]) };

		grids[0].grid_yz =
			gg_put(GG_TMD_GRID_Y, before[1]) | gg_put(GG_TMD_GRID_Z, before[2]);
		grids[1].grid_yz =
			gg_put(GG_TMD_GRID_Y, after[1]) | gg_put(GG_TMD_GRID_Z, after[2]);
		for (uint32_t way = 0; way < 2; way++) {
			assert_int_equal(see_after(way != 0, grids[0], grids[1], &seen[way]),
					 way != 0);
		}
		assert_memory_equal(&seen[1], &seen[0], sizeof(seen[0]));
	}
}

/* S1-R183: what a size may not be is refused after one that was good, and nothing of it is kept. */
static void of_no_size(void **state)
{
	const struct gg_tmd good = open_grid(SLOTS);
	struct gg_tmd bad[3] = { good, good, good };
	static const enum gg_status statuses[] = { GG_ERR_GRID_ZERO, GG_ERR_GRID_ZERO,
						   GG_ERR_GRID_OVERFLOW };

	(void)state;
	bad[0].grid_x = 0;
	for (uint32_t at = 0; at < 3; at++) {
		bad[at].block_xy = gg_put(GG_TMD_BLOCK_X, 2) | gg_put(GG_TMD_BLOCK_Y, 1);
	}
	bad[2].grid_x = UINT32_MAX;
	struct gg_tmd wide = bad[2];

	wide.grid_x = SLOTS;
	const uint64_t address = begin_known(&wide);
	const struct gg_tmd other = fake_with_priority(wide, 9);

	fake_run(4, &other);
	run_all(SMS);
	fake_expect(4, GG_OK);

	device.size_max = UINT32_MAX;
	for (uint32_t round = 0; round < 3 * (CP_KEPT + 1); round++) {
		bad[0].grid_yz = gg_put(GG_TMD_GRID_Y, 2 + round) | gg_put(GG_TMD_GRID_Z, 1);
		bad[1].grid_yz = gg_put(GG_TMD_GRID_Y, 2 + round);
		fake_run(3, &bad[round % 3]);
		fake_expect(3, statuses[round % 3]);
		for (uint32_t again = 0; again < 2; again++) {
			fake_submit_at(0, 1, address);
			assert_int_not_equal(task_table_holder(0)->rules.kept, 0);
			run_all(SMS);
			fake_expect(1, GG_OK);
		}
	}
	fake_run(4, &other);
	assert_int_not_equal(task_table_holder(0)->rules.kept, 0); /* it has not had to make room */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_are_short),  cmocka_unit_test(on_both_ways),
		cmocka_unit_test(when_it_is_not_alone), cmocka_unit_test(not_beside_another),
		cmocka_unit_test(more_than_a_word),     cmocka_unit_test(no_more_than_fit),
		cmocka_unit_test(again_and_otherwise),  cmocka_unit_test(in_turns_with_another),
		cmocka_unit_test(large_children),       cmocka_unit_test(of_another_size),
		cmocka_unit_test(of_no_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

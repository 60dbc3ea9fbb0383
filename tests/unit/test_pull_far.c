/* SPDX-License-Identifier: Apache-2.0 */
/* PULL grids on far GPCs: whose local queues are placed, what they are given, and what becomes of it.
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
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

#define FAR_TICKS 10u
#define IN_GPC    4u /* SMs of a GPC of the small fake device */

/* A device of so many GPCs, of which those are far that have a bit. */
static void begin(uint32_t sms, uint32_t far, uint32_t low)
{
	fake_pull_init(sms, true);
	device.config->far_ticks = FAR_TICKS;
	device.config->local_low = low;
	for (uint32_t gpc = 0; gpc < CP_GPCS; gpc++) {
		device.config->latency[gpc] = FAR_TICKS + (far >> gpc & 1u);
	}
	assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_OK);
}

static void enable(uint32_t sms)
{
	device.config->enabled[0] = sms;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
}

static uint32_t open_queues(uint32_t slot)
{
	uint32_t open = 0;

	for (uint32_t gpc = 0; gpc < CP_GPCS; gpc++) {
		open |= pull_local(gpc, slot)->state != 0 ? 1u << gpc : 0;
	}
	return open;
}

static void expect_all(uint32_t tag, uint32_t items)
{
	fake_pull_finish();
	assert_int_equal(fake_expect(tag, GG_OK).ctas_lo, items);
	fake_pull_expect_once(items);
	fake_pull_expect_nothing_left();
}

/* S4-R62: each GPC with a longer latency has a queue, and no other; those that are far and all that are near share what
 * remains. */
static void who_is_far(void **state)
{
	(void)state;
	for (uint32_t far = 0; far < 8; far++) {
		begin(3 * IN_GPC, far, 0);
		const struct gg_tmd tmd = fake_pull_grid(4000, 0);

		fake_run(1, &tmd);
		assert_int_equal(open_queues(0), far);
		assert_int_equal(pull_entry(0)->plan.groups, bits_count(far) + (far != 7 ? 1 : 0));
		assert_int_equal(pull_entry(0)->plan.sms, 3 * IN_GPC);
		for (uint32_t gpc = 0; gpc < 3; gpc++) {
			if ((far >> gpc & 1u) != 0) {
				assert_int_equal(pull_local(gpc, 0)->members, IN_GPC);
				assert_int_equal(pull_local(gpc, 0)->approved[0],
						 0xfu << IN_GPC * gpc);
			}
		}
		fake_pull_begin_all();
		expect_all(1, 4000);
	}
}

/* S4-R62: without a latency that counts as long no GPC is far; with the shortest one those are that have a longer one. */
static void from_when_on(void **state)
{
	(void)state;
	for (uint32_t ticks = 0; ticks <= 2; ticks++) {
		begin(3 * IN_GPC, 0, 0);
		device.config->far_ticks = ticks;
		for (uint32_t gpc = 0; gpc < 3; gpc++) {
			device.config->latency[gpc] = gpc;
		}
		assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_OK);
		const struct gg_tmd tmd = fake_pull_grid(4000, 0);

		fake_run(1, &tmd);
		assert_int_equal(open_queues(0), ticks == 1 ? 4 : 0);
		fake_pull_begin_all();
		expect_all(1, 4000);
	}
}

/* S0-R25: a queue is for those SMs that the grid may use and that are enabled when it is placed; without any there is none. */
static void whose_queue(void **state)
{
	(void)state;
	begin(3 * IN_GPC, 6, 0);
	struct gg_tmd tmd =
		fake_with_affinity(fake_pull_grid(4000, 0), 0x0ef); /* without SM 4, GPC 2 */

	enable(0xfdf); /* without SM 5 */
	fake_run(1, &tmd);
	assert_int_equal(open_queues(0), 2);
	assert_int_equal(pull_local(1, 0)->members, 2);
	assert_int_equal(pull_local(1, 0)->approved[0], 0xc0);
	assert_int_equal(pull_entry(0)->plan.groups, 2);
	assert_int_equal(pull_entry(0)->plan.sms, 6);
	fake_pull_begin_all();
	expect_all(1, 4000);
	enable(0xfff);
	tmd.affinity_lo = 0;
	fake_run(2, &tmd);
	assert_int_equal(open_queues(0), 6);
	assert_int_equal(pull_local(1, 0)->members, IN_GPC);
	assert_int_equal(pull_entry(0)->plan.sms, 12);
	fake_pull_begin_all();
	expect_all(2, 4000);
}

/* The same on a device whose GPCs have more than a word of SMs, and whose far ones lie behind the first word. */
static void many_sms(void **state)
{
	const uint32_t sms = 320; /* eight GPCs of 40 */

	(void)state;
	begin(sms, 1u << 1 | 1u << 7, 1000);
	const struct gg_tmd tmd = fake_pull_grid(40000, 0);

	fake_run(1, &tmd);
	assert_int_equal(open_queues(0), 1u << 1 | 1u << 7);
	for (uint32_t sm = 0; sm < sms; sm++) {
		assert_int_equal(bits_has(pull_local(1, 0)->approved, sm), sm / 40 == 1);
		assert_int_equal(bits_has(pull_local(7, 0)->approved, sm), sm / 40 == 7);
	}
	fake_pull_begin_all();
	assert_int_not_equal(pull_local(7, 0)->count[1], 0);
	expect_all(1, 40000);
}

/* What a queue has stays there while any SM of its GPC has streams, also one behind the first words. */
static void one_of_many_leaves(void **state)
{
	(void)state;
	begin(320, 1u << 7, 1000); /* GPC 7: SMs 280 to 319 */
	const struct gg_tmd tmd = fake_pull_grid(40000, 0);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	const uint32_t before = pull_local(7, 0)->word;

	assert_int_not_equal(before & 0xfffff, 0);
	for (uint32_t word = 0; word < 10; word++) {
		device.config->enabled[word] = word != 9 ? UINT32_MAX : UINT32_MAX >> 1;
	}
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	fake_pull_done(319, 32);
	assert_int_equal(fake_streams(319, 0), 0);
	assert_int_equal(pull_local(7, 0)->word, before);
	expect_all(1, 40000);
}

/* S0-R25: with as many SMs as there can be, those of the last word can be left out, too. */
static void the_last_sm_alone(void **state)
{
	(void)state;
	begin(CP_SMS, 0, 0);
	struct gg_tmd tmd = fake_pull_grid(1000, 0);
	const uint64_t mask = fake_alloc(CP_SM_WORDS * 4);

	((uint32_t *)fake_at(mask))[CP_SM_WORDS - 1] = 1u << 31;
	tmd.affinity_lo = gg_low(mask);
	fake_run(1, &tmd);
	assert_int_equal(pull_entry(0)->plan.sms, 1);
	assert_true(bits_has(pull_entry(0)->approved, CP_SMS - 1));
	fake_pull_begin_all();
	expect_all(1, 1000);
}

/* S4-R79: a portion is a chunk for each SM of the GPC, and the next one is fetched when so many per mille of it are left. */
static void when_the_next_portion_is_fetched(void **state)
{
	static const uint32_t per_mille[][2] = {
		{ 0, 0 }, { 24, 0 }, { 25, 1 }, { 500, 20 }, { 1000, 40 }
	};

	(void)state;
	for (uint32_t at = 0; at < 5; at++) {
		begin(2 * IN_GPC, 2, per_mille[at][0]);
		const struct gg_tmd tmd = fake_pull_grid(4000, 10);

		fake_run(1, &tmd);
		assert_int_equal(pull_local(1, 0)->threshold, per_mille[at][1]);
		fake_pull_begin_all();
		expect_all(1, 4000);
	}
}

/* S4-R58: less than a tick is a tick, because none would be any time. */
static void a_slow_clock(void **state)
{
	(void)state;
	begin(IN_GPC, 0, 0);
	device.cap->timebase_hz = 1000;
	device.config->chunk_us = 999;
	assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_OK);
	const struct gg_tmd tmd = fake_pull_grid(4000, 0);

	fake_run(1, &tmd);
	assert_int_equal(pull_entry(0)->plan.policy.target_ticks, 1);
	fake_pull_begin_all();
	expect_all(1, 4000);
}

/* Each queue needs two places for ranges. Without them its SMs take from the entry, as near ones do. */
static void no_places_for_queues(void **state)
{
	(void)state;
	for (uint32_t places = 0; places <= 6; places++) {
		begin(3 * IN_GPC, 7, 1000);
		const struct gg_tmd tmd = fake_pull_grid(4000, 0);
		const uint32_t others = range_free() - places;

		assert_true(range_reserve(others));
		fake_run(1, &tmd);
		assert_int_equal(open_queues(0), bits_ones(places / 2));
		range_unreserve(others);
		fake_pull_begin_all();
		assert_int_equal(open_queues(0), bits_ones(places / 2));
		expect_all(1, 4000);
	}
}

/* SMs of a far GPC end, and come back while the grid goes on: what their queue had is for whoever takes it, once. */
static void a_gpc_comes_back(void **state)
{
	(void)state;
	for (uint32_t low = 0; low <= 1000; low += 250) {
		begin(2 * IN_GPC, 2, low);
		const struct gg_tmd tmd = fake_pull_grid(4000, 0);

		fake_run(1, &tmd);
		fake_pull_begin_all();
		for (uint32_t round = 0; round < 4; round++) {
			fake_pull_done(4 + round, 32);
			enable(0x0f);
			for (uint32_t sm = 4; sm < 8; sm++) {
				fake_pull_done(sm, 32);
				assert_int_equal(fake_streams(sm, 0), 0);
			}
			assert_int_equal(pull_local(1, 0)->word & 0xfffff, 0);
			enable(0xff);
			fake_pull_begin_all();
			assert_int_equal(fake_streams(4, 0), 8);
		}
		expect_all(1, 4000);
	}
}

/* When nothing is left, the SMs of a far GPC end before the others, and keep no place for what their queue does not have. */
static void an_empty_queue_keeps_nothing(void **state)
{
	(void)state;
	begin(2 * IN_GPC, 2, 0);
	const struct gg_tmd tmd = fake_pull_grid(64 + 32, 12);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	for (uint32_t round = 0; round < 100; round++) {
		for (uint32_t sm = 4; sm < 8; sm++) {
			fake_pull_done(sm, 32);
		}
	}
	for (uint32_t sm = 0; sm < 8; sm++) {
		assert_int_equal(fake_streams(sm, 0), sm < 4 ? 8 : 0);
	}
	/* one for each near SM, and two for the queue */
	assert_int_equal(range_free(), CP_RANGES - 4 - 2);
	expect_all(1, 64 + 32);
}

/* A grid that is cancelled gets nothing from its queues either. */
static void a_queue_is_stopped(void **state)
{
	(void)state;
	begin(3 * IN_GPC, 7, 1000);
	const struct gg_tmd tmd = fake_pull_grid(4000, 0);
	const uint64_t address = fake_run(1, &tmd);

	fake_pull_begin_all();
	fake_name(2, GG_OPCODE_CANCEL, address);
	fake_expect(2, GG_OK);
	for (uint32_t gpc = 0; gpc < 3; gpc++) {
		assert_int_equal(pull_local(gpc, 0)->stopped, 1);
	}
	fake_pull_finish();
	fake_expect(1, GG_ERR_CANCELLED);
	fake_pull_expect_nothing_left();
}

/* S4-Q5: while an SM fetches a portion, the loss of an SM of that GPC fails the grid, and that of another one does not. */
static void lost_beside_one_that_fetches(void **state)
{
	(void)state;
	for (uint32_t sm = 0; sm < 3 * IN_GPC; sm++) {
		begin(3 * IN_GPC, 7, 0);
		const struct gg_tmd tmd = fake_pull_grid(4000, 0);

		fake_run(1, &tmd);
		fake_pull_begin_all();
		const uint32_t before = pull_local(2, 0)->state;

		pull_local(2, 0)->state = (uint32_t)LOCAL_FETCHING << 12 | 2;
		fake_pull_lose(sm);
		pull_local(2, 0)->state = before;
		if (sm / IN_GPC == 2) {
			fake_pull_finish();
			fake_expect(1, GG_ERR_SM_LOST);
			fake_pull_expect_nothing_left();
		} else {
			expect_all(1, 4000);
		}
	}
}

/* S0-R13: of a grid that is suspended, ranges alone are left. It goes on without queues, since nobody fetches. */
static void only_ranges_are_left(void **state)
{
	(void)state;
	begin(2 * IN_GPC, 2, 1000);
	const struct gg_tmd tmd = fake_pull_grid(800, 100);
	const uint64_t address = fake_run(1, &tmd);

	fake_pull_begin_all();
	assert_int_equal(pull_entry(0)->wir, 0);
	fake_name(2, GG_OPCODE_SUSPEND, address);
	fake_expect(2, GG_OK);
	fake_pull_finish();
	assert_int_equal(task_table_free(), CP_SLOTS);
	assert_int_equal(range_free() < CP_RANGES, 1);
	fake_name(3, GG_OPCODE_RESUME, address);
	fake_expect(3, GG_OK);
	assert_int_equal(open_queues(0), 0);
	assert_int_equal(pull_entry(0)->plan.groups, 1);
	expect_all(1, 800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_far),
		cmocka_unit_test(from_when_on),
		cmocka_unit_test(whose_queue),
		cmocka_unit_test(many_sms),
		cmocka_unit_test(the_last_sm_alone),
		cmocka_unit_test(one_of_many_leaves),
		cmocka_unit_test(when_the_next_portion_is_fetched),
		cmocka_unit_test(a_slow_clock),
		cmocka_unit_test(no_places_for_queues),
		cmocka_unit_test(a_gpc_comes_back),
		cmocka_unit_test(an_empty_queue_keeps_nothing),
		cmocka_unit_test(a_queue_is_stopped),
		cmocka_unit_test(lost_beside_one_that_fetches),
		cmocka_unit_test(only_ranges_are_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

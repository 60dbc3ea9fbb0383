/* SPDX-License-Identifier: Apache-2.0 */
/* SMs that stop with what they have, far GPCs, and the floor.
 * sources: room:collect device tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_place.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

/* S4-Q5: a CTA of another task on an SM that stops fails its task; others go on without the SM. */
static void a_plain_task_fails(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd tmd = fake_tmd(16), next = fake_tmd(8);

	fake_run(1, &tmd);
	fake_take_all();
	fake_pull_lose(1);
	fake_stop_all();
	fake_expect(1, GG_ERR_SM_LOST);
	fake_run(2, &next);
	assert_int_equal(fake_take_all(), 8);
	assert_int_equal(fake_on_sm(0), 8);
	fake_finish();
	fake_expect(2, GG_OK);
	assert_int_equal(device.perf->sms_lost, 1);
	fake_pull_expect_nothing_left();
}

/* S4-Q5, S4-R102: what a lost SM ran and had in hand is done once more: here 8 and 92. It stays off. */
static void items_are_issued_once_more(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd tmd = fake_pull_grid(1000, 100);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	fake_pull_lose(1);
	assert_int_equal(device.perf->pull_reissued, 100);
	device.config->enabled[0] = 3;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	fake_pull_finish();
	const struct gg_completion done = fake_expect(1, GG_OK);

	assert_int_equal(done.ctas_lo, 1000);
	fake_pull_expect_once(1000);
	fake_pull_expect_nothing_left();
}

/* S4-Q5, S4-R102: a stream takes items from the hand: one, or several that it runs one after the other. When it has just taken them
 * they are still there as well. Each counts once. */
static void items_that_a_stream_has_taken(void **state)
{
	static const struct {
		uint32_t follow; /* the item that the last stream runs */
		bool just;       /* taken, so they are still in hand */
	} cases[] = { { 0, true }, { 10, false }, { 10, true } };

	(void)state;
	for (uint32_t at = 0; at < sizeof(cases) / sizeof(*cases); at++) {
		fake_pull_init(2, true);
		const struct gg_tmd tmd = fake_pull_grid(1000, 100);
		const uint32_t just = cases[at].just, follow = cases[at].follow;

		fake_run(1, &tmd);
		fake_pull_begin_all();
		struct gg_hand *hand = (struct gg_hand *)(void *)device.pulls[1].hands;

		device.pulls[1].last[7] += follow;
		hand->first_lo -= just;
		hand->items += just;
		hand->left += just != 0 ? 1 : -follow;
		fake_pull_lose(1);
		assert_int_equal(device.perf->pull_reissued, 100);
		fake_pull_finish();
		fake_expect(1, GG_OK);
		fake_pull_expect_once(1000);
		fake_pull_expect_nothing_left();
	}
}

/* Not all that a lost SM had can be noted: there is a single place for it. Its items lie apart, or what it has in hand does: the
 * task fails. */
static void items_without_places(void **state)
{
	(void)state;
	for (uint32_t in_hand = 0; in_hand < 2; in_hand++) {
		fake_pull_init(2, true);
		const struct gg_tmd tmd = fake_pull_grid(1000, in_hand != 0 ? 100 : 8);

		fake_run(1, &tmd);
		fake_pull_begin_all();
		struct gg_hand *hand = (struct gg_hand *)(void *)device.pulls[1].hands;
		const uint32_t others = range_free();

		assert_int_equal(hand->left, in_hand != 0 ? 92 : 0);
		hand->first_lo += 10;
		for (uint32_t unit = 0; in_hand == 0 && unit < 8; unit++) {
			device.pulls[1].running[2 * unit] += 100 * unit;
			device.pulls[1].last[unit] += 100 * unit;
		}
		assert_true(range_reserve(others));
		fake_pull_lose(1);
		range_unreserve(others);
		fake_pull_finish();
		fake_expect(1, GG_ERR_SM_LOST);
		fake_pull_expect_nothing_left();
	}
}

/* A packet that the SM has not taken, with items. */
static void items_on_their_way_are_issued_once_more(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd tmd = fake_pull_grid(10, 0);

	fake_run(1, &tmd);
	fake_settle(1000);
	fake_pull_lose(1);
	assert_int_equal(device.perf->pull_reissued, 5);
	fake_pull_finish();
	fake_expect(1, GG_OK);
	fake_pull_expect_once(10);
	fake_pull_expect_nothing_left();
}

/* S4-Q5: a grid is cancelled while items of a lost SM are to be done once more: what was done and reported counts, no more. */
static void cancelled_after_a_loss(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd tmd = fake_pull_grid(1000, 100);
	const uint64_t address = fake_run(1, &tmd);

	fake_pull_begin_all();
	fake_pull_done(1, 32);
	fake_pull_lose(1);

	const uint64_t lost = fake_items;

	assert_int_equal(lost, 8);
	fake_pull_done(0, 32);
	fake_pull_done(0, 32);
	fake_name(2, GG_OPCODE_CANCEL, address);
	fake_expect(2, GG_OK);
	fake_pull_finish();
	assert_int_equal(fake_expect(1, GG_ERR_CANCELLED).ctas_lo, fake_items - lost);
	fake_pull_expect_nothing_left();
}

/* Items that are lost twice fail the task. */
static void lost_twice(void **state)
{
	(void)state;
	fake_pull_init(3, true);
	const struct gg_tmd tmd = fake_pull_grid(24, 0);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	fake_pull_lose(1);
	fake_pull_done(0, 32);
	fake_pull_begin_all();
	fake_pull_lose(0);
	fake_pull_finish();
	fake_expect(1, GG_ERR_SM_LOST);
	fake_pull_expect_nothing_left();
}

static void far_from(uint32_t gpc, uint32_t low)
{
	device.config->far_ticks = 10;
	device.config->local_low = low;
	device.config->latency[gpc] = 11;
	assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_OK);
}

/* S4-R62…R66, R71, R92: SMs of a far GPC share portions; the local queue is closed with its entry. */
static void a_far_gpc_has_a_local_queue(void **state)
{
	(void)state;
	fake_pull_init(8, true);
	far_from(1, 100);
	const struct gg_tmd tmd = fake_pull_grid(4000, 0);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	assert_int_equal(pull_local(1, 0)->members, 4);
	assert_true(pull_local(1, 0)->count[1] > 0);
	assert_int_equal(pull_local(0, 0)->state, 0);
	fake_pull_finish();
	fake_expect(1, GG_OK);
	fake_pull_expect_once(4000);
	assert_int_equal(pull_local(1, 0)->state, 0);
	fake_pull_expect_nothing_left();
}

/* S4-Q5: when its last SM is gone, what the local queue has is for others: the portion in use, and the next one. */
static void what_a_local_queue_has_is_not_lost(void **state)
{
	(void)state;
	for (uint32_t low = 0; low <= 1000; low += 500) {
		fake_pull_init(8, true);
		far_from(1, low);
		const struct gg_tmd tmd = fake_pull_grid(4000, 0);

		fake_run(1, &tmd);
		fake_pull_begin_all();
		device.config->enabled[0] = 0x0f; /* GPC 0 goes on alone */
		assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
		for (uint32_t sm = 4; sm < 8; sm++) {
			fake_pull_done(sm, 32);
		}
		assert_int_equal(pull_local(1, 0)->word & 0xfffff, 0);
		fake_pull_finish();
		fake_expect(1, GG_OK);
		fake_pull_expect_once(4000);
		fake_pull_expect_nothing_left();
	}
}

/* When what a local queue had uses up the places for ranges, it is closed at once: its SMs take from the global queue, and
 * the end of its task takes no place out of the reserve for it. */
static void a_local_queue_without_places(void **state)
{
	(void)state;
	fake_pull_init(8, true);
	far_from(1, 1000);
	const struct gg_tmd tmd = fake_pull_grid(4000, 0);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	const uint32_t pulling = pull_slot(0)->pulling[0];
	const uint32_t others = range_free();

	assert_true(range_reserve(others));
	pull_slot(0)->pulling[0] &= 0x0f; /* as if none of its SMs had streams any more */
	pull_place_gone(task_table_holder(0), 7);
	pull_slot(0)->pulling[0] = pulling;
	assert_int_equal(pull_local(1, 0)->state, 0);
	assert_int_equal(pull_slot(0)->far, 0);
	range_unreserve(others);
	fake_pull_finish();
	fake_expect(1, GG_OK);
	fake_pull_expect_once(4000);
	fake_pull_expect_nothing_left();
}

/* What an SM was about to fetch when it stopped is unknown. */
static void lost_while_it_fetched(void **state)
{
	(void)state;
	fake_pull_init(8, true);
	far_from(1, 0);
	const struct gg_tmd tmd = fake_pull_grid(4000, 0);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	pull_local(1, 0)->state = LOCAL_FETCHING << 12 | 2;
	fake_pull_lose(4);
	fake_pull_finish();
	fake_expect(1, GG_ERR_SM_LOST);
	fake_pull_expect_nothing_left();
}

/* S0-R20: CTAs of PULL grids count for the floor: a lower priority has its share, in either order. */
static void the_floor_holds(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	fake_floor(200);
	const struct gg_tmd upper = fake_with_priority(fake_pull_grid(4000, 0), 2);
	const struct gg_tmd lower = fake_with_priority(fake_pull_grid(4000, 0), 8);

	fake_run(1, &upper);
	fake_pull_begin_all();
	fake_run(2, &lower);
	for (uint32_t turn = 0; turn < 200; turn++) {
		fake_take_all();
		for (uint32_t sm = 0; sm < 2; sm++) {
			fake_pull_begin(sm);
			fake_pull_done(sm, 32);
		}
	}
	const uint64_t low = gg_join(device.slots[1].left_lo, device.slots[1].left_hi);

	assert_in_range(fake_items, 1000, 4000);
	assert_in_range(4000 - low, fake_items * 15 / 100, fake_items * 25 / 100);
	fake_pull_finish();
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
	fake_pull_expect_nothing_left();
}

/* Streams end when their SM is switched off, and when the throttle mode is to be switched (S0-R22). */
static void sms_are_given_up(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	struct gg_tmd throttle = fake_with_priority(fake_tmd(1), 1);
	const struct gg_tmd tmd = fake_pull_grid(4000, 0);

	throttle.header |= GG_TMD_THROTTLE;
	fake_run(1, &tmd);
	fake_pull_begin_all();
	device.config->enabled[0] = 1;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	fake_pull_done(1, 32);
	assert_int_equal(fake_streams(1, 0), 0);
	assert_true(pull_is_recalled(0, 1));
	fake_run(2, &throttle);
	fake_pull_done(0, 32);
	assert_int_equal(sm_state_resident(), 1);
	fake_pull_finish();
	fake_expect(2, GG_OK);
	fake_expect(1, GG_OK);
	fake_pull_expect_once(4000);
	fake_pull_expect_nothing_left();
}

/* For a task of a higher priority as many SMs are taken back from a PULL grid as it needs; for one of a lower
 * priority none is. */
static void a_task_takes_its_room(void **state)
{
	(void)state;
	for (uint32_t ctas = 1; ctas <= 17; ctas += 8) {
		uint32_t recalled = 0;

		fake_pull_init(4, true);
		const struct gg_tmd pulled = fake_with_priority(fake_pull_grid(4000, 0), 5);
		const struct gg_tmd low = fake_with_priority(fake_tmd(32), 9);
		const struct gg_tmd high = fake_with_priority(fake_tmd(ctas), 2);

		fake_run(1, &pulled);
		fake_pull_begin_all();
		fake_run(2, &low);
		for (uint32_t sm = 0; sm < 4; sm++) {
			assert_false(pull_is_recalled(0, sm));
		}
		fake_run(3, &high);
		for (uint32_t sm = 0; sm < 4; sm++) {
			recalled += pull_is_recalled(0, sm) ? 1 : 0;
		}
		assert_int_equal(recalled, ctas / 8 + 1);
		assert_true(pull_is_recalled(0, 0));
		fake_pull_finish();
		fake_finish();
		fake_pull_finish();
		fake_pull_expect_once(4000);
	}
}

/* The target time of a chunk, in ticks; without one any time will do. */
static void the_time_of_a_chunk(void **state)
{
	static const uint32_t ticks[][2] = {
		{ 0, 0 }, { 1, FAKE_US }, { 50, 50 * FAKE_US }, { UINT32_MAX, UINT32_MAX - 1 }
	};

	(void)state;
	for (uint32_t index = 0; index < 4; index++) {
		fake_pull_init(1, true);
		device.config->chunk_us = ticks[index][0];
		assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_OK);
		const struct gg_tmd tmd = fake_pull_grid(4000, 0);

		fake_run(1, &tmd);
		fake_pull_begin_all();
		assert_int_equal(pull_entry(0)->plan.policy.target_ticks, ticks[index][1]);
		fake_pull_finish();
		fake_expect(1, GG_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_task_fails),
		cmocka_unit_test(items_are_issued_once_more),
		cmocka_unit_test(items_that_a_stream_has_taken),
		cmocka_unit_test(items_without_places),
		cmocka_unit_test(items_on_their_way_are_issued_once_more),
		cmocka_unit_test(cancelled_after_a_loss),
		cmocka_unit_test(lost_twice),
		cmocka_unit_test(a_far_gpc_has_a_local_queue),
		cmocka_unit_test(what_a_local_queue_has_is_not_lost),
		cmocka_unit_test(a_local_queue_without_places),
		cmocka_unit_test(lost_while_it_fetched),
		cmocka_unit_test(the_floor_holds),
		cmocka_unit_test(sms_are_given_up),
		cmocka_unit_test(a_task_takes_its_room),
		cmocka_unit_test(the_time_of_a_chunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

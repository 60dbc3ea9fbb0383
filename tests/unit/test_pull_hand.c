/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM of a PULL grid has when it is lost, word by word: its packets, what its streams run, and its hand.
 * sources: room:collect room:finish device tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

/* What the hand of slot 0 says. */
static void set_hand(uint32_t sm, uint32_t id, uint32_t first, uint32_t items, uint32_t left)
{
	struct gg_hand *hand = (struct gg_hand *)(void *)device.pulls[sm].hands;

	hand->id = id;
	hand->first_lo = first;
	hand->first_hi = 0;
	hand->items = items;
	hand->left = left;
}

static uint32_t id_of(uint32_t sm)
{
	return ((const struct gg_hand *)(const void *)device.pulls[sm].hands)->id;
}

/* S4-Q5: of the packets that a lost SM has not read, each grid gets its own items back, and they count for it alone. */
static void packets_of_two_grids(void **state)
{
	struct gg_completion done;

	(void)state;
	fake_pull_init(2, true);
	fake_by_tag = true;
	const struct gg_tmd one = fake_pull_grid(6, 0), other = fake_pull_grid(4, 0);

	fake_run(1, &one);
	fake_run(2, &other);
	fake_settle(1000);
	fake_pull_lose(1);
	assert_int_equal(device.perf->pull_reissued, 3 + 2);
	fake_pull_finish();
	for (uint32_t count = 0; count < 2; count++) {
		assert_true(fake_completion(&done));
		assert_int_equal(done.status, GG_OK);
		assert_int_equal(done.ctas_lo, done.tag == 1 ? 6 : 4);
		assert_int_equal(done.retried, done.tag == 1 ? 3 : 2);
	}
	fake_pull_expect_tag(1, 6);
	fake_pull_expect_tag(2, 4);
	fake_pull_expect_nothing_left();
}

/* S4-Q5: streams that begin take their items from a hand in which there are more: the one that the last of them has just begun
 * may be in the hand still, alone or not, or the hand may be empty. */
static void what_is_left_in_hand(void **state)
{
	static const uint32_t chunks[] = { 8, 9, 10, 20 };

	(void)state;
	for (uint32_t at = 0; at < 4; at++) {
		for (uint32_t begun = 0; begun <= 1; begun++) {
			const uint32_t chunk = chunks[at];

			fake_pull_init(2, true);
			const struct gg_tmd tmd = fake_pull_grid(1000, chunk);

			fake_run(1, &tmd);
			fake_pull_begin_all();
			set_hand(1, id_of(1), chunk, chunk, chunk - 8 + begun);
			fake_pull_lose(1);
			assert_int_equal(device.perf->pull_reissued, chunk);
			fake_pull_finish();
			assert_int_equal(fake_expect(1, GG_OK).retried, chunk);
			fake_pull_expect_once(1000);
			fake_pull_expect_nothing_left();
		}
	}
}

/* S4-Q5: a hand that has another task's name says nothing of this one; nor does any hand while the SM has not read the packets. */
static void a_hand_of_before(void **state)
{
	(void)state;
	for (uint32_t taken = 0; taken <= 2; taken++) {
		fake_pull_init(2, true);
		const struct gg_tmd tmd = fake_pull_grid(10, 0);

		fake_run(1, &tmd);
		if (taken != 0) {
			fake_pull_begin_all();
			set_hand(1, id_of(1) + (1u << 16), taken == 1 ? 5 : 50, 3, 3);
		} else {
			set_hand(1, task_table_name(task_table_holder(0)), 0, 3, 3);
		}
		fake_pull_lose(1);
		assert_int_equal(device.perf->pull_reissued, 5);
		fake_pull_finish();
		fake_expect(1, GG_OK);
		fake_pull_expect_once(10);
		fake_pull_expect_nothing_left();
	}
}

/* S4-Q5: streams that have ended and are not reported yet have no item, and what they have done counts. */
static void streams_that_have_ended(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd tmd = fake_pull_grid(24, 12);

	fake_run(1, &tmd);
	fake_pull_begin_all();
	fake_pull_done(1, 6); /* four go on with what is in hand */
	assert_int_equal(fake_streams(1, 0), 6);
	fake_pull_lose(1);
	assert_int_equal(device.perf->pull_reissued, 6);
	fake_pull_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 24);
	fake_pull_expect_once(24);
	fake_pull_expect_nothing_left();
}

/* S4-Q5: when there are more pieces than places for them, the grid fails, and all places are free afterwards. */
static void no_place_for_the_pieces(void **state)
{
	(void)state;
	for (uint32_t places = 0; places <= 3; places++) {
		fake_pull_init(2, true);
		const struct gg_tmd tmd = fake_pull_grid(1000, 100);

		fake_run(1, &tmd);
		fake_pull_begin_all();
		fake_pull_done(1, 1); /* unit 0 has item 108 now, the others 101 to 107 */
		/* the hand is two behind, and what is between has been done */
		set_hand(1, id_of(1), 110, 90, 90);
		fake_marks[109] = 1;
		const uint32_t others = range_free() - places;

		assert_true(range_reserve(others));
		fake_pull_lose(1);
		range_unreserve(others);
		fake_pull_finish();
		/* one place was in reserve for the SM: it takes 108; 101 to 107 and the hand need others */
		if (places < 2) {
			fake_expect(1, GG_ERR_SM_LOST);
		} else {
			fake_expect(1, GG_OK);
			fake_pull_expect_once(1000);
		}
		fake_pull_expect_nothing_left();
	}
}

/* A grid that has failed gets nothing back, and ends with the status that it had. */
static void of_a_grid_that_was_cancelled(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	const struct gg_tmd tmd = fake_pull_grid(1000, 100);
	const uint64_t address = fake_run(1, &tmd);

	fake_pull_begin_all();
	fake_name(2, GG_OPCODE_CANCEL, address);
	fake_expect(2, GG_OK);
	fake_pull_lose(1);
	assert_int_equal(device.perf->pull_reissued, 0);
	fake_pull_finish();
	assert_int_equal(fake_expect(1, GG_ERR_CANCELLED).retried, 0);
	fake_pull_expect_nothing_left();
}

/* S4-Q5: SMs that the host stops one after the other, each with the items that the last one had. The first loss is free; with
 * a limit they run again as often as it says. */
static void lost_again_and_again(void **state)
{
	(void)state;
	for (uint32_t limit = 0; limit <= 4; limit++) {
		const uint32_t most = limit == 0 ? 1 : limit;

		for (uint32_t losses = 1; losses <= most + 1; losses++) {
			fake_pull_init(7, true);
			struct gg_tmd tmd = fake_pull_grid(56, 0);

			tmd.retry_limit = limit;
			fake_run(1, &tmd);
			fake_pull_begin_all();
			for (uint32_t sm = 0; sm < losses; sm++) {
				sm_state_stop(sm, SM_SERVICE_GIVEN);
				fake_pull_lose(sm);
				fake_pull_done(sm + 1, 32);
				fake_pull_begin_all();
			}
			fake_pull_finish();
			if (losses <= most) {
				assert_int_equal(fake_expect(1, GG_OK).retried, 8 * losses);
				fake_pull_expect_once(56);
			} else {
				fake_expect(1, GG_ERR_SM_LOST);
			}
			fake_pull_expect_nothing_left();
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_of_two_grids),
		cmocka_unit_test(what_is_left_in_hand),
		cmocka_unit_test(a_hand_of_before),
		cmocka_unit_test(streams_that_have_ended),
		cmocka_unit_test(no_place_for_the_pieces),
		cmocka_unit_test(of_a_grid_that_was_cancelled),
		cmocka_unit_test(lost_again_and_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

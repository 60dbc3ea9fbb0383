/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM has in hand of a PULL grid: chunks, local queues, and what is left when it is lost.
 * sources: firmware/sm/pull/pull.c firmware/sm/pull/hand.c firmware/sm/pull/run.c firmware/sm/position.c firmware/sm/report.c firmware/sm/wave.c firmware/sm/cga/absent.c firmware/sm/units.c
 *          firmware/sm/bell.c firmware/sm/schedule.c
 *          firmware/pull/chunk.c firmware/pull/work_queue.c firmware/pull/local_queue.c
 *          tests/unit/fake_streams.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_streams.h"

/* S4-R38: what a chunk took; S4-R58: and so how large the next is. */
static void history(void **state)
{
	(void)state;
	streams_init(STREAMS_SMS);
	streams_place(0, 40, 10);
	streams_send(0, 1, 0, 0, true);
	for (uint32_t item = 0; streams_begin(0, 0); item++) {
		assert_int_equal(streams_hand(0)->first_lo, item / 10 * 10);
		assert_int_equal(streams_hand(0)->left, 9 - item % 10);
		streams.clock += 7;
		streams_end(0, 0, GG_OK);
	}
	assert_int_equal(streams_hand(0)->id, STREAMS_NAME);
	assert_int_equal(streams_hand(0)->history.chunks, 4);
	assert_int_equal(streams_hand(0)->history.last_granules, 10);
	assert_int_equal(streams_hand(0)->history.last_ticks, 71); /* one of them to take it */
	assert_int_equal(streams_hand(0)->history.ticks_per_granule / 256, 7);
}

/* S4-R62, S4-R66, S4-R71, S4-R76, S4-R79: far SMs take from the local queue, and only the SM that fetches pays for
 * the way; an SM that finds another one fetching asks a bounded number of times, then goes to the entry. */
static void far_streams(void **state)
{
	uint32_t chunks = 0, portions = 0;

	(void)state;
	streams_init(4);
	streams_place(0, 4000, 5);
	for (uint32_t sm = 0; sm < STREAMS_SMS; sm++) {
		streams_send(sm, 1, 0, 0, true);
	}
	for (uint32_t live = STREAMS_SMS; live != 0;) {
		live = 0;
		for (uint32_t sm = 0; sm < STREAMS_SMS; sm++) {
			if (streams.sm[sm].ctas[0].state != SM_CTA_FREE && streams_begin(sm, 0)) {
				streams_end(sm, 0, GG_OK);
				live++;
			}
		}
	}
	streams_expect_runs(0, 4000);
	for (uint32_t sm = 4; sm < STREAMS_SMS; sm++) {
		chunks += streams_hand(sm)->history.chunks;
		portions += streams_hand(sm)->portions;
	}
	assert_int_equal(streams_hand(0)->portions, 0);
	assert_true(portions > 0 && chunks > 3 * portions);

	streams_init(0);
	streams_place(0, 10, 5);
	streams_local()->state = LOCAL_FETCHING << 12 | 1; /* by another one, forever */
	streams_send(0, 1, 0, 0, true);
	streams.clock = 0;
	assert_true(streams_begin(0, 0));
	assert_true(streams.clock >= 100); /* the way to the entry */
	streams_end(0, 0, GG_OK);
	assert_int_equal(streams_run(0), 9);
	streams_expect_runs(0, 10);
}

/* The block says at each moment what is not completed. */
static void what_a_lost_sm_had(void **state)
{
	uint64_t left[STREAMS_ITEMS];

	(void)state;
	streams_init(STREAMS_SMS);
	streams_place(0xffffffff0, 32, 0);
	streams_entry()->plan.policy = (struct chunk_policy){ .fixed = 32, .most = 32, .least = 1 };
	streams_send(0, 3, 0, 0, true);
	assert_int_equal(streams_uncompleted(0, 3, left), 0);
	for (uint32_t done = 0; done < 31; done++) {
		assert_true(streams_begin(0, done % 2));
		assert_int_equal(streams_uncompleted(0, 3, left), 32 - done);
		assert_int_equal(left[0], 0xffffffff0 + done);
		streams_end(0, done % 2, GG_OK);
		assert_int_equal(streams_uncompleted(0, 3, left), 31 - done);
		assert_int_equal(left[30 - done], 0xffffffff0 + 31);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(history),
		cmocka_unit_test(far_streams),
		cmocka_unit_test(what_a_lost_sm_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Queue tasks: the ring, coalescing and its time-out.
 * sources: room:accept device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static struct gg_tmd with_time_out(struct gg_tmd tmd, uint32_t us)
{
	tmd.coalesce_us = us;
	return tmd;
}

/* The clock goes on, and the CP looks at it. */
static void pass(uint32_t us)
{
	fake_hal.now += us * FAKE_US;
	fake_settle(100);
}

static void close_queue(uint64_t queue)
{
	fake_name(900, GG_OPCODE_CLOSE, queue);
	fake_expect(900, GG_OK);
}

/* S0-R05, S0-R06, S0-C3: a CTA starts for every N items, not for fewer; each has its position. */
static void n_items_start_a_cta(void **state)
{
	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_queue(64, 4);
	const uint64_t queue = fake_run(1, &tmd);

	assert_int_equal(fake_push(queue, 3), GG_OK);
	assert_int_equal(fake_take_all(), 0);
	assert_int_equal(fake_push(queue, 1), GG_OK);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_push(queue, 11), GG_OK);
	assert_int_equal(fake_take_all(), 3);
	for (uint32_t cta = 0; cta < 3; cta++) {
		assert_int_equal(fake_ctas[cta].items, 4);
		assert_int_equal(fake_ctas[cta].first, 4 * fake_ctas[cta].cta);
	}
	close_queue(queue);
	assert_int_equal(fake_take_all(), 4);
	assert_int_equal(fake_ctas[3].items, 3);
	assert_int_equal(fake_ctas[3].first, 12);
	fake_end_all();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 4);
}

/* S0-R06: `minimum` items start a CTA at once, with what is there. */
static void a_minimum_starts_a_cta(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_queue(64, 8);

	tmd.queue_items |= gg_put(GG_TMD_QUEUE_MINIMUM, 3);
	const uint64_t queue = fake_run(1, &tmd);

	assert_int_equal(fake_push(queue, 2), GG_OK);
	assert_int_equal(fake_take_all(), 0);
	assert_int_equal(fake_push(queue, 1), GG_OK);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_ctas[0].items, 3);
	assert_int_equal(fake_push(queue, 13), GG_OK);
	assert_int_equal(fake_take_all(), 3);
	assert_int_equal(fake_ctas[1].items, 8);
	assert_int_equal(fake_ctas[2].items, 5);
	assert_int_equal(fake_ctas[2].first, 11);
}

/* S0-R06, S0-C4: when the time-out passes a CTA starts with the M items that are there, once. */
static void the_time_out_starts_a_cta(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = with_time_out(fake_queue(64, 4), 100);
	const uint64_t queue = fake_run(1, &tmd);

	pass(1000); /* nothing waits: nothing runs */
	assert_int_equal(fake_push(queue, 1), GG_OK);
	pass(60);
	assert_int_equal(fake_push(queue, 2), GG_OK); /* does not begin anew */
	assert_int_equal(fake_take_all(), 0);
	pass(30);
	assert_int_equal(fake_take_all(), 0);
	pass(20);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_ctas[0].items, 3);
	assert_int_equal(fake_push(queue, 1), GG_OK);
	pass(50);
	assert_int_equal(fake_take_all(), 1);
	pass(60);
	assert_int_equal(fake_take_all(), 2);
	assert_int_equal(fake_ctas[1].first, 3);
}

/* S0-R06: items that wait behind a full CTA have a time-out of their own, and it ends. */
static void the_time_out_is_that_of_the_rest(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd full = fake_tmd(9);
	const struct gg_tmd tmd = with_time_out(fake_with_priority(fake_queue(64, 4), 9), 100);

	fake_run(1, &full);
	fake_take_all();

	const uint64_t queue = fake_run(2, &tmd);

	assert_int_equal(fake_push(queue, 1), GG_OK);
	pass(90);
	assert_int_equal(fake_push(queue, 4), GG_OK); /* no SM has room for the four */
	pass(20);
	fake_end_all();
	assert_int_equal(fake_take_all(), 2);
	assert_int_equal(fake_count(2), 1); /* the fifth item has waited for 20 us only */
	pass(120);
	fake_take_all();
	assert_int_equal(fake_count(2), 2);
}

/* S0-R06: time-out 0: at once; many queues' time-outs end in their order. */
static void no_time_and_many_times(void **state)
{
	uint64_t queues[8];

	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = with_time_out(fake_queue(64, 4), 0);
	const uint64_t queue = fake_run(99, &tmd);

	assert_int_equal(fake_push(queue, 1), GG_OK);
	assert_int_equal(fake_take_all(), 1);
	fake_end_all();
	for (uint32_t tag = 0; tag < 8; tag++) {
		tmd = with_time_out(fake_queue(64, 4), 100 * (1 + tag * 3 % 8));
		queues[tag] = fake_run(tag, &tmd);
		assert_int_equal(fake_push(queues[tag], 1), GG_OK);
	}
	fake_name(50, GG_OPCODE_CANCEL, queues[3]); /* from the middle of the list */
	fake_expect(50, GG_OK);
	fake_expect(3, GG_ERR_CANCELLED);
	for (uint32_t turn = 0; turn < 8; turn++) {
		const uint32_t tag = turn * 3 % 8; /* 3 is its own inverse */

		pass(100);
		assert_int_equal(fake_take_all(), tag == 3 ? 0 : 1);
		assert_true(tag == 3 || fake_tag(0) == tag);
		fake_end_all();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(n_items_start_a_cta),
		cmocka_unit_test(a_minimum_starts_a_cta),
		cmocka_unit_test(the_time_out_starts_a_cta),
		cmocka_unit_test(the_time_out_is_that_of_the_rest),
		cmocka_unit_test(no_time_and_many_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

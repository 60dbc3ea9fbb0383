/* SPDX-License-Identifier: Apache-2.0 */
/* The floor and a task's own rules: a CTA that is due is issued only if they let it.
 * sources: room:accept device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/queue.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define HIGH 1u
#define LOW  2u

/* Half of the CTAs are for lower priorities; a task of the best has more CTAs than the SMs take. */
static void begin(uint32_t sms)
{
	const struct gg_tmd high = fake_with_priority(fake_tmd(100000), 1);

	fake_device_init(sms);
	fake_floor(500);
	fake_run(HIGH, &high);
	fake_take_all();
}

static struct gg_tmd low_queue(uint32_t flags)
{
	struct gg_tmd tmd = fake_with_priority(fake_queue(256, 1), 9);

	tmd.header |= flags;
	return tmd;
}

/* S0-R23, S0-C10: a sequential queue task that gets items while its CTA runs. */
static void sequential(void **state)
{
	struct gg_tmd tmd;
	uint64_t queue;

	(void)state;
	begin(1);
	tmd = low_queue(GG_TMD_SEQUENTIAL);
	queue = fake_run(LOW, &tmd);
	assert_int_equal(fake_push(queue, 1), GG_OK);
	for (uint32_t round = 0; round < 10; round++) {
		while (fake_count(LOW) == 0) {
			fake_end_tag(HIGH, GG_OK);
			fake_take_all();
		}
		assert_int_equal(fake_push(queue, 1), GG_OK); /* it had none left */
		for (uint32_t ends = 0; ends < 20; ends++) {
			fake_end_tag(HIGH, GG_OK);
			fake_take_all();
			assert_int_equal(fake_count(LOW), 1);
		}
		fake_end_tag(LOW, GG_OK);
		fake_take_all();
		assert_true(fake_count(LOW) <= 1);
	}
}

/* S0-R05: no CTA is due to a queue whose window is full. */
static void full_window(void **state)
{
	struct gg_tmd tmd;
	uint64_t queue;

	(void)state;
	begin(32);
	tmd = low_queue(0);
	queue = fake_run(LOW, &tmd);
	assert_int_equal(fake_push(queue, QUEUE_WINDOW), GG_OK);
	for (uint32_t left = QUEUE_WINDOW; left > 0;) {
		const uint32_t before = fake_count(LOW);

		fake_end_tag(HIGH, GG_OK);
		fake_take_all();
		left -= fake_count(LOW) - before;
	}
	assert_int_equal(fake_push(queue, 10), GG_OK);
	for (uint32_t round = 0; round < 50; round++) {
		fake_end_tag(HIGH, GG_OK);
		fake_take_all();
		assert_int_equal(fake_count(LOW), QUEUE_WINDOW);
	}
}

static uint32_t issued_of(uint32_t tag)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		if (device.slots[slot].state != GG_SLOT_STATE_FREE &&
		    device.slots[slot].tag == tag) {
			return device.slots[slot].next_lo;
		}
	}
	fail();
	return 0;
}

/* S0-R24, S0-C12: two queue tasks of quota 1 take turns, also when both had used it up with their last
 * item. */
static void quota(void **state)
{
	struct gg_tmd tmd;
	uint64_t queues[2];

	(void)state;
	begin(4);
	for (uint32_t which = 0; which < 2; which++) {
		tmd = low_queue(GG_TMD_QUOTA_ENABLE);
		tmd.quota = 1;
		queues[which] = fake_run(LOW + which, &tmd);
		assert_int_equal(fake_push(queues[which], 1), GG_OK);
	}
	while (fake_count(LOW) + fake_count(LOW + 1) < 2) {
		fake_end_tag(HIGH, GG_OK);
		fake_take_all();
	}
	assert_int_equal(fake_push(queues[0], 100), GG_OK);
	assert_int_equal(fake_push(queues[1], 100), GG_OK);
	for (uint32_t round = 0; round < 20; round++) {
		fake_end_tag(HIGH, GG_OK);
		fake_take_all();
		assert_in_range(issued_of(LOW) + 1 - issued_of(LOW + 1), 0, 2);
	}
	assert_true(issued_of(LOW) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequential),
		cmocka_unit_test(full_window),
		cmocka_unit_test(quota),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

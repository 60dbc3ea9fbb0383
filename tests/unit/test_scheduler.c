/* SPDX-License-Identifier: Apache-2.0 */
/* The whole scheduler, from the mailbox to the completion, with SMs that the test plays.
 * sources: scheduler tests/unit/fake_run.c */
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

/* S0-R27, S0-R30, S0-C2: packets leave with the assignment, and name what the SM acknowledges before it takes them. A
 * task that the SM has already needs no other assignment. */
static void packets_leave_with_the_assignment(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(9);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(device.sms[0].state_sync, GG_SYNC_STATE_WAIT_ACK);
	assert_int_equal(device.sms[0].cta_launch, 0);
	assert_int_equal(device.launch[0].header.launch_put, 1);
	assert_int_equal(device.launch[0].packets[0].assign, device.sms[0].task_assign);
	assert_int_equal(fake_take_packets(0), 8);
	fake_end(0, GG_OK);
	fake_settle(10);
	assert_int_equal(device.sms[0].state_sync, GG_SYNC_STATE_ACKED);
	assert_int_equal(device.sms[0].cta_launch, 1);
	assert_int_equal(device.launch[0].header.launch_put, 2);
	assert_int_equal(device.launch[0].packets[1].assign, device.sms[0].task_assign);
	assert_int_equal(device.perf->assignments, 1);
	fake_take_packets(0);
	fake_end_all();
	fake_expect(1, GG_OK);
}

/* The news of an SM is heard however often it has rung since. */
static void bells_that_ring_often(void **state)
{
	(void)state;
	for (uint32_t rings = 1; rings < 256; rings++) {
		for (uint32_t sm = 0; sm < 8; sm += 7) {
			fake_device_init(8);

			const struct gg_tmd tmd = fake_tmd(8);

			fake_submit(0, 1, &tmd);
			fake_settle(10);
			assert_int_equal(fake_take_all(), 8);
			while (fake_ctas[0].sm != sm) {
				fake_end(0, GG_OK);
				fake_settle(10);
			}
			for (uint32_t ring = 1; ring < rings; ring++) {
				fake_bell(sm);
			}
			fake_end(0, GG_OK);
			fake_settle(10);
			assert_int_equal(device.launch[sm].header.report_get, 1);
		}
	}
}

/* S0-R31, S0-R34, S0-C1: CTAs spread over the SMs, the fullest last; one packet an SM. */
static void a_grid_is_balanced(void **state)
{
	(void)state;
	fake_device_init(4);

	const struct gg_tmd tmd = fake_tmd(10);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 10);
	assert_int_equal(fake_on_sm(0), 3);
	assert_int_equal(fake_on_sm(1), 3);
	assert_int_equal(fake_on_sm(2), 2);
	assert_int_equal(fake_on_sm(3), 2);
	assert_int_equal(device.perf->packets, 4);
	fake_end_all();
	fake_expect(1, GG_OK);
}

/* S0-R32: round robin issues to the next SM in turn, across tasks. */
static void round_robin_takes_turns(void **state)
{
	(void)state;
	fake_device_init(4);

	const struct gg_tmd tmd = fake_with_mode(fake_tmd(3), GG_TASK_MODE_ROUND_ROBIN);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 3);
	assert_int_equal(fake_on_sm(3), 0);
	fake_submit(0, 2, &tmd);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 6);
	assert_int_equal(fake_on_sm(3), 1);
	assert_int_equal(fake_on_sm(0), 2);
	fake_end_all();
}

/* S1-R42, S0-R35, S0-R21, S0-C8: an SM is never over-committed; the rest is issued as CTAs end. */
static void never_over_committed(void **state)
{
	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_tmd(100);
	uint32_t ended = 0;

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	while (fake_take_all() > 0) {
		assert_true(fake_on_sm(0) <= 8 && fake_on_sm(1) <= 8);
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		fake_settle(10);
		ended++;
	}
	assert_int_equal(ended, 100);
	fake_expect(1, GG_OK);
}

/* S0-R10, S0-R26, S0-C6: by priority, then by age; a head insertion goes first. */
static void priority_then_age(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd full = fake_tmd(8);
	struct gg_tmd one = fake_tmd(1);

	fake_submit(0, 1, &full);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 8);
	one = fake_with_priority(one, 7);
	fake_submit(0, 10, &one);
	fake_submit(0, 11, &one);
	one = fake_with_priority(one, 2);
	fake_submit(0, 12, &one);
	fake_settle(10);
	for (uint32_t tag = 0; tag < 3; tag++) {
		static const uint32_t order[] = { 12, 10, 11 };

		for (uint32_t index = 0; index < fake_cta_count; index++) {
			if (device.slots[fake_ctas[index].slot].tag == 1) {
				fake_end(index, GG_OK);
				break;
			}
		}
		fake_settle(10);
		fake_take_all();
		assert_int_equal(device.slots[fake_ctas[fake_cta_count - 1].slot].tag, order[tag]);
	}
	fake_end_all();
}

/* S0-R41: resources are the minimum over slots, warps and units; big CTAs limit residency. */
static void resources_limit_residency(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_tmd(100);

	tmd.shared_bytes = 20 * 1024; /* 10 of 32 units */
	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 3);
	fake_device_init(1);
	tmd = fake_tmd(100);
	tmd.block_xy = 1024 | 1u << 16;
	fake_submit(0, 1, &tmd); /* 32 of 64 warps */
	fake_settle(10);
	assert_int_equal(fake_take_all(), 2);
	fake_device_init(1);
	tmd.header |= GG_TMD_BARRIER; /* 1 MiB of 2 MiB private memory */
	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_leave_with_the_assignment),
		cmocka_unit_test(bells_that_ring_often),
		cmocka_unit_test(a_grid_is_balanced),
		cmocka_unit_test(round_robin_takes_turns),
		cmocka_unit_test(never_over_committed),
		cmocka_unit_test(priority_then_age),
		cmocka_unit_test(resources_limit_residency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The whole scheduler, from the mailbox to the completion, with SMs that the test plays.
 * sources: tests/unit/fake_device.c firmware/cp/availability.c firmware/cp/channel.c
 *  firmware/cp/completion.c firmware/cp/config.c firmware/cp/host_interface.c
 *  firmware/cp/launch.c firmware/cp/layout.c firmware/cp/policy.c firmware/cp/policy_balance.c
 *  firmware/cp/policy_round_robin.c firmware/cp/sm_class.c firmware/cp/sm_state.c
 *  firmware/cp/task.c firmware/cp/task_management.c firmware/cp/tmd.c firmware/cp/trace.c
 *  firmware/cp/work_distribution.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/bits.h"
#include "tests/unit/fake_device.h"

static struct gg_tmd with_priority(struct gg_tmd tmd, uint32_t priority)
{
	tmd.header &= ~GG_TMD_PRIORITY;
	tmd.header |= gg_put(GG_TMD_PRIORITY, priority);
	return tmd;
}

static struct gg_tmd with_mode(struct gg_tmd tmd, enum gg_task_mode mode)
{
	tmd.header &= ~GG_TMD_MODE;
	tmd.header |= gg_put(GG_TMD_MODE, mode);
	return tmd;
}

static uint32_t take_all(void)
{
	fake_acknowledge_all();
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		fake_take_packets(sm);
	}
	return fake_cta_count;
}

static void end_all(void)
{
	while (fake_cta_count > 0) {
		fake_end(0, GG_OK);
		fake_settle(100);
	}
}

static uint32_t on_sm(uint32_t sm)
{
	uint32_t count = 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		count += fake_ctas[index].sm == sm;
	}
	return count;
}

static uint32_t finish_task(uint32_t tag)
{
	struct gg_completion done;

	assert_true(fake_completion(&done));
	assert_int_equal(done.tag, tag);
	return done.status;
}

/* S0-R27, S0-R30, S0-C2: nothing is launched before the SM has acknowledged the task's state. */
static void no_launch_before_the_acknowledgement(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(3);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(device.sms[0].state_sync, GG_SYNC_STATE_WAIT_ACK);
	assert_int_equal(device.sms[0].cta_launch, 0);
	assert_int_equal(device.launch[0].header.launch_put, 0);
	assert_true(fake_acknowledge(0));
	fake_settle(10);
	assert_int_equal(device.sms[0].state_sync, GG_SYNC_STATE_ACKED);
	assert_int_equal(device.sms[0].cta_launch, 1);
	assert_int_equal(fake_take_packets(0), 3);
	end_all();
	assert_int_equal(finish_task(1), GG_OK);
}

/* S0-R31, S0-R34, S0-C1: CTAs spread over the SMs, the fullest last; one packet an SM. */
static void a_grid_is_balanced(void **state)
{
	(void)state;
	fake_device_init(4);

	const struct gg_tmd tmd = fake_tmd(10);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(take_all(), 10);
	assert_int_equal(on_sm(0), 3);
	assert_int_equal(on_sm(1), 3);
	assert_int_equal(on_sm(2), 2);
	assert_int_equal(on_sm(3), 2);
	assert_int_equal(device.perf->packets, 4);
	end_all();
	assert_int_equal(finish_task(1), GG_OK);
}

/* S0-R32: round robin issues to the next SM in turn, across tasks. */
static void round_robin_takes_turns(void **state)
{
	(void)state;
	fake_device_init(4);

	const struct gg_tmd tmd = with_mode(fake_tmd(3), GG_TASK_MODE_ROUND_ROBIN);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(take_all(), 3);
	assert_int_equal(on_sm(3), 0);
	fake_submit(0, 2, &tmd);
	fake_settle(10);
	assert_int_equal(take_all(), 6);
	assert_int_equal(on_sm(3), 1);
	assert_int_equal(on_sm(0), 2);
	end_all();
}

/* S0-R35, S0-R21, S0-C8: an SM is never over-committed; the rest is issued as CTAs end. */
static void never_over_committed(void **state)
{
	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_tmd(100);
	uint32_t ended = 0;

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	while (take_all() > 0) {
		assert_true(on_sm(0) <= 8 && on_sm(1) <= 8);
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		fake_settle(10);
		ended++;
	}
	assert_int_equal(ended, 100);
	assert_int_equal(finish_task(1), GG_OK);
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
	assert_int_equal(take_all(), 8);
	one = with_priority(one, 7);
	fake_submit(0, 10, &one);
	fake_submit(0, 11, &one);
	one = with_priority(one, 2);
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
		take_all();
		assert_int_equal(device.slots[fake_ctas[fake_cta_count - 1].slot].tag, order[tag]);
	}
	end_all();
}

/* S0-R12, S0-R13: with no free slot a task of higher priority evicts one of lower; the evicted
 * one resumes where it stopped, and no CTA is lost or run twice. */
static void eviction_keeps_the_position(void **state)
{
	static uint8_t ran[1000];
	struct gg_completion done;

	(void)state;
	memset(ran, 0, sizeof(ran));
	fake_device_init(1);

	const struct gg_tmd low = with_priority(fake_tmd(25), 9);
	const struct gg_tmd high = with_priority(fake_tmd(1), 1);

	for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
		fake_submit(0, tag, &low);
	}
	fake_settle(100);
	take_all();
	fake_submit(1, 500, &high);
	fake_settle(100);
	for (uint32_t step = 0; take_all() > 0; step++) {
		const struct fake_cta cta = fake_ctas[0];
		const uint32_t tag = device.slots[cta.slot].tag;

		assert_true(step < 2000);
		if (tag != 500) {
			assert_int_equal(ran[tag * 25 + cta.cta]++, 0);
		}
		fake_end(0, GG_OK);
		fake_settle(100);
	}
	uint32_t completions = 0;

	while (fake_completion(&done)) {
		assert_int_equal(done.status, GG_OK);
		assert_int_equal(done.ctas_lo, done.tag == 500 ? 1 : 25);
		completions++;
	}
	assert_int_equal(completions, CP_SLOTS + 1);
	for (uint32_t index = 0; index < CP_SLOTS * 25; index++) {
		assert_int_equal(ran[index], 1);
	}
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
	assert_int_equal(take_all(), 3);
	fake_device_init(1);
	tmd = fake_tmd(100);
	tmd.block_xy = 1024 | 1u << 16;
	fake_submit(0, 1, &tmd); /* 32 of 64 warps */
	fake_settle(10);
	assert_int_equal(take_all(), 2);
	fake_device_init(1);
	tmd.header |= GG_TMD_BARRIER; /* 1 MiB of 2 MiB private memory */
	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(take_all(), 2);
}

/* A CTA that fails ends its task: nothing more is issued, what runs is stopped, one completion. */
static void failure_ends_the_task(void **state)
{
	struct gg_completion done;

	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_tmd(100);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(take_all(), 16);
	fake_end(0, GG_ERR_FAULT_ACCESS);
	fake_settle(10);
	assert_int_equal(take_all(), 15);
	assert_int_equal(device.sms[0].stop_slot, device.sms[1].stop_slot);
	assert_int_equal(device.sms[0].stop_slot, fake_ctas[0].task);
	while (fake_cta_count > 0) {
		assert_false(fake_completion(&done));
		fake_end(0, GG_ERR_CANCELLED);
		fake_settle(10);
	}
	assert_true(fake_completion(&done));
	assert_int_equal((int32_t)done.status, GG_ERR_FAULT_ACCESS);
	assert_int_equal(done.ctas_lo, 0);
	assert_false(fake_completion(&done));
}

/* A report of a generation that is over is counted, and does nothing (slots are re-used). */
static void stale_reports_do_nothing(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(1);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	take_all();

	const struct fake_cta old = fake_ctas[0];

	end_all();
	assert_int_equal(finish_task(1), GG_OK);
	fake_submit(0, 2, &tmd);
	fake_settle(10);
	take_all();
	fake_ctas[fake_cta_count++] = old;
	fake_end(fake_cta_count - 1, GG_OK);
	fake_settle(10);
	assert_int_equal(device.perf->unmatched, 1);
	end_all();
	assert_int_equal(finish_task(2), GG_OK);
}

/* S0-R11: any number of tasks can be collected before one is scheduled; each completes once. */
static void many_tasks_complete_once(void **state)
{
	static uint8_t seen[3000];
	struct gg_completion done;
	uint32_t posted = 0;
	uint32_t completed = 0;

	(void)state;
	memset(seen, 0, sizeof(seen));
	fake_device_init(8);
	while (completed < 3000) {
		while (posted < 3000 && device.channels[0].put - device.channels[0].get < 64) {
			const struct gg_tmd tmd =
				with_priority(fake_tmd((uint32_t)rand() % 5 + 1), posted % 10 + 1);

			fake_submit(0, posted++, &tmd);
		}
		fake_settle(1000);
		take_all();
		for (uint32_t count = (uint32_t)rand() % 40; count > 0 && fake_cta_count > 0; count--) {
			fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		}
		fake_settle(1000);
		while (fake_completion(&done)) {
			assert_int_equal(done.status, GG_OK);
			assert_int_equal(seen[done.tag]++, 0);
			completed++;
			device.post->rung++;
		}
	}
	assert_int_equal(device.perf->unmatched, 0);
	assert_int_equal(device.perf->tasks_completed, 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_launch_before_the_acknowledgement),
		cmocka_unit_test(a_grid_is_balanced),
		cmocka_unit_test(round_robin_takes_turns),
		cmocka_unit_test(never_over_committed),
		cmocka_unit_test(priority_then_age),
		cmocka_unit_test(eviction_keeps_the_position),
		cmocka_unit_test(resources_limit_residency),
		cmocka_unit_test(failure_ends_the_task),
		cmocka_unit_test(stale_reports_do_nothing),
		cmocka_unit_test(many_tasks_complete_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

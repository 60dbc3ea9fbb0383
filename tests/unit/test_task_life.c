/* SPDX-License-Identifier: Apache-2.0 */
/* Lives of tasks: eviction, failure, stale reports, many tasks.
 * sources: room:collect device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

/* S0-R12, S0-R13: with no free slot a task of higher priority evicts one of lower; the evicted
 * one resumes where it stopped, and no CTA is lost or run twice. */
static void eviction_keeps_the_position(void **state)
{
	static uint8_t ran[1000];
	struct gg_completion done;

	(void)state;
	memset(ran, 0, sizeof(ran));
	fake_device_init(1);

	const struct gg_tmd low = fake_with_priority(fake_tmd(25), 9);
	const struct gg_tmd high = fake_with_priority(fake_tmd(1), 1);

	for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
		fake_submit(0, tag, &low);
	}
	fake_settle(100);
	fake_take_all();
	fake_submit(1, 500, &high);
	fake_settle(100);
	for (uint32_t step = 0; fake_take_all() > 0; step++) {
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

/* A CTA that fails ends its task: nothing more is issued, what runs is stopped, one completion. */
static void failure_ends_the_task(void **state)
{
	struct gg_completion done;

	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_tmd(100);

	fake_submit(0, 1, &tmd);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 16);
	fake_end(0, GG_ERR_FAULT_ACCESS);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 15);
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
	fake_take_all();

	const struct fake_cta old = fake_ctas[0];

	fake_end_all();
	fake_expect(1, GG_OK);
	fake_submit(0, 2, &tmd);
	fake_settle(10);
	fake_take_all();
	fake_ctas[fake_cta_count++] = old;
	fake_end(fake_cta_count - 1, GG_OK);
	fake_settle(10);
	assert_int_equal(device.perf->unmatched, 1);
	fake_end_all();
	fake_expect(2, GG_OK);
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
			const struct gg_tmd tmd = fake_with_priority(
				fake_tmd((uint32_t)rand() % 5 + 1), posted % 10 + 1);

			fake_submit(0, posted++, &tmd);
		}
		fake_settle(1000);
		fake_take_all();
		for (uint32_t count = (uint32_t)rand() % 40; count > 0 && fake_cta_count > 0;
		     count--) {
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

/* The limit of a CTA's time is told to the SMs in ticks, one more than it says, so that it is never shorter; a limit that
 * does not fit is the longest there is. A task without one has that of the device. */
static void time_limits_in_ticks(void **state)
{
	static const struct {
		uint32_t task_us, device_us, ticks;
	} cases[] = {
		{ 7, 0, 7 * FAKE_US + 1 },
		{ 7, 5, 7 * FAKE_US + 1 },
		{ 0, 5, 5 * FAKE_US + 1 },
		{ 0, 0, 0 },
		{ UINT32_MAX / FAKE_US, 0, UINT32_MAX / FAKE_US * FAKE_US + 1 },
		{ UINT32_MAX / FAKE_US + 1, 0, UINT32_MAX },
		{ 0, UINT32_MAX, UINT32_MAX },
	};

	(void)state;
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		struct gg_tmd tmd = fake_tmd(1);

		fake_device_init(1);
		task_table_set_time_limit(cases[index].device_us);
		tmd.time_limit_us = cases[index].task_us;
		fake_submit(0, 1, &tmd);
		assert_int_equal(fake_take_all(), 1);
		assert_int_equal(device.slots[fake_ctas[0].slot].limit_ticks, cases[index].ticks);
		fake_finish();
		fake_expect(1, GG_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eviction_keeps_the_position),
		cmocka_unit_test(failure_ends_the_task),
		cmocka_unit_test(stale_reports_do_nothing),
		cmocka_unit_test(many_tasks_complete_once),
		cmocka_unit_test(time_limits_in_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Order in which tasks are issued: sequence, quota, claims, what is skipped.
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

static struct gg_tmd with_quota(struct gg_tmd tmd, uint32_t quota)
{
	tmd.header |= GG_TMD_QUOTA_ENABLE;
	tmd.quota = quota;
	return tmd;
}

static struct gg_tmd with_shared(struct gg_tmd tmd, uint32_t bytes)
{
	tmd.shared_bytes = bytes;
	return tmd;
}

/* The CTAs that the SMs took last, as many as `tags`, are of these tasks. */
static void expect_last(const uint32_t *tags, uint32_t count)
{
	assert_true(fake_cta_count >= count);
	for (uint32_t index = 0; index < count; index++) {
		assert_int_equal(fake_tag(fake_cta_count - count + index), tags[index]);
	}
}

/* S0-R23, S0-C10: a sequence task has at most one CTA in flight, over four SMs; they run in
 * order. */
static void one_at_a_time(void **state)
{
	(void)state;
	fake_device_init(4);

	struct gg_tmd tmd = fake_tmd(50);

	tmd.header |= GG_TMD_SEQUENTIAL;
	fake_run(1, &tmd);
	for (uint32_t cta = 0; cta < 50; cta++) {
		assert_int_equal(fake_take_all(), 1);
		assert_int_equal(fake_ctas[0].cta, cta);
		fake_end_all();
	}
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 50);
}

/* S0-R23: while a sequence task waits for its CTA, lower priorities have the SMs. */
static void a_sequence_task_claims_nothing(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_with_priority(fake_tmd(3), 1);
	const struct gg_tmd low = fake_with_priority(fake_tmd(20), 9);

	tmd.header |= GG_TMD_SEQUENTIAL;
	fake_run(1, &tmd);
	fake_run(2, &low);
	assert_int_equal(fake_take_all(), 8);
	assert_int_equal(fake_count(1), 1);
	assert_int_equal(fake_count(2), 7);
	fake_end_tag(1, GG_OK);
	fake_take_all();
	assert_int_equal(fake_count(1), 1); /* its next CTA comes before theirs */
	fake_finish();
}

/* S0-R24, S0-C12: after its quota another task of the priority is current, and round they go. */
static void quotas_rotate(void **state)
{
	const uint32_t order[] = { 1, 1, 2, 2, 2, 3, 1, 1, 2, 2, 2, 3, 1, 1, 2, 2, 2, 3 };

	(void)state;
	fake_device_init(1);

	const struct gg_tmd full = with_shared(fake_tmd(1), 65536);
	const struct gg_tmd two = with_quota(full, 2);
	struct gg_tmd tmd = two;

	fake_run(9, &full); /* has the SM while the others come */
	fake_take_all();
	tmd.grid_x = 6;
	fake_run(1, &tmd);
	tmd = with_quota(tmd, 3);
	tmd.grid_x = 9;
	fake_run(2, &tmd);
	tmd = with_quota(tmd, 1);
	tmd.grid_x = 3;
	fake_run(3, &tmd);
	for (uint32_t step = 0; step < 18; step++) {
		fake_end_all();
		assert_int_equal(fake_take_all(), 1);
		expect_last(&order[step], 1);
	}
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 4);
}

/* S0-R24: in one walk, too; a quota does not hold a task back that is alone, nor lower priorities
 * in. */
static void quotas_in_one_walk(void **state)
{
	(void)state;
	fake_device_init(4);

	const struct gg_tmd tmd = with_quota(fake_tmd(30), 4);
	const struct gg_tmd low = fake_with_priority(fake_tmd(30), 9);

	fake_submit(0, 1, &tmd);
	fake_submit(0, 2, &tmd);
	fake_submit(0, 3, &low);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 32);
	assert_int_equal(fake_count(1), 16);
	assert_int_equal(fake_count(2), 16);
	fake_device_init(4);
	fake_run(4, &tmd);
	assert_int_equal(fake_take_all(), 30);
	fake_finish();
}

/* S0-R26, S0-C6: by priority, then by age in the table, whatever the order of arrival. */
static void priority_then_age(void **state)
{
	uint32_t last = 0;

	(void)state;
	fake_device_init(1);

	const struct gg_tmd full = with_shared(fake_tmd(1), 65536);
	uint32_t priorities[24];

	fake_run(99, &full);
	fake_take_all();
	for (uint32_t tag = 0; tag < 24; tag++) {
		priorities[tag] = (uint32_t)rand() % 10 + 1;
		const struct gg_tmd tmd = fake_with_priority(full, priorities[tag]);

		fake_run(tag, &tmd);
	}
	for (uint32_t step = 0; step < 24; step++) {
		fake_end_all();
		assert_int_equal(fake_take_all(), 1);
		const uint32_t tag = fake_tag(0);
		const uint32_t key = priorities[tag] * 100 + tag;

		assert_true(key > last || step == 0);
		last = key;
	}
	fake_finish();
}

/* S0-R26: a task that needs a whole SM is not starved by small ones behind it: it claims the
 * SMs. */
static void a_large_task_is_not_starved(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd small = fake_tmd(1000);
	const struct gg_tmd eight = fake_tmd(8);
	const struct gg_tmd large = with_shared(fake_tmd(2), 65536);

	fake_run(1, &eight);
	fake_take_all();
	fake_run(2, &large);
	fake_run(3, &small);
	for (uint32_t ended = 0; ended < 8; ended++) {
		assert_int_equal(fake_take_all(), 8 - ended);
		fake_end(0, GG_OK);
		fake_settle(10);
	}
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_tag(0), 2);
	fake_end_all();
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_tag(0), 2);
	fake_end_all();
	assert_int_equal(fake_take_all(), 8);
	fake_finish();
}

/* S0-R20, S0-R21, S0-C7, S0-C8: tasks that leave, and those with nothing left, get no SM. */
static void leaving_and_finished_ones_are_skipped(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd low = fake_with_priority(fake_tmd(9), 9);
	const struct gg_tmd high = fake_with_priority(fake_tmd(1), 1);

	for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
		fake_run(tag, &low);
	}
	assert_int_equal(fake_take_all(), 8);
	assert_int_equal(fake_count(0), 8);
	for (uint32_t tag = 100; tag < 100 + CP_SLOTS; tag++) { /* all but task 0 leave at once */
		fake_run(tag, &high);
	}
	assert_int_equal(device.slots[fake_ctas[0].slot].state, GG_SLOT_STATE_LEAVING);
	for (uint32_t ended = 0; ended < 8; ended++) {
		fake_end_tag(0, GG_OK);
		fake_take_all();
		assert_int_equal(fake_count(0), 7 - ended); /* the ninth is not issued */
	}
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 2 * CP_SLOTS);
	assert_true(device.perf->evictions >= CP_SLOTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(a_sequence_task_claims_nothing),
		cmocka_unit_test(quotas_rotate),
		cmocka_unit_test(quotas_in_one_walk),
		cmocka_unit_test(priority_then_age),
		cmocka_unit_test(a_large_task_is_not_starved),
		cmocka_unit_test(leaving_and_finished_ones_are_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

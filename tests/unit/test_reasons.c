/* SPDX-License-Identifier: Apache-2.0 */
/* Why a task does not run: each reason counts turns of its own (completion.not_issued, PERF).
 * sources: room:finish device */
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

/* Turns of the loop in which nothing happens. */
static void turns(uint32_t count)
{
	while (count-- > 0) {
		fake_settle(10);
	}
}

/* The completion counts at least `least` turns for that reason, and none for any other but
 * `besides`. */
static void only(const struct gg_completion *done, enum gg_reason reason, enum gg_reason besides,
		 uint32_t least)
{
	for (uint32_t index = 0; index < TASK_REASONS; index++) {
		if (index == reason) {
			assert_in_range(done->not_issued[index], least, least + 500);
		} else if (index != besides) {
			assert_int_equal(done->not_issued[index], 0);
		}
	}
}

/* S0-R21, S0-R35: a task that waits for nothing counts nothing. */
static void nothing_keeps_it(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(8);

	fake_run(1, &tmd);
	fake_take_all();
	turns(50);
	fake_end_all();
	const struct gg_completion done = fake_expect(1, GG_OK);

	for (uint32_t reason = 0; reason < TASK_REASONS; reason++) {
		assert_int_equal(done.not_issued[reason], 0);
	}
}

/* S0-R12, S0-R31: no slot; no SM with room. The sums are in PERF when the tasks are over. */
static void no_slot_and_no_sm(void **state)
{
	struct gg_completion done;
	uint32_t slot = 0;
	uint32_t sm = 0;

	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(8);

	for (uint32_t tag = 0; tag <= CP_SLOTS; tag++) {
		fake_run(tag, &tmd);
	}
	fake_take_all();
	turns(100);
	assert_int_equal(device.slots[1].reason, GG_REASON_SM);
	assert_int_equal(device.perf->not_issued_sm, 0);
	fake_finish();
	for (uint32_t tag = 0; tag <= CP_SLOTS; tag++) {
		done = fake_expect(tag, GG_OK);
		slot += done.not_issued[GG_REASON_SLOT];
		sm += done.not_issued[GG_REASON_SM];
		if (tag < CP_SLOTS && tag > 0) {
			only(&done, GG_REASON_SM, GG_REASON_SM, 100);
		}
	}
	assert_true(done.not_issued[GG_REASON_SLOT] >= 100);
	assert_int_equal(device.perf->not_issued_slot, slot);
	assert_int_equal(device.perf->not_issued_sm, sm);
}

/* S0-R25: no SM that the affinity allows, though others have room. */
static void affinity(void **state)
{
	(void)state;
	fake_device_init(8);

	struct gg_tmd tmd = fake_tmd(32);

	tmd.gpc_mask = 2;
	fake_run(1, &tmd);
	fake_run(2, &tmd);
	fake_take_all();
	turns(100);
	fake_end_all();
	fake_finish();
	fake_expect(1, GG_OK);
	const struct gg_completion done = fake_expect(2, GG_OK);

	only(&done, GG_REASON_AFFINITY, GG_REASON_AFFINITY, 100);
	assert_int_equal(device.perf->not_issued_affinity, done.not_issued[GG_REASON_AFFINITY]);
}

/* S0-R22: the mode is being switched, and is the other one. */
static void throttle(void **state)
{
	(void)state;
	fake_device_init(2);

	const struct gg_tmd normal = fake_tmd(8);
	struct gg_tmd tmd = fake_tmd(8);

	tmd.header |= GG_TMD_THROTTLE;
	fake_run(1, &normal);
	fake_take_all();
	fake_run(2, &tmd);
	turns(100);
	fake_end_all();
	fake_take_all();
	fake_run(3, &normal);
	turns(200);
	fake_end_all();
	fake_finish();
	fake_expect(1, GG_OK);
	struct gg_completion done = fake_expect(2, GG_OK);

	only(&done, GG_REASON_THROTTLE, GG_REASON_SM, 100);
	assert_in_range(done.not_issued[GG_REASON_SM], 0, 1);
	done = fake_expect(3, GG_OK);
	only(&done, GG_REASON_THROTTLE, GG_REASON_SM, 200);
	assert_in_range(done.not_issued[GG_REASON_SM], 0, 1);
	assert_in_range(device.perf->not_issued_throttle, 300, 340);
}

/* S0-R23: a CTA of a sequence task is in flight. */
static void sequence(void **state)
{
	(void)state;
	fake_device_init(2);

	struct gg_tmd tmd = fake_tmd(3);

	tmd.header |= GG_TMD_SEQUENTIAL;
	fake_run(1, &tmd);
	for (uint32_t cta = 0; cta < 3; cta++) {
		fake_take_all();
		assert_int_equal(device.slots[0].reason,
				 cta < 2 ? GG_REASON_SEQUENCE : GG_REASON_NONE);
		turns(50);
		fake_end_all();
	}
	const struct gg_completion done = fake_expect(1, GG_OK);

	only(&done, GG_REASON_SEQUENCE, GG_REASON_SEQUENCE, 100);
	assert_int_equal(device.perf->not_issued_sequence, done.not_issued[GG_REASON_SEQUENCE]);
}

/* S0-R24: its quota is used, and another of its priority is current. */
static void quota(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_tmd(8);
	const struct gg_tmd other = fake_tmd(20);

	tmd.header |= GG_TMD_QUOTA_ENABLE;
	tmd.quota = 4;
	fake_submit(0, 1, &tmd);
	fake_submit(0, 2, &other);
	fake_settle(10);
	fake_take_all();
	assert_int_equal(fake_count(1), 4);
	turns(100);
	fake_finish();
	fake_expect(2, GG_OK);
	const struct gg_completion done = fake_expect(1, GG_OK);

	only(&done, GG_REASON_QUOTA, GG_REASON_SM, 100);
	assert_int_equal(device.perf->not_issued_quota, done.not_issued[GG_REASON_QUOTA]);
}

/* S0-R06: too few items. */
static void coalesce(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_queue(8, 4);
	const uint64_t queue = fake_run(1, &tmd);

	assert_int_equal(fake_push(queue, 3), GG_OK);
	turns(100);
	fake_name(2, GG_OPCODE_CLOSE, queue);
	fake_expect(2, GG_OK);
	fake_finish();
	const struct gg_completion done = fake_expect(1, GG_OK);

	only(&done, GG_REASON_COALESCE, GG_REASON_COALESCE, 100);
	assert_int_equal(device.perf->not_issued_coalesce, done.not_issued[GG_REASON_COALESCE]);
}

/* S0-R15: other tasks to wait for; suspended, of which there is no sum. */
static void dependence_and_suspended(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_tmd(1);
	const uint64_t first = fake_run(1, &tmd);

	fake_take_all();
	fake_set_after(&tmd, &first, 1);
	const uint64_t second = fake_run(2, &tmd);

	turns(100);
	fake_name(3, GG_OPCODE_SUSPEND, second);
	fake_expect(3, GG_OK);
	fake_end_all();
	turns(200);
	fake_name(4, GG_OPCODE_RESUME, second);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(4, GG_OK);
	const struct gg_completion done = fake_expect(2, GG_OK);

	only(&done, GG_REASON_DEPENDENCE, GG_REASON_SUSPENDED, 100);
	only(&done, GG_REASON_SUSPENDED, GG_REASON_DEPENDENCE, 200);
	assert_int_equal(device.perf->not_issued_dependence, done.not_issued[GG_REASON_DEPENDENCE]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_keeps_it), cmocka_unit_test(no_slot_and_no_sm),
		cmocka_unit_test(affinity),         cmocka_unit_test(throttle),
		cmocka_unit_test(sequence),         cmocka_unit_test(quota),
		cmocka_unit_test(coalesce),         cmocka_unit_test(dependence_and_suspended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

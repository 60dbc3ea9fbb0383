/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of S0 for tasks of CGAs: always whole CGAs.
 * sources: room:accept device tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static void expect_over(uint32_t tag)
{
	fake_finish();
	fake_expect(tag, GG_OK);
	fake_cga_expect_none();
}

/* S0-R23, S1-R127: sequential: one top-level CGA in flight. */
static void sequential(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 3, 4);

	(void)state;
	fake_device_init(4);
	tmd.header |= GG_TMD_SEQUENTIAL;
	fake_run(1, &tmd);
	for (uint32_t cga = 0; cga < 3; cga++) {
		fake_cga_check();
		assert_int_equal(fake_cta_count, 4);
		assert_int_equal(device.slots[0].reason,
				 cga < 2 ? GG_REASON_SEQUENCE : GG_REASON_NONE);
		while (fake_cta_count > 0) {
			fake_end(0, GG_OK);
			fake_settle(10);
		}
	}
	expect_over(1);
}

static void end_all_of(uint32_t tag)
{
	while (fake_count(tag) != 0) {
		fake_end(fake_find(tag), GG_OK);
	}
	fake_settle(100);
}

/* S0-R24: a turn of a quota of 5 CTAs are two CGAs of 4; then it is the other's turn. */
static void quota(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 4, 4);

	(void)state;
	fake_device_init(1);
	fake_fill();
	tmd.header |= GG_TMD_QUOTA_ENABLE;
	tmd.quota = 5;
	fake_run(1, &tmd);
	fake_run(2, &tmd);
	fake_free(0, 4); /* room for one CGA at a time */
	for (uint32_t turn = 0; turn < 8; turn++) {
		const uint32_t tag = turn / 2 % 2 + 1;

		fake_cga_check();
		(void)fake_at_position(tag, (turn / 4 * 2 + turn % 2) * 4);
		assert_int_equal(fake_cta_count, 8);
		end_all_of(tag);
	}
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
}

/* The credit of lower priorities pays whole CGAs; what one had too much is earned first. */
static void floor_pays_cgas(void **state)
{
	const struct gg_tmd high = fake_with_priority(fake_tmd(10000), 2);
	const struct gg_tmd low = fake_with_priority(fake_cga(GG_DOMAIN_GPC, 1000, 4), 7);
	uint32_t first;

	(void)state;
	fake_device_init(4);
	fake_floor(200);
	fake_run(1, &high);
	fake_run(2, &low);
	for (uint32_t turn = 0; turn < 400; turn++) {
		fake_take_all();
		for (uint32_t count = 0; count < 8; count++) {
			fake_end(turn * 7 % fake_cta_count, GG_OK);
		}
		fake_settle(100);
	}
	first = device.perf->cgas * 4;
	assert_true(first * 5 > device.perf->ctas_lo - 400);
	assert_true(first * 5 < device.perf->ctas_lo + 400);
}

/* S0-R25: CGAs lie on the SMs that the task may use. */
static void affinity(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 3, 5);

	(void)state;
	fake_device_init(12);
	tmd.gpc_mask = 5;
	fake_run(1, &tmd);
	fake_cga_check();
	assert_int_equal(fake_cta_count, 15);
	for (uint32_t index = 0; index < 15; index++) {
		assert_true(fake_ctas[index].sm < 4 || fake_ctas[index].sm >= 8);
	}
	expect_over(1);
}

/* S1-R7, S1-R8, S1-R48, S0-R10, S0-R26: by age; of those that are pending, one that is put at the head first. */
static void head_and_tail(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 8);

	(void)state;
	fake_device_init(1);
	fake_fill();
	for (uint32_t tag = 1; tag < CP_SLOTS + 2; tag++) {
		fake_run(tag, &tmd); /* the last two are pending */
	}
	tmd.header |= GG_TMD_HEAD;
	fake_run(99, &tmd);
	fake_free(0, 8);
	for (uint32_t turn = 1; turn < CP_SLOTS + 3; turn++) {
		const uint32_t tag = turn < CP_SLOTS ? turn : turn == CP_SLOTS ? 99 : turn - 1;

		fake_cga_check();
		(void)fake_at_position(tag, 0);
		fake_end_all();
	}
}

/* S0-R13, S1-R133: an eviction takes effect between two CGAs; the task resumes with the next. */
static void eviction(void **state)
{
	const struct gg_tmd tmd = fake_with_priority(fake_cga(GG_DOMAIN_GPC, 9, 3), 8);
	const struct gg_tmd urgent = fake_tmd(1);

	(void)state;
	fake_device_init(1);
	for (uint32_t tag = 1; tag <= CP_SLOTS; tag++) {
		fake_run(tag, &tmd);
	}
	fake_take_all();
	assert_int_equal(fake_count(1), 6);
	fake_run(50, &urgent);
	assert_int_equal(device.perf->evictions, 1);
	fake_cga_check();
	assert_int_equal(fake_count(50), 1);
	fake_finish();
	assert_int_equal(device.perf->cgas, 9 * CP_SLOTS);
	fake_cga_expect_none();
}

/* S1-R46, S0-R13: suspended, it ends what runs and keeps its position, a multiple of the CGA's CTAs; resumed, it
 * goes on; a task can be submitted at such a position. */
static void suspend_and_resume(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 7, 3);
	struct gg_tmd rest = tmd;
	uint64_t address;

	(void)state;
	fake_device_init(1);
	address = fake_run(1, &tmd);
	fake_take_all();
	fake_end_position(1, 1, GG_OK); /* room for one more */
	fake_take_all();
	fake_name(2, GG_OPCODE_SUSPEND, address);
	fake_end_all();
	fake_expect(2, GG_OK);
	assert_int_equal(fake_take_all(), 0);
	assert_int_equal(device.slots[0].next_lo, 9);
	assert_int_equal(device.slots[0].state, GG_SLOT_STATE_FREE);
	fake_cga_expect_none();
	fake_name(3, GG_OPCODE_RESUME, address);
	fake_expect(3, GG_OK);
	fake_cga_check();
	(void)fake_at_position(1, 9);
	expect_over(1);
	rest.resume_lo = 15;
	fake_run(4, &rest);
	fake_cga_check();
	(void)fake_at_position(4, 15);
	assert_int_equal(fake_cta_count, 6);
	expect_over(4);
}

/* Suspended while SMs are reserved for it: it keeps nobody from them; when it is resumed, it has them at once. */
static void suspended_while_it_waits(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, 16);
	const struct gg_tmd stream = fake_tmd(1000);
	uint64_t address;

	(void)state;
	fake_device_init(2);
	cga_wait_set_patience(0);
	fake_fill();
	address = fake_run(1, &tmd);
	fake_run(2, &stream);
	fake_free(0, 3);
	fake_take_all();
	assert_int_equal(fake_count(2), 0);
	fake_name(3, GG_OPCODE_SUSPEND, address);
	fake_take_all();
	assert_int_equal(fake_count(2), 3);
	fake_name(4, GG_OPCODE_RESUME, address);
	fake_end_tag(2, GG_OK);
	fake_take_all();
	assert_int_equal(fake_count(2), 3); /* it is the younger one now */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequential),         cmocka_unit_test(quota),
		cmocka_unit_test(floor_pays_cgas),    cmocka_unit_test(affinity),
		cmocka_unit_test(head_and_tail),      cmocka_unit_test(eviction),
		cmocka_unit_test(suspend_and_resume), cmocka_unit_test(suspended_while_it_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

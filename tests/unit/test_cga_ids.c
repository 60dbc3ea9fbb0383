/* SPDX-License-Identifier: Apache-2.0 */
/* Ids and records of CGAs: unique while a CGA lives, given back with its last CTA, waited for when there is none.
 * sources: room:accept device tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/sms/sm_state.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

/* S1-R69, S1-R139, S1-R184: the lowest free id; a pool has as many as the limit says. */
static void lowest_free_id(void **state)
{
	(void)state;
	cga_id_init();
	for (uint32_t id = 0; id < CP_CGA_IDS; id++) {
		assert_int_equal(cga_id_exhausted(), 0);
		assert_int_equal(cga_id_take(3), id);
	}
	assert_int_equal(cga_id_exhausted(), 1u << 3);
	assert_int_equal(cga_id_free(3), 0);
	assert_int_equal(cga_id_free(4), CP_CGA_IDS);
	cga_id_give(3, 200);
	cga_id_give(3, 77);
	assert_int_equal(cga_id_exhausted(), 0);
	assert_int_equal(cga_id_take(3), 77);
	assert_int_equal(cga_id_take(3), 200);
}

/* S1-R141: a smaller limit while ids are in use: those above it stay in use, and are not given again. */
static void a_smaller_limit(void **state)
{
	(void)state;
	cga_id_init();
	for (uint32_t id = 0; id < 40; id++) {
		cga_id_take(0);
	}
	cga_id_set_limit(33);
	assert_int_equal(cga_id_free(0), 0);
	assert_int_equal(cga_id_free(1), 33);
	cga_id_give(0, 36);
	assert_int_equal(cga_id_free(0), 0);
	cga_id_give(0, 32);
	assert_int_equal(cga_id_free(0), 1);
	assert_int_equal(cga_id_take(0), 32);
	assert_int_equal(cga_id_exhausted(), 1);
	cga_id_set_limit(256);
	assert_int_equal(cga_id_take(0), 36);
	assert_int_equal(cga_id_take(0), 40);
	for (uint32_t ids = 1; ids <= CP_CGA_IDS; ids++) {
		cga_id_set_limit(ids);
		assert_int_equal(cga_id_free(1), ids);
		assert_int_equal(cga_id_free(0), ids < 41 ? 0 : ids - 41);
	}
}

/* S1-R19, S1-R20, S1-R140, S1-R207, S1-T9, S1-R132, S1-R141, S1-R142, S1-R143, S1-R148, S1-R149, S1-R150, S1-R197,
 * S1-R205, S1-R208: with one id the second CGA waits until the last CTA of the first has ended, though its CTAs
 * had room before; memory comes back with the id (S1-Q18), slots at once (S1-R151). */
static void one_id(void **state)
{
	(void)state;
	fake_device_init(2);
	cga_id_set_limit(1);

	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 2, 3);

	fake_run(1, &tmd);
	fake_cga_check();
	assert_int_equal(fake_cta_count, 3);
	assert_int_not_equal(device.perf->cga_stalls, 0);
	assert_int_equal(device.slots[0].reason, GG_REASON_CLUSTER);
	fake_end_position(1, 2, GG_OK);
	fake_end_position(1, 0, GG_OK);
	fake_cga_check();
	assert_int_equal(fake_cta_count, 1);
	assert_int_equal(device.sms[0].free_ctas + device.sms[1].free_ctas, 15);
	assert_int_equal(device.sms[0].free_units & device.sms[1].free_units, ~3u);
	fake_end_position(1, 1, GG_OK);
	fake_cga_check();
	assert_int_equal(fake_cta_count, 3);
	assert_int_equal(fake_ctas[0].cta, 3);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_cga_expect_none();
}

/* S1-R21, S1-R67, S1-R139: GPCs have pools of their own: one without ids leaves the others; CGAs of the device
 * take theirs from the device's pool. */
static void a_pool_for_each_gpc(void **state)
{
	(void)state;
	fake_device_init(12); /* three GPCs */
	cga_id_set_limit(1);

	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 5, 2);
	const struct gg_tmd wide = fake_cga(GG_DOMAIN_GPU, 5, 2);
	const struct gg_tmd plain = fake_tmd(4);

	fake_run(1, &tmd);
	assert_int_equal(device.perf->cgas, 3); /* in one turn */
	fake_cga_check();
	assert_int_equal(fake_count(1), 6);
	fake_run(2, &wide);
	fake_cga_check();
	assert_int_equal(fake_count(2), 2);
	assert_int_equal(cga_id_exhausted(), 7);
	assert_int_equal(cga_id_free(CGA_ID_DEVICE), 0);
	fake_run(3, &plain); /* it needs no id */
	fake_take_all();
	assert_int_equal(fake_count(3), 4);
	fake_finish();
	fake_cga_expect_none();
}

/* S1-R67: while one GPC has no id, the next CGAs go to the others, beginning with the first SM of theirs, whichever
 * GPC it is. */
static void beside_a_pool_without_ids(void **state)
{
	(void)state;
	for (uint32_t gpc = 0; gpc < 3; gpc++) {
		const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 3, 2);
		const struct gg_tmd next = fake_cga(GG_DOMAIN_GPC, 1, 3);

		fake_device_init(12);
		cga_id_set_limit(1);
		fake_run(1, &tmd);
		fake_cga_check();
		assert_int_equal(cga_id_exhausted(), 7);
		fake_end_position(1, 2 * gpc, GG_OK);
		fake_end_position(1, 2 * gpc + 1, GG_OK);
		fake_run(2, &next);
		fake_cga_check();
		assert_int_equal(fake_count(2), 3);
		for (uint32_t cta = 0; cta < 3; cta++) {
			assert_int_equal(fake_ctas[fake_at_position(2, cta)].sm, 4 * gpc + cta);
		}
		fake_finish();
		fake_cga_expect_none();
	}
}

/* S1-R121, S1-R141, S1-R200: a CGA of three parts that has ids for two of them where it was placed is not launched at
 * all. */
static void ids_for_a_part_only(void **state)
{
	(void)state;
	fake_device_init(4); /* one GPC */
	cga_id_set_limit(4);

	const struct gg_tmd one = fake_cga(GG_DOMAIN_GPC, 2, 2);
	const struct gg_tmd three = fake_cga_outer(fake_cga(GG_DOMAIN_GPC, 1, 2), GG_DOMAIN_GPU, 3);

	fake_run(1, &one);
	fake_run(2, &three);
	fake_cga_check();
	assert_int_equal(fake_count(1), 4);
	assert_int_equal(fake_count(2), 0);
	assert_int_not_equal(device.perf->cga_stalls, 0);
	assert_int_equal(cga_id_free(0), 2);
	assert_int_equal(cga_record_live(), 2);
	fake_end_position(1, 0, GG_OK);
	fake_end_position(1, 1, GG_OK);
	fake_cga_check();
	assert_int_equal(fake_count(2), 6);
	fake_finish();
	fake_cga_expect_none();
}

/* Of three ids task 1 has one, and task 2 waits for as many as there are. */
static void begin_three(uint32_t patience)
{
	fake_device_init(4);
	cga_id_set_limit(3);
	cga_wait_set_patience(patience);

	const struct gg_tmd first = fake_cga(GG_DOMAIN_GPC, 1, 2);
	const struct gg_tmd three = fake_cga_outer(first, GG_DOMAIN_GPU, 3);

	fake_run(1, &first);
	fake_run(2, &three);
}

/* S1-R141, S1-Q9: a CGA that waits for many ids is not starved by others that need one each: after its patience, ids are kept
 * for it. */
static void ids_are_kept(void **state)
{
	(void)state;
	begin_three(6);

	const struct gg_tmd stream = fake_cga(GG_DOMAIN_GPC, 50, 2);
	uint32_t passed = 0;

	fake_run(3, &stream);
	for (; fake_cga_check(), fake_count(2) == 0; passed++) {
		assert_true(passed < 10);
		fake_end(0, GG_OK);
		fake_end(0, GG_OK);
		fake_settle(100);
	}
	assert_true(passed >= 3);
	fake_finish();
	fake_cga_expect_none();
}

/* S1-R141, S1-Q9: while the limit is smaller than what a CGA needs, no ids are kept for it: others go on. With a larger limit it
 * has them. */
static void none_are_kept_in_vain(void **state)
{
	(void)state;
	begin_three(0);

	const struct gg_tmd stream = fake_cga(GG_DOMAIN_GPC, 6, 2);
	const struct gg_tmd another = fake_cga(GG_DOMAIN_GPC, 1, 2);

	cga_id_set_limit(2);
	fake_run(3, &stream);
	fake_cga_check();
	assert_int_equal(fake_count(1), 2);
	assert_int_equal(fake_count(3), 2);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(3, GG_OK);
	cga_id_set_limit(3);
	fake_run(4, &another);
	fake_cga_check();
	assert_int_equal(fake_count(2), 6);
	fake_finish();
	fake_cga_expect_none();
}

/* S1-R68, S1-R141: no record is free: 1,024 CGAs are in flight, the next waits for the first that ends. */
static void no_record(void **state)
{
	(void)state;
	fake_device_init(136); /* 8 GPCs, 1,088 slots */

	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1025, 1);

	fake_run(1, &tmd);
	fake_cga_check();
	assert_int_equal(fake_cta_count, CP_CGAS);
	assert_int_equal(cga_record_free(), 0);
	assert_int_not_equal(device.perf->cga_stalls, 0);
	assert_int_equal(device.perf->cga_failures, 0);
	fake_end_position(1, 500, GG_OK);
	fake_cga_check();
	assert_int_equal(fake_cta_count, CP_CGAS);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_cga_expect_none();
}

/* S1-Q27: sequence numbers wrap, and 0 is nobody's. */
static void sequence_numbers_wrap(void **state)
{
	(void)state;
	assert_int_equal(cga_sequence_after(0), 1);
	assert_int_equal(cga_sequence_after(INT32_MAX - 1), INT32_MAX);
	assert_int_equal(cga_sequence_after(INT32_MAX), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lowest_free_id),
		cmocka_unit_test(a_smaller_limit),
		cmocka_unit_test(one_id),
		cmocka_unit_test(a_pool_for_each_gpc),
		cmocka_unit_test(beside_a_pool_without_ids),
		cmocka_unit_test(ids_for_a_part_only),
		cmocka_unit_test(ids_are_kept),
		cmocka_unit_test(none_are_kept_in_vain),
		cmocka_unit_test(no_record),
		cmocka_unit_test(sequence_numbers_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

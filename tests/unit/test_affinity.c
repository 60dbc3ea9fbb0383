/* SPDX-License-Identifier: Apache-2.0 */
/* Affinity: masks of SMs and of GPCs (S0-R25).
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

static struct gg_tmd with_gpcs(struct gg_tmd tmd, uint32_t mask)
{
	tmd.gpc_mask = mask;
	return tmd;
}

/* Ones of SMs that have a CTA in their hands. */
static uint64_t used(void)
{
	uint64_t mask = 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		mask |= (uint64_t)1 << fake_ctas[index].sm;
	}
	return mask;
}

/* S0-R25, S0-C11: CTAs go to the SMs of the mask and to no other, however long it takes. */
static void only_sms_of_the_mask(void **state)
{
	const uint64_t mask = 0x8400000102u; /* on both sides of a word's end */
	uint32_t ended = 0;

	(void)state;
	fake_device_init(40);

	const struct gg_tmd tmd = fake_with_affinity(fake_tmd(100), mask);

	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 32);
	assert_true(used() == mask);
	while (fake_take_all() > 0) {
		assert_true((used() & ~mask) == 0);
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		fake_settle(10);
		ended++;
	}
	assert_int_equal(ended, 100);
	assert_int_equal(gg_get(fake_expect(1, GG_OK).source, GG_COMPLETION_SMS), 4);
}

/* S0-R25: GPCs as at boot: four SMs each; with both masks only SMs that both allow. */
static void gpcs_and_both_masks(void **state)
{
	(void)state;
	fake_device_init(16);

	struct gg_tmd tmd = with_gpcs(fake_tmd(100), 0xa); /* SMs 4 to 7 and 12 to 15 */

	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 64);
	assert_true(used() == 0xf0f0);
	fake_device_init(16);
	tmd = fake_with_affinity(tmd, 0x1111);
	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 16);
	assert_true(used() == 0x1010);
}

/* S0-R25: CONFIG says which SMs a GPC has; it holds for tasks that come later. */
static void config_groups(void **state)
{
	(void)state;
	fake_device_init(8);
	for (uint32_t sm = 0; sm < 8; sm++) {
		device.config->group[sm] = gg_put(GG_CONFIG_GPC, sm % 2 != 0 ? 31 : 0);
	}
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);

	const struct gg_tmd tmd = with_gpcs(fake_tmd(100), 0x80000000u);

	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 32);
	assert_true(used() == 0xaa);
}

/* S0-R25: masks that leave no SM are refused, with the field; so are masks outside the heap. */
static void no_sm_is_left(void **state)
{
	(void)state;
	fake_device_init(8);

	struct gg_tmd tmd = fake_with_affinity(fake_tmd(1), 0xff00);

	fake_run(1, &tmd);
	assert_int_equal(fake_expect(1, GG_ERR_AFFINITY).field, GG_FIELD_TMD_AFFINITY);
	tmd = with_gpcs(fake_tmd(1), 0xfffffffc);
	fake_run(2, &tmd);
	assert_int_equal(fake_expect(2, GG_ERR_AFFINITY).field, GG_FIELD_TMD_GPC_MASK);
	tmd = with_gpcs(fake_with_affinity(fake_tmd(1), 0x0f), 0x2);
	fake_run(3, &tmd);
	assert_int_equal(fake_expect(3, GG_ERR_AFFINITY).field, GG_FIELD_TMD_GPC_MASK);
	tmd = fake_with_affinity(fake_tmd(1), 1);
	tmd.affinity_lo += 2;
	fake_run(4, &tmd);
	assert_int_equal(fake_expect(4, GG_ERR_AFFINITY).field, GG_FIELD_TMD_AFFINITY);
	tmd.affinity_lo = FAKE_HEAP + FAKE_HEAP_SIZE - 60;
	fake_run(5, &tmd);
	assert_int_equal(fake_expect(5, GG_ERR_AFFINITY).field, GG_FIELD_TMD_AFFINITY);
}

/* S0-R25, S0-R32: round robin takes turns among the SMs of the mask. */
static void round_robin_within_the_mask(void **state)
{
	const uint32_t order[] = { 1, 4, 33, 1, 4, 33, 1 };

	(void)state;
	fake_device_init(36);

	struct gg_tmd tmd = fake_with_affinity(
		fake_with_mode(fake_tmd(7), GG_TASK_MODE_ROUND_ROBIN), 0x200000012u);

	tmd.header |= GG_TMD_SEQUENTIAL;
	fake_run(1, &tmd);
	for (uint32_t cta = 0; cta < 7; cta++) {
		assert_int_equal(fake_take_all(), 1);
		assert_int_equal(fake_ctas[0].sm, order[cta]);
		fake_end_all();
	}
	fake_expect(1, GG_OK);
}

/* S0-R25, S0-R26: a task with too few SMs claims those only; the others go to the next task. */
static void other_sms_go_to_the_next_task(void **state)
{
	(void)state;
	fake_device_init(4);

	const struct gg_tmd high = fake_with_affinity(fake_with_priority(fake_tmd(100), 1), 0x3);
	const struct gg_tmd low = fake_with_priority(fake_tmd(100), 9);
	const struct gg_tmd nowhere = fake_with_affinity(fake_with_priority(fake_tmd(100), 5), 0x2);

	fake_run(1, &high);
	fake_run(2, &nowhere);
	fake_run(3, &low);
	assert_int_equal(fake_take_all(), 32);
	assert_int_equal(fake_count(1), 16);
	assert_int_equal(fake_count(2), 0);
	for (uint32_t index = 0; index < 32; index++) {
		assert_int_equal(fake_tag(index), fake_ctas[index].sm < 2 ? 1 : 3);
	}
	for (uint32_t step = 0; step < 60; step++) {
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		fake_take_all();
		for (uint32_t index = 0; index < fake_cta_count; index++) {
			assert_true(fake_ctas[index].sm < 2 || fake_tag(index) == 3);
		}
		assert_true(fake_count(2) == 0 || device.slots[0].left_lo == 0);
	}
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 3);
}

/* S0-R25, S0-R26: a large task that may use one SM only is not starved there by small ones. */
static void a_claim_on_one_sm(void **state)
{
	(void)state;
	fake_device_init(2);

	struct gg_tmd large = fake_with_affinity(fake_with_priority(fake_tmd(1), 1), 0x2);
	const struct gg_tmd small = fake_tmd(1000);

	large.shared_bytes = 65536;
	fake_run(2, &small);
	assert_int_equal(fake_take_all(), 16);
	fake_run(1, &large);
	for (uint32_t ended = 0; fake_count(1) == 0; ended++) {
		assert_true(ended < 200);
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		fake_take_all();
		assert_int_equal(fake_on_sm(0), 8); /* the other SM goes on */
	}
	assert_int_equal(fake_on_sm(1), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_sms_of_the_mask),
		cmocka_unit_test(gpcs_and_both_masks),
		cmocka_unit_test(config_groups),
		cmocka_unit_test(no_sm_is_left),
		cmocka_unit_test(round_robin_within_the_mask),
		cmocka_unit_test(other_sms_go_to_the_next_task),
		cmocka_unit_test(a_claim_on_one_sm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

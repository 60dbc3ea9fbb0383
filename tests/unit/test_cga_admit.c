/* SPDX-License-Identifier: Apache-2.0 */
/* Static admission of CGAs: each limit is named with its value, and what fits is counted.
 * sources: room:accept device tests/unit/fake_nest.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/sms/sm_state.h"
#include "tests/unit/fake_nest.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define GPC   GG_DOMAIN_GPC
#define GPU   GG_DOMAIN_GPU
#define CPC   GG_DOMAIN_CPC
#define TPC   GG_DOMAIN_TPC
#define MULTI GG_TASK_MODE_MULTI_CAST

/* It is refused, with this field and value. */
static void never_fits(struct gg_tmd tmd, enum gg_field field, uint64_t value)
{
	struct task *task = fake_take(&tmd);

	assert_int_equal(task->failure.status, GG_ERR_CLUSTER);
	assert_int_equal(task->failure.field, field);
	assert_int_equal(task->failure.value, value);
	task_give(task);
}

/* It is accepted, and so many can run at once. */
static void fits(struct gg_tmd tmd, uint32_t most)
{
	struct task *task = fake_take(&tmd);

	assert_int_equal(task->failure.status, GG_OK);
	assert_int_equal(cga_admit_fitting(task, true), most);
	task_give(task);
}

/* The innermost level (S1-Q10, S1-R39, S1-R133): 8 SMs of 8 CTAs, in 2 GPCs of 2 CPCs of 2 TPCs. One more CTA
 * than fits is refused, and never made to fit. */
static void innermost_level(void **state)
{
	(void)state;
	fake_device_init(8);
	fits(fake_nested((struct fake_nest){ { 8 }, { TPC } }), 8);
	never_fits(fake_nested((struct fake_nest){ { 9 }, { TPC } }), GG_FIELD_TMD_CLUSTER_X, 8);
	fits(fake_nested((struct fake_nest){ { 16 }, { CPC } }), 4);
	never_fits(fake_nested((struct fake_nest){ { 17 }, { CPC } }), GG_FIELD_TMD_CLUSTER_X, 16);
	fits(fake_nested((struct fake_nest){ { 32 }, { GPC } }), 2);
	never_fits(fake_nested((struct fake_nest){ { 33 }, { GPC } }), GG_FIELD_TMD_CLUSTER_X, 32);
	fits(fake_nested((struct fake_nest){ { 33 }, { GPU } }), 1);
	fits(fake_nested((struct fake_nest){ { 64 }, { GPU } }), 1);
	never_fits(fake_nested((struct fake_nest){ { 65 }, { GPU } }), GG_FIELD_TMD_CLUSTER_X, 64);
	fits(fake_nested((struct fake_nest){ { 5 }, { GPC } }), 12); /* 32 / 5 in each of two */
	fits(fake_nested((struct fake_nest){ { 5 }, { GPU } }), 12); /* 64 / 5 */
}

/* S1-R36, S1-T7: each level of nested CGAs is named, with how many of the level below fit. */
static void outer_levels(void **state)
{
	(void)state;
	fake_device_init(8);
	fits(fake_nested((struct fake_nest){ { 6, 10 }, { GPC, GPU } }),
	     1); /* 5 of 6 in each GPC */
	never_fits(fake_nested((struct fake_nest){ { 6, 11 }, { GPC, GPU } }), GG_FIELD_TMD_OUTER_X,
		   10);
	never_fits(fake_nested((struct fake_nest){ { 33, 11 }, { GPC, GPU } }),
		   GG_FIELD_TMD_CLUSTER_X, 32);
	never_fits(fake_nested((struct fake_nest){ { 3, 4, 5 }, { TPC, CPC, GPU } }),
		   GG_FIELD_TMD_TOP_X, 4);
	never_fits(fake_nested((struct fake_nest){ { 3, 5, 4 }, { TPC, CPC, GPC } }),
		   GG_FIELD_TMD_OUTER_X, 4);
	fits(fake_nested((struct fake_nest){ { 3, 2, 2 }, { TPC, CPC, GPC } }), 4);
}

/* MULTI_CAST: one CTA of a CGA on an SM (S1-T5): SMs are what limits, not slots. */
static void too_few_sms(void **state)
{
	(void)state;
	fake_device_init(8);
	fits(fake_with_mode(fake_nested((struct fake_nest){ { 4 }, { GPC } }), MULTI), 16);
	fits(fake_with_mode(fake_nested((struct fake_nest){ { 3 }, { GPC } }), MULTI),
	     20); /* 32 / 3 */
	never_fits(fake_with_mode(fake_nested((struct fake_nest){ { 5 }, { GPC } }), MULTI),
		   GG_FIELD_TMD_MODE, 4);
	never_fits(fake_with_mode(fake_nested((struct fake_nest){ { 9 }, { GPU } }), MULTI),
		   GG_FIELD_TMD_MODE, 8);
	never_fits(fake_with_mode(fake_nested((struct fake_nest){ { 2, 3 }, { TPC, GPU } }), MULTI),
		   GG_FIELD_TMD_MODE, 1);
	never_fits(
		fake_with_mode(fake_nested((struct fake_nest){ { 4, 17 }, { GPC, GPU } }), MULTI),
		GG_FIELD_TMD_OUTER_X, 16);
}

/* SMs that are off, and those that the task may not use, do not count (S0-R25). */
static void fewer_sms(void **state)
{
	struct gg_tmd tmd = fake_nested((struct fake_nest){ { 25 }, { GPC } });

	(void)state;
	fake_device_init(8);
	sm_state_enable(1, false);
	fits(tmd, 1); /* in the other GPC */
	sm_state_enable(6, false);
	never_fits(tmd, GG_FIELD_TMD_CLUSTER_X, 24);
	tmd.gpc_mask = 2;
	sm_state_enable(7, false);
	never_fits(tmd, GG_FIELD_TMD_CLUSTER_X, 16);
	tmd = fake_with_mode(fake_nested((struct fake_nest){ { 4 }, { GPC } }), MULTI);
	never_fits(tmd, GG_FIELD_TMD_MODE, 3);
}

/* GPCs of 5, 2 and 1 SMs (S1-R2): the largest counts, and each is counted for itself. */
static void unequal_gpcs(void **state)
{
	static const uint32_t gpcs[] = { 0, 0, 0, 0, 9, 9, 31, 0 };

	(void)state;
	fake_device_init(8);
	for (uint32_t sm = 0; sm < 8; sm++) {
		device.config->group[sm] = gpcs[sm] | sm << 16;
	}
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);
	fits(fake_nested((struct fake_nest){ { 40 }, { GPC } }), 1);
	never_fits(fake_nested((struct fake_nest){ { 41 }, { GPC } }), GG_FIELD_TMD_CLUSTER_X, 40);
	fits(fake_nested((struct fake_nest){ { 9 }, { GPC } }), 4 + 1);
	fits(fake_nested((struct fake_nest){ { 9, 5 }, { GPC, GPU } }), 1);
	never_fits(fake_nested((struct fake_nest){ { 9, 6 }, { GPC, GPU } }), GG_FIELD_TMD_OUTER_X,
		   5);
	never_fits(fake_with_mode(fake_nested((struct fake_nest){ { 6 }, { GPC } }), MULTI),
		   GG_FIELD_TMD_MODE, 5);
	fits(fake_with_mode(fake_nested((struct fake_nest){ { 2 }, { GPC } }), MULTI), 20 + 8);
}

/* S1-R43: warps, memory and registers of a CTA are what limits an SM. */
static void other_resources(void **state)
{
	struct gg_tmd tmd = fake_nested((struct fake_nest){ { 9 }, { GPC } });

	(void)state;
	fake_device_init(4);
	tmd.block_xy = 0x00010000 | 1024; /* 32 of 64 warps */
	never_fits(tmd, GG_FIELD_TMD_CLUSTER_X, 8);
	tmd.block_xy = 0x00010000 | 640;
	fits(tmd, 1);
	tmd = fake_nested((struct fake_nest){ { 9 }, { GPC } });
	tmd.shared_bytes = 24576; /* 12 of 32 units */
	never_fits(tmd, GG_FIELD_TMD_CLUSTER_X, 8);
	tmd.shared_bytes = 20480;
	fits(tmd, 1);
	device.resources.registers = 4096;
	tmd = fake_nested((struct fake_nest){ { 9 }, { GPC } });
	tmd.registers = 64; /* 2048 a warp */
	never_fits(tmd, GG_FIELD_TMD_CLUSTER_X, 8);
	tmd.registers = 40;
	fits(tmd, 1);
}

/* S1-Q10, S1-R141: CGAs of which a GPC could come to hold more than it has ids are refused; those that run at
 * once are as many as there are ids and records. */
static void ids_and_records(void **state)
{
	(void)state;
	fake_device_init(8);
	device.config->cga_ids = 3;
	assert_int_equal(fake_config(GG_CONFIG_PART_CLUSTER), GG_OK);
	fits(fake_nested((struct fake_nest){ { 2 }, { GPC } }), 6);
	fits(fake_nested((struct fake_nest){ { 2 }, { CPC } }), 6);
	fits(fake_nested((struct fake_nest){ { 2 }, { GPU } }), 3);
	fits(fake_nested((struct fake_nest){ { 2, 3 }, { GPC, GPU } }), 2);
	fits(fake_nested((struct fake_nest){ { 2, 2 }, { CPC, GPC } }), 2);
	never_fits(fake_nested((struct fake_nest){ { 2, 4 }, { GPC, GPU } }),
		   GG_FIELD_CONFIG_CGA_IDS, 3);
	never_fits(fake_nested((struct fake_nest){ { 2, 2, 2 }, { TPC, CPC, GPC } }),
		   GG_FIELD_CONFIG_CGA_IDS, 3);
	never_fits(fake_nested((struct fake_nest){ { 16, 5 }, { GPC, GPU } }), GG_FIELD_TMD_OUTER_X,
		   4);
	fake_device_init(256);
	fits(fake_nested((struct fake_nest){ { 1 }, { GPC } }), CP_CGAS);
	fits(fake_nested((struct fake_nest){ { 1, 2 }, { GPC, GPU } }), CP_CGAS / 3);
}

/* In throttle mode (S0-R22) most SMs have no memory, for the moment. */
static void throttle_mode_passes(void **state)
{
	struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	fake_device_init(8);
	tmd.header |= GG_TMD_THROTTLE;
	fake_run(1, &tmd);
	fits(fake_nested((struct fake_nest){ { 32 }, { GPC } }), 2);
	never_fits(fake_nested((struct fake_nest){ { 33 }, { GPC } }), GG_FIELD_TMD_CLUSTER_X, 32);
	fake_finish();
	fake_expect(1, GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(innermost_level), cmocka_unit_test(outer_levels),
		cmocka_unit_test(too_few_sms),     cmocka_unit_test(fewer_sms),
		cmocka_unit_test(unequal_gpcs),    cmocka_unit_test(other_resources),
		cmocka_unit_test(ids_and_records), cmocka_unit_test(throttle_mode_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Static admission of CGAs against their placement: random devices, random CGAs.
 * sources: room:accept device tests/unit/fake_nest.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/cga/cga_place.h"
#include "firmware/cp/sms/sm_state.h"
#include "tests/unit/fake_nest.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static uint32_t any(uint32_t below)
{
	return (uint32_t)rand() % below;
}

/* Groups, switched off SMs, priorities: anything. */
static void any_device(void)
{
	const uint32_t sms = 1 + any(31); /* fewer CGAs than ids */

	fake_device_init(sms);
	for (uint32_t sm = 0; sm < sms; sm++) {
		device.config->group[sm] = any(4) | any(3) << 8 | any(3) << 16;
		device.config->rank[sm] = sms - 1 - sm;
	}
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);
	assert_int_equal(fake_config(GG_CONFIG_PART_RANK), GG_OK);
	for (uint32_t sm = 1; sm < sms; sm++) {
		sm_state_enable(sm, any(5) != 0);
	}
}

static struct gg_tmd any_cga(void)
{
	struct fake_nest nest = { { 1 + any(12) }, { any(4) } };
	struct gg_tmd tmd;

	for (uint32_t level = 1; level < CP_CGA_LEVELS && nest.domain[level - 1] != GG_DOMAIN_GPU;
	     level++) {
		nest.domain[level] = any(nest.domain[level - 1]);
		nest.parts[level] = any(4);
		if (nest.parts[level] == 0) {
			break;
		}
	}
	tmd = fake_with_mode(fake_nested(nest),
			     any(3) == 0 ? GG_TASK_MODE_MULTI_CAST : GG_TASK_MODE_LOAD_BALANCING);
	tmd.shared_bytes = any(2) * any(30000);
	tmd.gpc_mask = any(4) == 0 ? any(16) : 0;
	return tmd;
}

/* CGAs that placement places one after the other on the idle device. */
static uint32_t placed(const struct task *task, const struct cga_shape *shape)
{
	uint32_t count = 0;

	cga_place_begin(&task->rules.needs, task->rules.restricted ? task->allowed : NULL);
	while (cga_place_next(shape)) {
		count++;
	}
	return count;
}

/* So many parts of the level that was refused can be placed, and no more. */
static void value_is_the_most(const struct task *task)
{
	struct cga_shape shape = task->rules.shape;
	const uint32_t field = task->failure.field;
	const uint32_t value = (uint32_t)task->failure.value;

	shape.levels = field == GG_FIELD_TMD_TOP_X ? 3 : field == GG_FIELD_TMD_OUTER_X ? 2 : 1;
	assert_true(value < shape.parts[shape.levels - 1]);
	shape.parts[shape.levels - 1] = (uint16_t)(value + 1);
	assert_int_equal(placed(task, &shape), 0);
	shape.parts[shape.levels - 1] = (uint16_t)value;
	assert_true(value == 0 || placed(task, &shape) != 0);
}

/* S1-Q10, S1-Q33: what is accepted is what placement can place, and as often; never less is asked for. */
static void as_placement_does(void **state)
{
	uint32_t accepted = 0;
	uint32_t refused = 0;

	(void)state;
	srand(1);
	for (uint32_t round = 0; round < 6000; round++) {
		if (round % 30 == 0) {
			any_device();
		}
		const struct gg_tmd tmd = any_cga();
		struct task *task = fake_take(&tmd);

		if (task->failure.status == GG_OK) {
			assert_int_equal(placed(task, &task->rules.shape),
					 cga_admit_fitting(task, true));
			accepted++;
		} else if (task->failure.status != GG_ERR_AFFINITY) {
			assert_int_equal(task->failure.status, GG_ERR_CLUSTER);
			assert_int_equal(placed(task, &task->rules.shape), 0);
			value_is_the_most(task);
			refused++;
		}
		task_give(task);
	}
	assert_true(accepted > 1000 && refused > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_placement_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

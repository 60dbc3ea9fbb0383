/* SPDX-License-Identifier: Apache-2.0 */
/* Grids that leave their mode to the device are pulled when they do not fit into it.
 * sources: room:collect device tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/accept/tmd.h"
#include "firmware/cp/launch/launch_park.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/schedule/issue.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

#define SMS   4u
#define SLOTS 32u /* CTAs that the SMs have room for */

static struct gg_tmd grid_of(uint32_t ctas)
{
	return fake_with_mode(fake_tmd(ctas), GG_TASK_MODE_DEVICE);
}

static void begin(void)
{
	fake_pull_init_waves(SMS);
	fake_by_tag = true;
}

/* Whether a task is pulled; it ends, too. */
static bool is_pulled(const struct gg_tmd *tmd)
{
	fake_run(1, tmd);
	const bool pulled = pull_slots() != 0;

	fake_pull_finish();
	fake_expect(1, GG_OK);
	return pulled;
}

/* S0-R31, S4-R16: what fits into the device is launched, and one CTA more is pulled, at first and when CONFIG says so, but not when it
 * asks for load balancing or round robin. */
static void above_the_room_of_the_device(void **state)
{
	static const enum gg_task_mode modes[] = { GG_TASK_MODE_LOAD_BALANCING,
						   GG_TASK_MODE_ROUND_ROBIN, GG_TASK_MODE_DEVICE };
	const struct gg_tmd all = grid_of(SLOTS), more = grid_of(SLOTS + 1);

	(void)state;
	begin();
	assert_false(is_pulled(&all));
	assert_true(is_pulled(&more));
	for (uint32_t at = 0; at < sizeof(modes) / sizeof(*modes); at++) {
		issue_set_mode(modes[at]);
		assert_false(is_pulled(&all));
		assert_int_equal(is_pulled(&more), modes[at] == GG_TASK_MODE_DEVICE);
	}
}

/* Room is what there is for CTAs with such needs: of those with twice as much memory half as many fit. */
static void room_by_needs(void **state)
{
	struct gg_tmd half = grid_of(SLOTS / 2), more = grid_of(SLOTS / 2 + 1);

	(void)state;
	begin();
	const uint32_t bytes = 2 * device.resources.units / device.resources.ctas
			       << device.unit_shared_shift;

	half.shared_bytes = bytes;
	more.shared_bytes = bytes;
	assert_false(is_pulled(&half));
	assert_true(is_pulled(&more));
}

/* A task that says how it is distributed, or that needs what PULL grids cannot have, is not pulled. */
static void what_forbids_it(void **state)
{
	const struct gg_tmd plain = grid_of(100);
	struct gg_tmd tmds[6];

	(void)state;
	begin();
	for (uint32_t at = 0; at < 6; at++) {
		tmds[at] = plain;
	}
	tmds[0] = fake_with_mode(tmds[0], GG_TASK_MODE_LOAD_BALANCING);
	tmds[1] = fake_with_mode(tmds[1], GG_TASK_MODE_ROUND_ROBIN);
	tmds[2].header |= GG_TMD_SEQUENTIAL;
	tmds[3].header |= GG_TMD_QUOTA_ENABLE;
	tmds[3].quota = 4;
	tmds[4].retry_limit = 1;
	tmds[5] = fake_with_affinity(tmds[5], 3);
	for (uint32_t at = 0; at < 6; at++) {
		assert_false(is_pulled(&tmds[at]));
	}
	launch_park_on = true; /* CTAs of PULL grids cannot be parked */
	assert_false(is_pulled(&plain));
	launch_park_on = false;
	device.cap->features &= ~(1u << GG_FEATURE_ATOMICS); /* SMs cannot take CTAs themselves */
	assert_false(is_pulled(&plain));
	const struct gg_tmd large = grid_of(64 * SLOTS), larger = grid_of(64 * SLOTS + 1);

	assert_false(is_pulled(&large));
	assert_true(is_pulled(&larger));
}

/* Nor is a child, or what passes of a graph run. */
static void children_are_launched(void **state)
{
	const struct gg_tmd tmd = grid_of(100);

	(void)state;
	begin();
	struct task *parent = task_take(), *child = task_take();

	child->source.trusted = true; /* it may have what it names */
	assert_true(tmd_check_child(child, parent, &tmd));
	assert_int_equal(child->rules.mode, GG_TASK_MODE_DEVICE);
	child->source.parent = NULL;
	task_give(child);
	task_give(parent);
}

/* S4-R97: a grid with more CTAs than a PULL grid may have is accepted, and launched. */
static void more_than_can_be_pulled(void **state)
{
	struct gg_tmd tmd = grid_of(1u << 20);

	(void)state;
	begin();
	tmd.block_xy = 0x00010001;
	for (uint32_t pulled = 0; pulled < 2; pulled++) {
		tmd.grid_yz = pulled != 0 ? 0x7fff7fffu : 0x80008000u;
		const uint64_t address = fake_run(1, &tmd);

		assert_int_equal(pull_slots() != 0, pulled);
		fake_name(2, GG_OPCODE_CANCEL, address);
		fake_expect(2, GG_OK);
		fake_stop_all();
		fake_pull_finish();
		fake_expect(1, GG_ERR_CANCELLED);
	}
}

/* S4-Q5: nobody has said that CTAs of such a grid may run twice: it fails with the first SM that is lost. */
static void lost_sm(void **state)
{
	const struct gg_tmd tmd = grid_of(1000);

	(void)state;
	begin();
	fake_run(1, &tmd);
	fake_pull_begin_all();
	fake_pull_lose(1);
	fake_pull_finish();
	fake_stop_all();
	fake_expect(1, GG_ERR_SM_LOST);
	assert_int_equal(device.perf->pull_reissued, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(above_the_room_of_the_device),
		cmocka_unit_test(room_by_needs),
		cmocka_unit_test(what_forbids_it),
		cmocka_unit_test(children_are_launched),
		cmocka_unit_test(more_than_can_be_pulled),
		cmocka_unit_test(lost_sm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

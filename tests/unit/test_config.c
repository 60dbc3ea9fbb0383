/* SPDX-License-Identifier: Apache-2.0 */
/* CONFIG's parts: groups, ids, patience, floor, throttle mode; what may not change while CGA tasks are in the device.
 * sources: scheduler tests/unit/fake_run.c tests/unit/tree_check.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/recover/watch.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "firmware/cp/task/trace.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"
#include "tests/unit/tree_check.h"

/* The part is refused, and the completion says this. */
static void refused(enum gg_config_part part, enum gg_status status, enum gg_field field,
		    uint64_t value)
{
	fake_post(1, (struct gg_command){
			     .header = GG_OPCODE_CONFIG, .tag = 9, .argument0 = 1u << part });
	fake_settle(10);

	const struct gg_completion done = fake_expect(9, status);

	assert_int_equal(done.field, field);
	assert_int_equal(gg_join(done.value_lo, done.value_hi), value);
}

static void set_ids(uint32_t ids)
{
	device.config->cga_ids = ids;
	assert_int_equal(fake_config(GG_CONFIG_PART_CLUSTER), GG_OK);
	assert_int_equal(cga_id_limit(), ids);
}

/* A grid of CGAs that waits for something that does not come: it is in the device, and nothing of it runs. */
static uint64_t held_cga(uint32_t tag)
{
	struct gg_tmd tmd = fake_with_type(fake_tmd(4), GG_TASK_TYPE_GPC_CGA);

	tmd.cluster_xy = 4 | 1u << 16;
	tmd.cluster_z = 1;
	tmd.dependence_count = 1;
	return fake_run(tag, &tmd);
}

/* S1-R141: 1 to 256 ids; anything for the patience (S1-Q9). What is wrong changes nothing. */
static void ids_are_checked(void **state)
{
	(void)state;
	fake_device_init(8);
	assert_int_equal(cga_id_limit(), 256);
	assert_int_equal(device.config->cga_ids, 256);
	assert_int_equal(device.config->cga_patience, 256);
	set_ids(1);
	device.config->cga_patience = 0xffffffff;
	set_ids(7);
	device.config->cga_ids = 0;
	refused(GG_CONFIG_PART_CLUSTER, GG_ERR_CONFIG, GG_FIELD_CONFIG_CGA_IDS, 0);
	device.config->cga_ids = 257;
	refused(GG_CONFIG_PART_CLUSTER, GG_ERR_CONFIG, GG_FIELD_CONFIG_CGA_IDS, 257);
	assert_int_equal(cga_id_limit(), 7);
	set_ids(256);
}

/* S1-R2: GPCs 0 to 31, CPCs and TPCs 0 to 255; nothing above those bits. */
static void groups_are_checked(void **state)
{
	(void)state;
	fake_device_init(8);
	device.config->group[7] = 31 | 255u << 8 | 255u << 16;
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);
	assert_int_equal(sm_state_gpc(7), 31);
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPC), 3);
	device.config->group[0] = 5;
	device.config->group[7] = 32;
	refused(GG_CONFIG_PART_GROUP, GG_ERR_CONFIG, GG_FIELD_CONFIG_GPC, 32);
	device.config->group[7] = 1u << 24;
	refused(GG_CONFIG_PART_GROUP, GG_ERR_CONFIG, GG_FIELD_CONFIG_GPC, 1u << 24);
	assert_int_equal(sm_state_gpc(0), 0);
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPC), 3);
}

/* S1-Q10: a CGA task was accepted because it fits in the groups that there are, with the ids that there are. */
static void nothing_is_taken_from_cga_tasks(void **state)
{
	uint64_t first;
	uint64_t second;

	(void)state;
	fake_device_init(8);
	set_ids(4);
	first = held_cga(1);
	second = held_cga(2);
	assert_int_equal(cga_admit_tasks(), 2);
	device.config->group[0] = 3;
	refused(GG_CONFIG_PART_GROUP, GG_ERR_BUSY, GG_FIELD_CONFIG_GPC, 2);
	assert_int_equal(sm_state_gpc(0), 0);
	device.config->group[0] = 0;
	set_ids(5);
	device.config->cga_ids = 4;
	refused(GG_CONFIG_PART_CLUSTER, GG_ERR_BUSY, GG_FIELD_CONFIG_CGA_IDS, 4);
	fake_name(3, GG_OPCODE_CANCEL, first);
	assert_int_equal(cga_admit_tasks(), 1);
	device.config->group[0] = 3;
	fake_expect(3, GG_OK);
	fake_expect(1, GG_ERR_CANCELLED);
	refused(GG_CONFIG_PART_GROUP, GG_ERR_BUSY, GG_FIELD_CONFIG_GPC, 1);
	fake_name(4, GG_OPCODE_CANCEL, second);
	fake_expect(4, GG_OK);
	fake_expect(2, GG_ERR_CANCELLED);
	assert_int_equal(cga_admit_tasks(), 0);
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);
	assert_int_equal(sm_state_gpc(0), 3);
	set_ids(4);
}

/* Plain tasks in the device keep nobody from changing the groups, and a refused CGA task does not, either. */
static void other_tasks_do_not_count(void **state)
{
	struct gg_tmd tmd = fake_with_type(fake_tmd(33), GG_TASK_TYPE_GPC_CGA);
	const struct gg_tmd plain = fake_tmd(1);

	(void)state;
	fake_device_init(8);
	fake_run(1, &plain);
	tmd.cluster_xy = 33 | 1u << 16; /* a GPC has 32 slots */
	tmd.cluster_z = 1;
	fake_run(2, &tmd);
	fake_expect(2, GG_ERR_CLUSTER);
	assert_int_equal(cga_admit_tasks(), 0);
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* S1-R2: at boot, eight GPCs or GPCs of four SMs, each of two CPCs; a TPC is an SM. */
static void groups_at_boot(void **state)
{
	(void)state;
	fake_device_init(128);
	tree_check();
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPC), 8);
	assert_int_equal(sm_tree_count(GG_DOMAIN_CPC), 16);
	assert_int_equal(sm_tree_count(GG_DOMAIN_TPC), 128);
	assert_int_equal(sm_tree_domain(GG_DOMAIN_GPC, 7)->parts_count, 1);
}

/* S1-R2, S1-R95: the host's groups and ranks reach the tree, whether they come together or not. */
static void groups_reach_the_tree(void **state)
{
	const uint32_t sms = 6;

	(void)state;
	fake_device_init(sms);
	for (uint32_t sm = 0; sm < sms; sm++) {
		device.config->group[sm] = (sm % 2 + 5) | (sm % 3) << 8 | 9u << 16;
		device.config->rank[sm] = sms - 1 - sm;
	}
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);
	tree_check();
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPC), 2);
	assert_int_equal(sm_tree_domain(GG_DOMAIN_GPC, 1)->number, 6);
	assert_int_equal(sm_tree_domain(GG_DOMAIN_GPC, 0)->parts[0].ranks, 0x15);
	assert_int_equal(fake_config(GG_CONFIG_PART_RANK), GG_OK);
	tree_check(); /* even SMs now have odd ranks */
	assert_int_equal(sm_tree_domain(GG_DOMAIN_GPC, 0)->parts[0].ranks, 0x2a);
	assert_int_equal(sm_tree_count(GG_DOMAIN_CPC), 6);
}

/* S0-R26: a floor of 1,000 or more is refused, and the old one stays. */
static void floors_are_checked(void **state)
{
	const struct gg_tmd high = fake_with_priority(fake_tmd(1000), 1);
	const struct gg_tmd low = fake_with_priority(fake_tmd(1000), 9);
	uint32_t issued = 0;

	(void)state;
	fake_device_init(1);
	fake_floor(999);
	device.config->floor_per_mille = 1000;
	assert_int_equal(fake_config(GG_CONFIG_PART_FLOOR), GG_ERR_CONFIG);
	fake_run(1, &high);
	fake_run(2, &low);
	fake_take_all();
	issued = fake_count(2);
	for (uint32_t ctas = fake_cta_count; ctas < 100; ctas++) {
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		assert_int_equal(fake_take_all(), 8);
		issued += fake_tag(7) == 2;
	}
	assert_true(issued > 80);
}

/* S0-R22: CONFIG sets how many SMs share: a power of two of them, not while throttle tasks are
 * there. */
static void throttle_sms_is_checked(void **state)
{
	const uint32_t wrong[] = { 0, 3, 16, 0x80000000u };

	(void)state;
	fake_device_init(8);
	assert_int_equal(device.config->throttle_sms, 2);
	for (uint32_t index = 0; index < 4; index++) {
		device.config->throttle_sms = wrong[index];
		assert_int_equal(fake_config(GG_CONFIG_PART_THROTTLE), GG_ERR_CONFIG);
	}
	device.config->throttle_sms = 4;
	assert_int_equal(fake_config(GG_CONFIG_PART_THROTTLE), GG_OK);

	struct gg_tmd tmd = fake_tmd(100);

	tmd.header |= GG_TMD_THROTTLE;
	tmd.shared_bytes = 4 * 65536;
	fake_run(1, &tmd);
	device.config->throttle_sms = 8;
	assert_int_equal(fake_config(GG_CONFIG_PART_THROTTLE), GG_ERR_BUSY);
	device.config->throttle_sms = 4; /* no change: no harm */
	assert_int_equal(fake_config(GG_CONFIG_PART_THROTTLE), GG_OK);
	assert_int_equal(fake_take_all(), 2);
	assert_int_equal(fake_on_sm(0) + fake_on_sm(4), 2);
	fake_finish();
	fake_expect(1, GG_OK);
	device.config->throttle_sms = 8;
	assert_int_equal(fake_config(GG_CONFIG_PART_THROTTLE), GG_OK);
}

/* S0-R31, S0-R32: tasks that leave their mode to the device have that of CONFIG: each goes to the next SM, or to the first that is idle. */
static void mode_of_the_device(void **state)
{
	(void)state;
	for (uint32_t robin = 0; robin < 2; robin++) {
		fake_device_init(4);
		device.config->mode =
			robin != 0 ? GG_TASK_MODE_ROUND_ROBIN : GG_TASK_MODE_LOAD_BALANCING;
		assert_int_equal(fake_config(GG_CONFIG_PART_MODE), GG_OK);

		const struct gg_tmd tmd = fake_with_mode(fake_tmd(1), GG_TASK_MODE_DEVICE);

		for (uint32_t task = 0; task < 8; task++) {
			fake_run(task, &tmd);
			assert_int_equal(fake_take_all(), 1);
			assert_int_equal(fake_ctas[0].sm, robin != 0 ? task % 4 : 0);
			fake_finish();
			fake_expect(task, GG_OK);
		}
	}
}

/* A part that is out of its range is refused with its field and value, and changes nothing; so are parts that there are
 * not. The numbers that are just inside are taken. */
static void ranges_of_parts(void **state)
{
	(void)state;
	fake_device_init(2);
	for (uint32_t mode = 0; mode <= GG_TASK_MODE_ROUND_ROBIN; mode++) {
		device.config->mode = mode;
		assert_int_equal(fake_config(GG_CONFIG_PART_MODE), GG_OK);
	}
	device.config->mode = GG_TASK_MODE_ROUND_ROBIN + 1;
	refused(GG_CONFIG_PART_MODE, GG_ERR_CONFIG, GG_FIELD_CONFIG_MODE,
		GG_TASK_MODE_ROUND_ROBIN + 1);
	device.config->watch_ms = WATCH_MOST_MS;
	assert_int_equal(fake_config(GG_CONFIG_PART_WATCH), GG_OK);
	device.config->watch_ms = WATCH_MOST_MS + 1;
	refused(GG_CONFIG_PART_WATCH, GG_ERR_CONFIG, GG_FIELD_CONFIG_WATCH_MS, WATCH_MOST_MS + 1);
	device.config->enabled[0] = 4;
	refused(GG_CONFIG_PART_ENABLED, GG_ERR_CONFIG, GG_FIELD_CONFIG_ENABLED, 4);
	device.config->enabled[0] = 0;
	refused(GG_CONFIG_PART_ENABLED, GG_ERR_CONFIG, GG_FIELD_CONFIG_ENABLED, 0);
	assert_true(sm_state_enabled(0) && sm_state_enabled(1));
	refused((enum gg_config_part)(GG_CONFIG_PART_PARK + 1), GG_ERR_ARGUMENT,
		GG_FIELD_COMMAND_ARGUMENT0, 2u << GG_CONFIG_PART_PARK);
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_CONFIG, .tag = 9 });
	fake_settle(10);
	assert_int_equal(fake_expect(9, GG_ERR_ARGUMENT).field, GG_FIELD_COMMAND_ARGUMENT0);
}

/* The time limit of the device is that of tasks without one. */
static void the_limit_of_the_device(void **state)
{
	const struct gg_tmd tmd = fake_tmd(4);

	(void)state;
	fake_device_init(2);
	device.config->time_limit_us = 12;
	assert_int_equal(fake_config(GG_CONFIG_PART_TIME_LIMIT), GG_OK);
	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 4);
	assert_int_equal(device.slots[fake_ctas[0].slot].limit_ticks, 12 * FAKE_US + 1);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* TRACE and CONFIG switch the trace on and off; nothing but 0 and 1 is taken. */
static void trace_is_switched(void **state)
{
	(void)state;
	fake_device_init(1);
	for (uint32_t on = 0; on < 3; on++) {
		struct gg_completion done;

		device.config->trace = 0;
		assert_int_equal(fake_config(GG_CONFIG_PART_TRACE), GG_OK);
		fake_post(0, (struct gg_command){
				     .header = GG_OPCODE_TRACE, .tag = 3, .argument0 = on });
		fake_settle(10);
		done = fake_expect(3, on < 2 ? GG_OK : GG_ERR_ARGUMENT);
		assert_int_equal(done.field, on < 2 ? 0 : GG_FIELD_COMMAND_ARGUMENT0);
		assert_int_equal(trace_is_on(), on == 1);
	}
	device.config->trace = 1;
	assert_int_equal(fake_config(GG_CONFIG_PART_TRACE), GG_OK);
	assert_true(trace_is_on());
	device.config->trace = 0x80000000u;
	refused(GG_CONFIG_PART_TRACE, GG_ERR_CONFIG, GG_FIELD_CONFIG_TRACE, 0x80000000u);
	assert_true(trace_is_on());
	trace_switch(false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_checked),
		cmocka_unit_test(groups_are_checked),
		cmocka_unit_test(nothing_is_taken_from_cga_tasks),
		cmocka_unit_test(other_tasks_do_not_count),
		cmocka_unit_test(groups_at_boot),
		cmocka_unit_test(groups_reach_the_tree),
		cmocka_unit_test(floors_are_checked),
		cmocka_unit_test(throttle_sms_is_checked),
		cmocka_unit_test(mode_of_the_device),
		cmocka_unit_test(ranges_of_parts),
		cmocka_unit_test(the_limit_of_the_device),
		cmocka_unit_test(trace_is_switched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

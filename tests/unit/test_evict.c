/* SPDX-License-Identifier: Apache-2.0 */
/* Eviction: which task has to leave, where it goes on, and that no CTA is lost or run twice.
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

static uint64_t run_task(uint32_t tag, uint32_t priority, uint32_t ctas)
{
	const struct gg_tmd tmd = fake_with_priority(fake_tmd(ctas), priority);

	return fake_run(tag, &tmd);
}

/* Slot of the task with that tag, or CP_SLOTS. */
static uint32_t slot_of(uint32_t tag)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		if (device.slots[slot].state != GG_SLOT_STATE_FREE &&
		    device.slots[slot].tag == tag) {
			return slot;
		}
	}
	return CP_SLOTS;
}

/* A task of priority 9 in each slot, with a CTA in flight and one to issue. Returns the TMD of the first one. */
static uint64_t fill_slots(void)
{
	struct gg_tmd tmd = fake_with_priority(fake_tmd(2), 9);
	uint64_t first;

	tmd.header |= GG_TMD_SEQUENTIAL;
	fake_device_init(CP_SLOTS);
	first = fake_run(0, &tmd);
	for (uint32_t tag = 1; tag < CP_SLOTS; tag++) {
		fake_run(tag, &tmd);
	}
	assert_int_equal(fake_take_all(), CP_SLOTS);
	return first;
}

/* S0-R13: the lowest priority goes first; of it, one with nothing in flight; of those, the
 * youngest. As many have to leave as better ones wait. */
static void victims(void **state)
{
	(void)state;
	fake_device_init(1);
	run_task(0, 9, 100); /* has the SM, and is the oldest */
	fake_take_all();
	for (uint32_t tag = 1; tag < CP_SLOTS; tag++) {
		run_task(tag, tag < 4 ? 9 : 8, 100);
	}
	for (uint32_t victim = 3; victim >= 1; victim--) {
		run_task(100 + victim, 1, 1);
		assert_int_equal(slot_of(victim), CP_SLOTS);
		assert_int_equal(device.slots[slot_of(0)].state, GG_SLOT_STATE_READY);
	}
	run_task(200, 1, 1); /* now it is task 0's turn: it drains first */
	assert_int_equal(device.slots[slot_of(0)].state, GG_SLOT_STATE_LEAVING);
	assert_int_equal(device.perf->evictions, 4);
	run_task(201, 1, 1); /* it needs one more: the youngest of priority 8 */
	assert_int_equal(device.perf->evictions, 5);
	assert_int_equal(slot_of(CP_SLOTS - 1), CP_SLOTS);
	assert_true(slot_of(200) < CP_SLOTS); /* the first one has the first slot */
	assert_int_equal(slot_of(201), CP_SLOTS);
	while (slot_of(0) < CP_SLOTS) {
		fake_end_tag(0, GG_OK);
	}
	assert_true(slot_of(201) < CP_SLOTS);
	assert_int_equal(device.perf->evictions, 5);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, CP_SLOTS + 5);
}

/* S0-R13: the last one stays when it has CTAs in flight and one before it has none. */
static void idle_ones_go_first(void **state)
{
	struct gg_tmd tmd = fake_with_priority(fake_tmd(100), 9);

	(void)state;
	fake_device_init(1);
	tmd.header |= GG_TMD_QUOTA_ENABLE;
	tmd.quota = 8;
	fake_run(0, &tmd);
	run_task(1, 9, 100);
	fake_take_all();
	fake_end_all();
	assert_int_equal(fake_take_all(), 8); /* a second turn of task 0, which is the last now */
	assert_int_equal(fake_count(0), 8);
	for (uint32_t tag = 2; tag <= CP_SLOTS; tag++) {
		run_task(tag, 1, 1);
	}
	assert_int_equal(slot_of(1), CP_SLOTS);
	assert_int_equal(device.slots[slot_of(0)].state, GG_SLOT_STATE_READY);
	fake_finish();
}

/* S0-R13: tasks that wait for their own CTAs leave, too: with nothing else in the slots one of them does, the youngest. */
static void blocked_ones_leave(void **state)
{
	(void)state;
	fill_slots();
	run_task(100, 1, 1);
	assert_int_equal(device.perf->evictions, 1);
	assert_int_equal(device.slots[slot_of(CP_SLOTS - 1)].state, GG_SLOT_STATE_LEAVING);
	fake_end_tag(CP_SLOTS - 1, GG_OK);
	assert_true(slot_of(100) < CP_SLOTS);
	assert_int_equal(slot_of(CP_SLOTS - 1), CP_SLOTS);
	fake_finish();
}

/* After a restart nobody is pending, of whatever priority. */
static void nobody_is_pending_at_first(void **state)
{
	(void)state;
	for (uint32_t priority = 1; priority <= CP_PRIORITIES; priority++) {
		for (uint32_t times = 0; times < 2; times++) {
			fake_device_init(1);
			for (uint32_t tag = 0; tag < CP_SLOTS + 2; tag++) {
				run_task(tag, priority, 9);
			}
			assert_int_equal(fake_take_all(), 8);
		}
		fake_finish();
		assert_int_equal(device.perf->tasks_completed, CP_SLOTS + 2);
	}
}

/* S0-R13: no task waits for the CTAs of one victim behind another one: each that waits has its own, and none more is asked. */
static void a_victim_each(void **state)
{
	(void)state;
	fill_slots();
	for (uint32_t tag = 100; tag < 103; tag++) {
		run_task(tag, 1, 1);
	}
	run_task(103, 2, 1); /* a worse one is not the next */
	assert_int_equal(device.perf->evictions, 3);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, CP_SLOTS + 4);
}

/* S0-R13: CTAs of a suspended task, which may run for long, hold up no task for whose sake another one can leave. */
static void not_behind_a_suspended_one(void **state)
{
	(void)state;
	fake_name(300, GG_OPCODE_SUSPEND, fill_slots());
	fake_expect(300, GG_OK);
	assert_int_equal(device.slots[0].state, GG_SLOT_STATE_LEAVING);
	run_task(100, 1, 1);
	assert_int_equal(device.perf->evictions, 1);
	fake_end_tag(CP_SLOTS - 1, GG_OK);
	assert_true(slot_of(100) < CP_SLOTS);
	fake_end_all();
}

/* S0-R13: equals do not evict each other, nor does a task whose CTAs are all issued have to
 * leave. */
static void who_stays(void **state)
{
	(void)state;
	fake_device_init(8);
	for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
		run_task(tag, 5, 2); /* all are issued */
	}
	fake_take_all();
	run_task(100, 1, 1);
	run_task(101, 5, 1);
	assert_int_equal(device.perf->evictions, 0);
	assert_int_equal(slot_of(100), CP_SLOTS);
	fake_end_tag(7, GG_OK);
	fake_end_tag(7, GG_OK);
	assert_true(slot_of(100) < CP_SLOTS); /* the better one has the slot */
	assert_int_equal(slot_of(101), CP_SLOTS);
	fake_finish();
}

/* S0-R13: the resume position stays: the task goes on with the CTA after the last one issued. */
static void the_position_stays(void **state)
{
	(void)state;
	fake_device_init(1);
	run_task(0, 9, 30);
	fake_take_all();
	for (uint32_t tag = 1; tag <= CP_SLOTS; tag++) {
		run_task(tag, 1, 1);
	}
	assert_int_equal(device.slots[slot_of(0)].next_lo, 8);
	assert_int_equal(device.slots[slot_of(0)].left_lo, 22);
	while (fake_count(0) > 0) {
		fake_end_tag(0, GG_OK);
	}
	while (slot_of(0) == CP_SLOTS) {
		assert_true(fake_take_all() > 0);
		fake_end(0, GG_OK);
		fake_settle(10);
	}
	fake_end_all();
	while (fake_take_all() > 0 && fake_count(0) == 0) {
		fake_end_all();
	}
	assert_int_equal(fake_ctas[fake_find(0)].cta, 8);
	fake_finish();
}

#define TASKS 1000u
#define CTAS  12u /* of a task, at most */

static uint8_t ran[TASKS][CTAS];
static uint32_t sizes[TASKS];

/* A task of random size, priority and attributes. */
static struct gg_tmd any_tmd(uint32_t tag)
{
	sizes[tag] = (uint32_t)rand() % CTAS + 1;
	struct gg_tmd tmd = fake_with_priority(fake_tmd(sizes[tag]), (uint32_t)rand() % 10 + 1);

	tmd.shared_bytes = rand() % 4 == 0 ? 20000 : 0;
	if (rand() % 5 == 0) {
		tmd.header |= GG_TMD_QUOTA_ENABLE;
		tmd.quota = (uint32_t)rand() % 3 + 1;
	}
	tmd.header |= rand() % 6 == 0 ? GG_TMD_SEQUENTIAL : 0;
	tmd.header |= rand() % 4 == 0 ? GG_TMD_HEAD : 0;
	tmd.header |= rand() % 40 == 0 ? GG_TMD_THROTTLE : 0;
	tmd.gpc_mask = rand() % 8 == 0 ? (uint32_t)rand() % 3 + 1 : 0;
	return tmd;
}

static void end_any(void)
{
	const uint32_t index = (uint32_t)rand() % fake_cta_count;
	const uint32_t tag = fake_tag(index);

	assert_true(fake_ctas[index].cta < sizes[tag]);
	assert_int_equal(ran[tag][fake_ctas[index].cta]++, 0);
	fake_end(index, GG_OK);
}

static uint32_t take_completions(void)
{
	struct gg_completion done;
	uint32_t count = 0;

	while (fake_completion(&done)) {
		assert_int_equal(done.status, GG_OK);
		assert_int_equal(done.ctas_lo, sizes[done.tag]);
		device.post->rung++;
		count++;
	}
	return count;
}

/* S0-R13, S0-R15: 1,000 tasks of all kinds come at random, and are evicted at random: every CTA of
 * each runs once. */
static void random_arrivals(void **state)
{
	(void)state;
	for (uint32_t floor = 0; floor <= 200; floor += 200) {
		uint32_t posted = 0;
		uint32_t completed = 0;

		memset(ran, 0, sizeof(ran));
		fake_device_init(8); /* two GPCs */
		fake_floor(floor);
		for (uint32_t step = 0; completed < TASKS; step++) {
			assert_true(step < 100000);
			for (uint32_t count = (uint32_t)rand() % 6; count > 0 && posted < TASKS;
			     count--) {
				const struct gg_tmd tmd = any_tmd(posted);

				fake_submit(posted % 8, posted, &tmd);
				posted++;
				fake_settle(1000);
			}
			fake_take_all();
			for (uint32_t count = (uint32_t)rand() % 30;
			     count > 0 && fake_cta_count > 0; count--) {
				end_any();
			}
			fake_settle(1000);
			completed += take_completions();
		}
		assert_int_equal(device.perf->unmatched, 0);
		assert_true(device.perf->evictions > 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(victims),
		cmocka_unit_test(idle_ones_go_first),
		cmocka_unit_test(blocked_ones_leave),
		cmocka_unit_test(nobody_is_pending_at_first),
		cmocka_unit_test(a_victim_each),
		cmocka_unit_test(not_behind_a_suspended_one),
		cmocka_unit_test(who_stays),
		cmocka_unit_test(the_position_stays),
		cmocka_unit_test(random_arrivals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

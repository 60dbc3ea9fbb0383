/* SPDX-License-Identifier: Apache-2.0 */
/* Cancel, suspend, resume: channels; and commands when the pool is full.
 * sources: scheduler tests/unit/fake_run.c */
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

/* One SM, and channel 0 suspended. Returns the TMD of a grid of one CTA. */
static struct gg_tmd begin_suspended(void)
{
	fake_device_init(1);
	fake_channel(1, GG_OPCODE_SUSPEND, 0);
	fake_expect(1, GG_OK);
	return fake_tmd(1);
}

/* A suspended channel is not read, others are; resumed, it goes on where it was. */
static void suspend_a_channel(void **state)
{
	(void)state;
	const struct gg_tmd tmd = begin_suspended();

	assert_int_equal(device.channels[0].state, GG_CHANNEL_STATE_SUSPENDED);
	fake_submit(0, 2, &tmd);
	fake_submit(2, 3, &tmd);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_tag(0), 3);
	fake_channel(4, GG_OPCODE_RESUME, 0);
	fake_expect(4, GG_OK);
	assert_int_equal(device.channels[0].state, GG_CHANNEL_STATE_OPEN);
	assert_int_equal(fake_take_all(), 2);
	fake_channel(5, GG_OPCODE_SUSPEND, 1); /* its own: nobody could resume it */
	assert_int_equal(fake_expect(5, GG_ERR_ARGUMENT).field, GG_FIELD_COMMAND_ARGUMENT0);
	fake_channel(6, GG_OPCODE_RESUME, 1);
	fake_expect(6, GG_OK);
	fake_end_all();
}

/* A reset empties a channel that its host left suspended, and opens it. */
static void reset_a_suspended_channel(void **state)
{
	(void)state;
	const struct gg_tmd tmd = begin_suspended();

	fake_submit(0, 2, &tmd);
	fake_settle(10);
	device.channels[0].put = 0;
	device.channels[0].reset = 1;
	device.post->rung++;
	fake_settle(10);
	assert_int_equal(device.channels[0].reset_done, 1);
	assert_int_equal(device.channels[0].state, GG_CHANNEL_STATE_OPEN);
	fake_submit(0, 3, &tmd);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_tag(0), 3);
	fake_end_all();
	fake_expect(3, GG_OK);
}

/* The commands of a batch after the one that suspends their channel wait. */
static void suspended_in_a_batch(void **state)
{
	(void)state;
	fake_device_init(1);
	device.channels[0].priority = 1;
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_SUSPEND, .tag = 1, .argument1 = 1 });
	fake_settle(10);
	for (uint32_t tag = 2; tag < 40; tag++) {
		fake_post(0, (struct gg_command){ .header = GG_OPCODE_NOP, .tag = tag });
	}
	fake_settle(10);
	fake_expect(1, GG_OK);
	fake_expect_none();
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_RESUME, .tag = 50, .argument1 = 1 });
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_SUSPEND, .tag = 51, .argument1 = 1 });
	fake_settle(10);
	fake_expect(50, GG_OK);
	fake_expect(51, GG_OK);
	fake_expect_none();
	fake_channel(52, GG_OPCODE_RESUME, 0);
	fake_expect(52, GG_OK);
	for (uint32_t tag = 2; tag < 40; tag++) {
		fake_expect(tag, GG_OK);
	}
}

/* S0-R13: cancelling a channel ends all its tasks, also more than are looked at in a turn,
 * and none that comes later or from another channel; its answer comes when all are told. */
static void cancel_a_channel(void **state)
{
	struct gg_completion done;
	uint32_t cancelled = 0;

	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_tmd(20);

	for (uint32_t tag = 0; tag < 200; tag++) {
		fake_submit_at(tag < 100 ? 3 : 0, tag, fake_put_tmd(&tmd));
	}
	fake_take_all();
	device.channels[1].priority = 1; /* it is read before channel 0 */
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_CANCEL, .tag = 300, .argument1 = 1 });
	fake_post(1,
		  (struct gg_command){
			  .header = GG_OPCODE_CANCEL, .tag = 301, .argument0 = 3, .argument1 = 1 });
	fake_submit(0, 400, &tmd); /* it is taken while the tasks are looked at */
	fake_settle(100);
	assert_int_equal(fake_expect(301, GG_ERR_BUSY).field, GG_FIELD_COMMAND_OPCODE);
	fake_stop_all();
	fake_finish();
	for (uint32_t count = 0; count < 202; count++) {
		while (!fake_completion(&done)) {
			device.post->rung++;
			fake_settle(10);
			fake_finish();
		}
		if (done.tag < 200 && done.tag >= 100) {
			assert_int_equal((int32_t)done.status, GG_ERR_CANCELLED);
			cancelled++;
		} else {
			assert_int_equal(done.status, GG_OK);
		}
	}
	assert_int_equal(cancelled, 100);
	fake_expect_none();
}

/* S0-R11: with the pool full of tasks that wait, what makes them go on is still taken. */
static void a_full_pool_takes_what_ends_it(void **state)
{
	const enum gg_opcode opcodes[] = { GG_OPCODE_CANCEL, GG_OPCODE_CLOSE };

	(void)state;
	for (uint32_t round = 0; round < 2; round++) {
		fake_device_init(1);

		const struct gg_tmd queue = fake_queue(8, 2);
		const uint64_t first = fake_run(1, &queue);
		struct gg_tmd tmd = fake_tmd(1);

		fake_set_after(&tmd, &first, 1);
		const uint64_t later = fake_put_tmd(&tmd);

		while (device.perf->pool_full == 0) {
			fake_submit_at(0, 2, later);
		}
		fake_name(3, opcodes[round], first);
		fake_expect(3, GG_OK);
		for (uint32_t turns = 0; device.perf->tasks_completed < device.perf->tasks_accepted;
		     turns++) {
			struct gg_completion done;

			assert_true(turns < 10000);
			while (fake_completion(&done)) {
				device.post->rung++;
			}
			fake_settle(1000);
			fake_finish();
		}
	}
}

/* S0-R11, S0-R15: a command that waits for room is taken when children have made some: no other
 * event is needed. */
static void room_by_children(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd parent = fake_own(fake_tmd(1));
	struct gg_tmd child = fake_own(fake_tmd(1));
	struct gg_tmd held = fake_own(fake_tmd(1));
	const struct gg_tmd late = fake_with_priority(fake_tmd(1), 1);

	fake_run(1, &parent);
	fake_take_all();
	held.dependence_count = 1;
	struct gg_request request = { .kind = GG_REQUEST_KIND_LAUNCH,
				      .address_lo = gg_low(fake_put_tmd(&held)) };

	assert_int_equal(fake_request(0, request).answer_status, GG_OK);
	const uint64_t first = gg_join(request.address_lo, 0);

	fake_set_after(&child, &first, 1);
	child = fake_with_type(child, GG_TASK_TYPE_GRID_NULL);
	request.address_lo = gg_low(fake_put_tmd(&child));
	while (task_pool_free() > 10) {
		assert_int_equal(fake_request(0, request).answer_status, GG_OK);
	}
	fake_submit(0, 2, &late);
	fake_settle(10);
	assert_true(device.perf->pool_full > 0);
	const struct gg_dependent entry = fake_edge(first, GG_DEPENDENCE_ACTION_DECREMENT, 0);
	struct gg_tmd last = fake_own(fake_tmd(1));

	fake_set_dependents(&last, &entry, 1);
	request.address_lo = gg_low(fake_put_tmd(&last));
	assert_int_equal(fake_request(0, request).answer_status, GG_OK);
	while (fake_take_all() > 1) { /* all but the parent's CTA */
		fake_end(1, GG_OK);
		fake_settle(10000);
	}
	fake_take_all();
	assert_int_equal(device.perf->tasks_accepted, 2);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 2);
}

/* S0-R15: the answer of a cancelled channel that found the ring full comes when the host has made room, with
 * one ring of its bell. */
static void the_answer_waits_for_room(void **state)
{
	struct gg_completion done;
	uint32_t answers = 0;
	uint32_t count = 0;

	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(1);

	for (uint32_t tag = 1; tag <= 300; tag++) {
		fake_submit(2, tag, &tmd);
		fake_settle(100);
	}
	fake_post(0,
		  (struct gg_command){
			  .header = GG_OPCODE_CANCEL, .tag = 999, .argument0 = 2, .argument1 = 1 });
	fake_settle(100);
	fake_stop_all();
	fake_settle(1000);
	assert_int_equal(device.post->put - device.post->get, CP_COMPLETION_ENTRIES);
	while (fake_completion(&done)) {
		answers += done.tag == 999;
		count++;
	}
	device.post->rung++;
	fake_settle(1000);
	while (fake_completion(&done)) {
		answers += done.tag == 999;
		count++;
	}
	assert_int_equal(count, 301);
	assert_int_equal(answers, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suspend_a_channel),
		cmocka_unit_test(reset_a_suspended_channel),
		cmocka_unit_test(suspended_in_a_batch),
		cmocka_unit_test(cancel_a_channel),
		cmocka_unit_test(a_full_pool_takes_what_ends_it),
		cmocka_unit_test(room_by_children),
		cmocka_unit_test(the_answer_waits_for_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Cancel, suspend, resume: tasks in every state.
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

#define IT 500u /* tag of the task */

/* Where the task is when it is cancelled or suspended. */
enum where {
	HELD,     /* waits for another */
	PENDING,  /* the table is full */
	ASSIGNED, /* its SM has not acknowledged */
	RUNNING,  /* CTAs in flight, and left */
	BLOCKED,  /* sequential, one in flight */
	DRAINING, /* all are issued */
	LEAVING,  /* evicted, CTAs in flight */
	FAMILY,   /* its CTAs have ended, a child's have not */
	PLACES
};

static uint64_t other; /* HELD: task that it waits for */

static void fill_table(uint32_t tasks)
{
	const struct gg_tmd tmd = fake_with_priority(fake_tmd(9), 4);

	for (uint32_t tag = 0; tag < tasks; tag++) {
		fake_run(tag, &tmd);
	}
}

static void have_family(const struct gg_tmd *tmd)
{
	const struct gg_request request = { .kind = GG_REQUEST_KIND_LAUNCH,
					    .address_lo = gg_low(fake_put_tmd(tmd)) };

	assert_int_equal(fake_request(0, request).answer_status, GG_OK);
	fake_end_all();
	fake_take_all();
}

/* The task's TMD: of 20 CTAs, of 5 when all are to be issued. */
static struct gg_tmd tmd_for(enum where where)
{
	const bool small = where == DRAINING || where == FAMILY;
	struct gg_tmd tmd = fake_with_priority(fake_own(fake_tmd(small ? 5 : 20)), 9);

	if (where == HELD) {
		const struct gg_tmd before = fake_tmd(1);

		other = fake_run(400, &before);
		fake_set_after(&tmd, &other, 1);
	} else if (where == BLOCKED) {
		tmd.header |= GG_TMD_SEQUENTIAL;
	} else if (where == PENDING) {
		fill_table(CP_SLOTS);
	}
	return tmd;
}

/* Bring the task to that state; its address. */
static uint64_t bring(enum where where)
{
	fake_device_init(1);

	const struct gg_tmd tmd = tmd_for(where);
	const uint64_t address = fake_run(IT, &tmd);

	if (where == ASSIGNED) {
		return address;
	}
	fake_take_all();
	if (where == LEAVING) {
		const struct gg_tmd one = fake_with_priority(fake_tmd(1), 1);

		fill_table(CP_SLOTS - 1);
		fake_run(100, &one);
		assert_int_equal(device.slots[fake_ctas[0].slot].state, GG_SLOT_STATE_LEAVING);
	} else if (where == FAMILY) {
		have_family(&tmd);
	}
	return address;
}

/* S0-R13, S0-R07: cancelled in every state: no CTA more, one completion, and the device goes on. */
static void cancel_in_every_state(void **state)
{
	(void)state;
	for (uint32_t where = 0; where < PLACES; where++) {
		const uint64_t address = bring((enum where)where);
		struct gg_completion done;
		uint32_t completions = 0;

		fake_name(600, GG_OPCODE_CANCEL, address);
		fake_expect(600, GG_OK);
		fake_stop_all();
		assert_int_equal(fake_count(IT), 0);
		while (fake_take_all() > 0) {
			assert_int_equal(fake_count(IT), 0);
			fake_end_all();
		}
		while (fake_completion(&done)) {
			assert_int_equal((int32_t)done.status,
					 done.tag == IT ? GG_ERR_CANCELLED : GG_OK);
			completions += done.tag == IT;
			device.post->rung++;
			fake_settle(10);
		}
		assert_int_equal(completions, 1);
		assert_int_equal(device.perf->unmatched, 0);
		assert_int_equal(device.perf->tasks_completed, device.perf->tasks_accepted);
		fake_name(601, GG_OPCODE_CANCEL, address); /* it is gone */
		assert_int_equal(fake_expect(601, GG_ERR_TASK).field, GG_FIELD_COMMAND_ADDRESS);
	}
}

/* Ends of the task's CTAs: each once. */
static void end_all(uint8_t *ran)
{
	while (fake_cta_count > 0) {
		if (fake_tag(0) == IT) {
			ran[fake_ctas[0].cta]++;
		}
		fake_end(0, GG_OK);
		fake_settle(100);
	}
}

/* S0-R13: suspended in every state: what is in flight ends, no CTA more is issued until it is
 * resumed; then each CTA has run once. A task with nothing left to issue just ends. */
static void suspend_in_every_state(void **state)
{
	(void)state;
	for (uint32_t where = 0; where < PLACES; where++) {
		const uint64_t address = bring((enum where)where);
		const uint32_t in_flight = fake_count(IT);
		const bool ends = where == DRAINING || where == FAMILY;
		uint8_t ran[20] = { 0 };
		uint32_t issued = 0;

		fake_name(600, GG_OPCODE_SUSPEND, address);
		fake_expect(600, GG_OK);
		fake_name(601, GG_OPCODE_SUSPEND, address); /* again: no harm */
		fake_expect(601, GG_OK);
		fake_take_all();
		issued = fake_count(IT);
		assert_true(where == ASSIGNED || issued == in_flight);
		while (fake_take_all() > 0) {
			assert_true(fake_count(IT) <= issued);
			issued = 0;
			end_all(ran);
		}
		fake_name(602, GG_OPCODE_RESUME, address);
		while (fake_take_all() > 0) {
			assert_false(ends);
			end_all(ran);
		}
		assert_int_equal(device.perf->tasks_completed, device.perf->tasks_accepted);
		assert_int_equal(device.perf->tasks_failed, 0);
		for (uint32_t cta = 0; cta < 20 && where != FAMILY; cta++) {
			assert_int_equal(ran[cta], ends && cta >= 5 ? 0 : 1);
		}
	}
}

/* A task that waits for items when it is suspended waits, from then on, because it is suspended. */
static void the_reason_is_that_of_now(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_queue(16, 2);
	const uint64_t queue = fake_run(1, &tmd);

	fake_name(2, GG_OPCODE_SUSPEND, queue);
	fake_expect(2, GG_OK);
	for (uint32_t turn = 0; turn < 10; turn++) {
		fake_turn();
	}
	fake_name(4, GG_OPCODE_CANCEL, queue);
	fake_expect(4, GG_OK);

	const struct gg_completion done = fake_expect(1, GG_ERR_CANCELLED);

	assert_true(done.not_issued[GG_REASON_SUSPENDED] >= 10);
	assert_in_range(done.not_issued[GG_REASON_COALESCE], 0, 4);
}

/* S0-R05, S0-R06: a suspended queue task takes items, and none of them runs until it is resumed. */
static void a_suspended_queue_takes_items(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_queue(16, 2);

	tmd.coalesce_us = 10;
	const uint64_t queue = fake_run(1, &tmd);

	for (uint32_t round = 0; round < 3; round++) {
		if (round == 2) { /* in its slot, with a CTA in flight */
			assert_int_equal(fake_push(queue, 2), GG_OK);
			assert_int_equal(fake_take_all(), 1);
		}
		fake_name(2, GG_OPCODE_SUSPEND, queue);
		fake_expect(2, GG_OK);
		assert_int_equal(fake_push(queue, 3), GG_OK);
		fake_hal.now += 1000 * FAKE_US;
		fake_settle(10);
		assert_int_equal(fake_take_all(), round == 2 ? 1 : 0);
		if (round == 1) {
			fake_end_all();
		}
		fake_name(3, GG_OPCODE_RESUME, queue);
		fake_expect(3, GG_OK);
		fake_end_all();
		assert_int_equal(fake_take_all(), 2);
		fake_end_all();
	}
	fake_name(4, GG_OPCODE_SUSPEND, queue);
	fake_expect(4, GG_OK);
	fake_name(5, GG_OPCODE_CLOSE, queue);
	fake_expect(5, GG_OK);
	fake_expect(1, GG_OK); /* nothing is left that could be kept back */
}

/* What names no task, or no target, is refused. */
static void wrong_names(void **state)
{
	const enum gg_opcode opcodes[] = { GG_OPCODE_CANCEL, GG_OPCODE_SUSPEND, GG_OPCODE_RESUME };

	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(1);
	const uint64_t address = fake_run(1, &tmd);

	for (uint32_t index = 0; index < 3; index++) {
		struct gg_command command = { .header = opcodes[index],
					      .address_lo = gg_low(address),
					      .argument0 = 1 };

		fake_post(1, command); /* another generation */
		fake_settle(10);
		fake_expect(0, GG_ERR_TASK);
		command.argument0 = 0;
		command.argument1 = 2;
		fake_post(1, command);
		fake_settle(10);
		assert_int_equal(fake_expect(0, GG_ERR_ARGUMENT).field, GG_FIELD_COMMAND_ARGUMENT1);
		fake_channel(0, opcodes[index], CP_CHANNELS);
		assert_int_equal(fake_expect(0, GG_ERR_ARGUMENT).field, GG_FIELD_COMMAND_ARGUMENT0);
	}
	fake_finish();
	fake_expect(1, GG_OK);
}

/* S0-R02: of several tasks with one name the newest is meant; the others keep it when one ends. */
static void the_newest_is_meant(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(1);
	const uint64_t address = fake_put_tmd(&tmd);

	for (uint32_t tag = 1; tag <= 4; tag++) {
		fake_submit_at(0, tag, address);
	}
	fake_take_all();
	fake_end_tag(2, GG_OK); /* not the oldest, not the newest */
	fake_expect(2, GG_OK);
	fake_end_tag(1, GG_OK);
	fake_expect(1, GG_OK);
	for (uint32_t tag = 4; tag >= 3; tag--) {
		fake_name(10, GG_OPCODE_CANCEL, address);
		fake_expect(10, GG_OK);
		fake_stop_all();
		fake_expect(tag, GG_ERR_CANCELLED);
	}
	fake_name(11, GG_OPCODE_CANCEL, address);
	fake_expect(11, GG_ERR_TASK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cancel_in_every_state),
		cmocka_unit_test(suspend_in_every_state),
		cmocka_unit_test(the_reason_is_that_of_now),
		cmocka_unit_test(a_suspended_queue_takes_items),
		cmocka_unit_test(wrong_names),
		cmocka_unit_test(the_newest_is_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

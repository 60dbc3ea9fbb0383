/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_storm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/task.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define NAMES 64u /* TMDs that are named at random */
#define LISTS 64u

static uint8_t answers[STORM_COMMANDS]; /* completions of each tag */
uint32_t storm_posted;
uint32_t storm_answered;
static uint64_t names[NAMES];  /* TMDs that were submitted or launched lately */
static uint64_t queues[NAMES]; /* of them, those of queue tasks; 0 for none */
static uint64_t ring;          /* memory for all queues */
static uint64_t lists;         /* memory for the lists of dependents */
static uint32_t next_list;

static uint32_t any(uint32_t count)
{
	return (uint32_t)rand() % count;
}

static bool one_in(uint32_t count)
{
	return any(count) == 0;
}

void storm_post(uint32_t channel, struct gg_command command)
{
	if (storm_posted == STORM_COMMANDS ||
	    device.channels[channel].put - device.channels[channel].get > 60) {
		return;
	}
	command.tag = storm_posted++;
	fake_post(channel, command);
	if (!one_in(4)) {
		fake_settle(10000);
	}
}

/* Entries that name any tasks, with any action. */
static uint64_t any_list(uint32_t count, bool after)
{
	const uint64_t list = lists + next_list++ % LISTS * 256;
	struct gg_dependent *entries = fake_at(list);

	for (uint32_t index = 0; index < count; index++) {
		const enum gg_dependence_action action =
			after ? GG_DEPENDENCE_ACTION_DECREMENT : (enum gg_dependence_action)any(3);

		entries[index] = fake_edge(names[any(NAMES)], action,
					   action == GG_DEPENDENCE_ACTION_INCREMENT_PUT);
	}
	return list;
}

static void add_lists(struct gg_tmd *tmd)
{
	if (one_in(4)) {
		tmd->after_count = any(3) + 1;
		tmd->after_lo = gg_low(any_list(tmd->after_count, true));
	}
	if (one_in(3)) {
		tmd->dependent_count = any(2) + 1;
		tmd->dependents_lo = gg_low(any_list(tmd->dependent_count, false));
	}
	tmd->dependence_count = one_in(8) ? any(2) + 1 : 0;
}

static void add_flags(struct gg_tmd *tmd)
{
	tmd->header |= one_in(6) ? GG_TMD_SEQUENTIAL : 0;
	tmd->header |= one_in(4) ? GG_TMD_HEAD : 0;
	tmd->header |= one_in(30) ? GG_TMD_THROTTLE : 0;
	tmd->gpc_mask = one_in(6) ? any(3) + 1 : 0;
	tmd->shared_bytes = one_in(4) ? any(65536) : 0;
	if (one_in(5)) {
		tmd->header |= GG_TMD_QUOTA_ENABLE;
		tmd->quota = any(4) + 1;
	}
}

/* Any TMD; most are accepted. Its address. */
static uint64_t any_tmd(void)
{
	const bool is_queue = one_in(5);
	struct gg_tmd tmd = fake_own(fake_tmd(any(30) + 1));

	add_lists(&tmd);
	add_flags(&tmd);
	if (is_queue) {
		tmd = fake_with_type(tmd, GG_TASK_TYPE_QUEUE);
		tmd.queue_lo = gg_low(ring);
		tmd.queue_capacity = any(30) + 8;
		tmd.queue_item_bytes = 4;
		tmd.queue_items = any(8) + 1;
		tmd.coalesce_us = one_in(3) ? 0xffffffffu : any(50);
		tmd.queue_outstanding = any(8);
		tmd.header |= one_in(3) ? GG_TMD_CLOSED : 0;
	} else if (one_in(6)) {
		tmd = fake_with_type(tmd, GG_TASK_TYPE_GRID_NULL);
	}
	tmd = fake_with_priority(tmd, any(10) + 1);
	const uint64_t address = fake_put_tmd(&tmd);
	const uint32_t place = any(NAMES);

	names[place] = address;
	queues[place] = is_queue ? address : 0;
	return address;
}

static void any_control(void)
{
	const enum gg_opcode opcodes[] = { GG_OPCODE_CANCEL, GG_OPCODE_SUSPEND, GG_OPCODE_RESUME,
					   GG_OPCODE_RESUME, GG_OPCODE_PUSH,    GG_OPCODE_PUSH,
					   GG_OPCODE_CLOSE,  GG_OPCODE_FENCE };
	const enum gg_opcode opcode = opcodes[any(8)];
	struct gg_command command = { .header = opcode };

	if (opcode != GG_OPCODE_FENCE) {
		command.address_lo = gg_low(names[any(NAMES)]);
	}
	if (opcode == GG_OPCODE_PUSH || opcode == GG_OPCODE_CLOSE) {
		command.address_lo = gg_low(queues[any(NAMES)]);
	}
	if (opcode == GG_OPCODE_PUSH) {
		command.argument1 = one_in(2) ? gg_low(ring) : 0;
		command.argument2 = any(12);
	} else if (opcode <= GG_OPCODE_RESUME && opcode >= GG_OPCODE_CANCEL && one_in(20)) {
		command.address_lo = 0;
		command.argument0 = any(7);
		command.argument1 = GG_TARGET_CHANNEL;
	}
	storm_post(opcode == GG_OPCODE_FENCE ? any(8) : 7, command);
}

static void any_request(void)
{
	struct gg_request request = { .kind = any(3) + 1 };

	if (request.kind == GG_REQUEST_KIND_LAUNCH) {
		request.address_lo = gg_low(one_in(3) ? names[any(NAMES)] : any_tmd());
	} else {
		request.address_lo = gg_low(queues[any(NAMES)]);
		request.count = request.kind == GG_REQUEST_KIND_PUSH ? any(10) : 0;
	}
	fake_hal.asked = 0;
	(void)fake_request(any(fake_cta_count), request);
}

static void any_ends(void)
{
	for (uint32_t count = any(20); count > 0 && fake_cta_count > 0; count--) {
		fake_end(any(fake_cta_count), one_in(60) ? GG_ERR_ABORTED : GG_OK);
	}
	fake_settle(10000);
}

void storm_take(void)
{
	struct gg_completion done;

	while (fake_completion(&done)) {
		assert_true(done.tag < storm_posted);
		assert_int_equal(answers[done.tag]++, 0);
		storm_answered++;
	}
	device.post->rung++;
	fake_settle(10000);
}

static void any_step(void)
{
	switch (any(8)) {
	case 0:
	case 1:
		storm_post(any(7), (struct gg_command){ .header = GG_OPCODE_SUBMIT,
							.address_lo = gg_low(any_tmd()) });
		break;
	case 2:
		any_control();
		break;
	case 3:
		fake_hal.now += any(400);
		fake_settle(10000);
		break;
	case 4:
		if (fake_cta_count > 0) {
			any_request();
		}
		break;
	case 5:
		fake_take_all();
		break;
	case 6:
		any_ends();
		break;
	default:
		if (one_in(3)) {
			storm_take();
		}
		fake_stop_all();
	}
}

void storm_begin(uint32_t sms, uint32_t floor)
{
	fake_device_init(sms);
	memset(answers, 0, sizeof(answers));
	memset(names, 0, sizeof(names));
	memset(queues, 0, sizeof(queues));
	storm_posted = 0;
	storm_answered = 0;
	lists = fake_alloc(LISTS * 256);
	ring = fake_alloc(1024);
	fake_floor(floor);
}

void storm_run(uint32_t commands)
{
	while (storm_posted < commands) {
		any_step();
	}
}

void storm_read_all(void)
{
	storm_take();
	for (uint32_t channel = 0; channel < 7; channel++) {
		storm_post(7, (struct gg_command){ .header = GG_OPCODE_RESUME,
						   .argument0 = channel,
						   .argument1 = GG_TARGET_CHANNEL });
		storm_take();
	}
}

void storm_cancel_all(void)
{
	for (uint32_t step = 0; storm_answered < storm_posted || step < 7; step++) {
		assert_true(step < 300);
		storm_post(7, (struct gg_command){ .header = GG_OPCODE_CANCEL,
						   .argument0 = step % 7,
						   .argument1 = GG_TARGET_CHANNEL });
		fake_settle(10000);
		fake_stop_all();
		storm_take();
	}
}

void storm_expect_nothing_left(void)
{
	fake_finish();
	assert_int_equal(fake_cta_count, 0);
	assert_int_equal(task_pool_free(), task_pool_capacity());
	assert_int_equal(device.perf->tasks_accepted, device.perf->tasks_completed);
	assert_int_equal(device.perf->unmatched, 0);
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		assert_int_equal(device.slots[slot].state, GG_SLOT_STATE_FREE);
	}
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		assert_int_equal(device.sms[sm].free_ctas, device.resources.ctas);
		assert_int_equal(device.sms[sm].free_warps, device.resources.warps);
		assert_int_equal(device.sms[sm].free_units, 0xffffffffu);
	}
	for (uint32_t tag = 0; tag < storm_posted; tag++) {
		assert_int_equal(answers[tag], 1);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/graph_storm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/loop.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"
#include "tests/unit/graph_storm_check.h"
#include "tests/unit/graph_storm_kept.h"
#include "tests/unit/graph_storm_make.h"

#define COMMANDS 40000u
#define NESTED   2u
#define NAMES    12u
#define LISTS    32u
#define CHANNELS 6u
#define CONTROL  7u /* channel of what controls others */

struct storm_counts storm_counts;
static uint8_t answers[COMMANDS];        /* completions of each tag */
static uint64_t names[NAMES];            /* TMDs that were submitted lately */
static uint64_t tmds[COMMANDS];          /* TMD of each tag; 0 for none */
static struct made_place nested[NESTED]; /* of graphs that kernels launch */
static uint32_t nested_root[NESTED];     /* tag of the task that uses it, + 1; 0: nobody does */
static uint64_t lists;
static uint32_t next_list;

static uint32_t any(uint32_t count)
{
	return (uint32_t)rand() % count;
}

static bool one_in(uint32_t count)
{
	return any(count) == 0;
}

/* One turn; its work has a bound. */
static bool turn(void)
{
	fake_hal.asked = 0;

	loop_wake();
	const bool more = loop_turn();

	storm_counts.most = fake_hal.asked > storm_counts.most ? fake_hal.asked : storm_counts.most;
	return more;
}

static void settle(void)
{
	for (uint32_t turns = 0; turn(); turns++) {
		assert_true(turns < 20000); /* it must come to rest */
	}
}

static bool post(uint32_t channel, struct gg_command command)
{
	if (storm_counts.posted == COMMANDS ||
	    device.channels[channel].put - device.channels[channel].get > 60) {
		return false;
	}
	command.tag = storm_counts.posted++;
	fake_post(channel, command);
	if (one_in(2)) {
		settle();
	}
	return true;
}

static void add_after(struct gg_tmd *tmd)
{
	if (!one_in(3)) {
		return;
	}
	const uint64_t list = lists + next_list++ % LISTS * 64;
	struct gg_dependent *entries = fake_at(list);

	tmd->after_count = any(2) + 1;
	tmd->after_lo = gg_low(list);
	for (uint32_t index = 0; index < tmd->after_count; index++) {
		entries[index] = fake_edge(names[any(NAMES)], GG_DEPENDENCE_ACTION_DECREMENT, 0);
	}
}

static bool submit(struct gg_tmd tmd)
{
	const uint32_t tag = storm_counts.posted;

	add_after(&tmd);
	tmd = fake_with_priority(tmd, any(4) + 1);

	const uint64_t address = fake_put_tmd(&tmd);

	if (!post(any(CHANNELS), (struct gg_command){ .header = GG_OPCODE_SUBMIT,
						      .address_lo = gg_low(address) })) {
		return false;
	}
	tmds[tag] = address;
	names[any(NAMES)] = address;
	return true;
}

static void any_graph(void)
{
	const uint32_t tag = storm_counts.posted;
	struct gg_tmd tmd;

	if (check_take(tag, &tmd) && !submit(tmd)) {
		check_drop(tag);
	}
}

static void any_control(void)
{
	const enum gg_opcode opcodes[] = { GG_OPCODE_CANCEL, GG_OPCODE_SUSPEND, GG_OPCODE_SUSPEND,
					   GG_OPCODE_RESUME, GG_OPCODE_RESUME,  GG_OPCODE_RESUME };
	struct gg_command command = { .header = opcodes[any(6)],
				      .address_lo = gg_low(names[any(NAMES)]) };

	if (one_in(40)) {
		command.address_lo = 0;
		command.argument0 = any(CHANNELS);
		command.argument1 = GG_TARGET_CHANNEL;
	} else if (one_in(6)) {
		command = (struct gg_command){ .header = GG_OPCODE_GRAPH,
					       .argument1 = kept_forget() };
	} else if (one_in(10)) {
		command = (struct gg_command){ .header = GG_OPCODE_FENCE };
		(void)post(any(CHANNELS), command);
		return;
	}
	(void)post(CONTROL, command);
}

/* A kernel launches a grid, or a graph. */
static void any_launch(void)
{
	const uint32_t cta = any(fake_cta_count);
	const uint32_t place = any(NESTED);
	struct gg_tmd tmd = fake_own(fake_tmd(any(4) + 1));
	const bool is_graph = one_in(3) && nested_root[place] == 0;

	if (is_graph) {
		tmd = made_put_small(&nested[place]);
	}
	fake_hal.asked = 0;
	if (fake_launch(cta, fake_put_tmd(&tmd)) == GG_OK && is_graph) {
		nested_root[place] = fake_tag(cta) + 1;
		check_nested(cta);
		storm_counts.nested++;
	}
}

static void any_ends(void)
{
	for (uint32_t count = any(20); count > 0 && fake_cta_count > 0; count--) {
		const uint32_t cta = any(fake_cta_count);
		const bool fails = one_in(60);

		if (fails) {
			check_fails(cta);
		}
		fake_end(cta, fails ? GG_ERR_ABORTED : GG_OK);
		if (one_in(4)) {
			(void)turn();
		}
	}
}

static void take(void)
{
	struct gg_completion done;

	while (fake_completion(&done)) {
		assert_true(done.tag < storm_counts.posted);
		assert_int_equal(answers[done.tag]++, 0);
		storm_counts.answered++;
		check_completion(&done);
		for (uint32_t place = 0; place < NESTED; place++) {
			if (nested_root[place] == done.tag + 1) {
				nested_root[place] = 0;
			}
		}
	}
	device.post->rung++;
	settle();
}

static void any_step(void)
{
	switch (any(16)) {
	case 0:
	case 1:
	case 2:
		any_graph();
		break;
	case 3:
		(void)submit(fake_own(fake_tmd(any(8) + 1)));
		break;
	case 4:
		any_control();
		break;
	case 5:
		fake_hal.now += any(one_in(4) ? 10000 : 400);
		settle();
		break;
	case 6:
		if (fake_cta_count > 0) {
			any_launch();
		}
		break;
	case 7:
	case 8:
	case 9:
		fake_take_all();
		break;
	case 10:
	case 11:
	case 12:
		any_ends();
		break;
	case 13:
	case 14:
		fake_stop_all();
		if (storm_counts.posted / 300 % 3 != 1) { /* else the host does not look */
			take();
		}
		break;
	default:
		for (uint32_t turns = any(8); turns > 0; turns--) {
			(void)turn();
		}
	}
	check_running(answers);
}

void storm_begin(uint32_t tasks, uint32_t store_bytes)
{
	storm_device(tasks, store_bytes);
	memset(&storm_counts, 0, sizeof(storm_counts));
	memset(answers, 0, sizeof(answers));
	memset(names, 0, sizeof(names));
	memset(tmds, 0, sizeof(tmds));
	memset(nested_root, 0, sizeof(nested_root));
	lists = fake_alloc(LISTS * 64);
	for (uint32_t place = 0; place < NESTED; place++) {
		nested[place] =
			(struct made_place){ fake_alloc(MADE_BYTES), fake_alloc(MADE_BUFFER) };
	}
	check_begin();
}

static void resume_all(void)
{
	for (uint32_t channel = 0; channel < CHANNELS; channel++) {
		(void)post(CONTROL, (struct gg_command){ .header = GG_OPCODE_RESUME,
							 .argument0 = channel,
							 .argument1 = GG_TARGET_CHANNEL });
	}
	for (uint32_t tag = 0; tag < storm_counts.posted; tag++) {
		if (tmds[tag] != 0 && answers[tag] == 0) {
			(void)post(CONTROL, (struct gg_command){ .header = GG_OPCODE_RESUME,
								 .address_lo = gg_low(tmds[tag]) });
			take();
		}
	}
}

void storm_run(uint32_t steps)
{
	for (; steps > 0; steps--) {
		any_step();
		if (steps % 200 == 0) {
			resume_all();
		}
	}
}

void storm_end(void)
{
	for (uint32_t round = 0; storm_counts.answered < storm_counts.posted; round++) {
		assert_true(round < 1000); /* no task is forgotten */
		if (round % 8 == 0) {
			resume_all();
		}
		fake_stop_all();
		fake_finish();
		take();
		check_running(answers);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* PULL grids and other tasks at random: each item is done once, whatever comes between (S4-V8, R102; S0-R13).
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

#define SMS   8u
#define TASKS 1500u
#define NAME  0x100000u /* tags of commands that name a task */

/* A task that was submitted. */
struct entry {
	uint64_t address;
	uint32_t items; /* 0: none */
	bool pulls;
	bool over;
	bool spoiled; /* cancelled: not all of it is done */
};

static struct entry entries[TASKS];
static uint32_t submitted, over, lost;
static uint32_t commands;
static uint32_t out_most = 300; /* tasks in the device at most */
static bool waves;              /* SMs count themselves in waves */

static uint32_t below(uint32_t limit)
{
	return (uint32_t)rand() % limit;
}

static void take_completions(void)
{
	struct gg_completion done;

	while (fake_completion(&done)) {
		if (done.tag >= NAME) {
			continue;
		}
		struct entry *entry = &entries[done.tag];
		const int32_t status = (int32_t)done.status;

		assert_false(entry->over);
		entry->over = true;
		over++;
		if (status == GG_OK && entry->pulls) {
			assert_int_equal(done.ctas_lo, entry->items);
			fake_pull_expect_tag(done.tag, entry->items);
		} else if (status != GG_OK) {
			assert_true(entry->spoiled || lost != 0);
			assert_true(status == GG_ERR_CANCELLED || status == GG_ERR_SM_LOST);
		}
	}
}

static void submit(void)
{
	struct entry *entry = &entries[submitted];
	const bool pulls = below(3) != 0;
	const uint32_t items = 1 + below(below(4) == 0 ? 3000 : 100);
	struct gg_tmd tmd = pulls ? fake_pull_grid(items, below(2) * (1 + below(items)))
				  : fake_tmd(1 + below(40));

	tmd = fake_with_priority(tmd, 1 + below(10));
	*entry = (struct entry){ .items = items, .pulls = pulls };
	entry->address = fake_put_tmd(&tmd);
	fake_submit_at(0, submitted++, entry->address);
}

/* A task that may be over by now. */
static void name_one(void)
{
	static const enum gg_opcode opcodes[] = { GG_OPCODE_SUSPEND, GG_OPCODE_RESUME,
						  GG_OPCODE_SUSPEND, GG_OPCODE_RESUME,
						  GG_OPCODE_CANCEL };
	const uint32_t at = submitted - 1 - below(submitted < 40 ? submitted : 40);
	const enum gg_opcode opcode = opcodes[below(5)];

	entries[at].spoiled |= opcode == GG_OPCODE_CANCEL;
	fake_name(NAME + commands++, opcode, entries[at].address);
}

static void switch_sms(void)
{
	device.config->enabled[0] = 1 + below((1u << SMS) - 1);
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_CONFIG,
					  .tag = NAME + commands++,
					  .argument0 = 1u << GG_CONFIG_PART_ENABLED });
	fake_settle(1000);
}

static void resume_all(void)
{
	for (uint32_t at = 0; at < submitted; at++) {
		if (!entries[at].over) {
			fake_name(NAME + commands++, GG_OPCODE_RESUME, entries[at].address);
			take_completions();
		}
	}
}

static void step(bool loses)
{
	const uint32_t sm = below(SMS), what = below(100);

	if (what < 8 && submitted - over < out_most && submitted < TASKS) {
		submit();
	} else if (what < 12 && submitted != 0) {
		name_one();
	} else if (what < 13) {
		switch_sms();
	} else if (what < 45) {
		fake_take_packets(sm);
	} else if (what < 60 && fake_cta_count != 0) {
		fake_end(below(fake_cta_count), GG_OK);
		fake_settle(1000);
	} else if (what == 60 && loses && lost < SMS - 2 && below(40) == 0 &&
		   device.sms[sm].hart_state == GG_HART_STATE_STARTED) {
		fake_pull_lose(sm);
		lost++;
	} else if (what < 62) {
		fake_look();
		fake_stop_all();
	} else {
		fake_pull_done(sm, 1 + below(20));
	}
	take_completions();
}

static void finish(void)
{
	device.config->enabled[0] = (1u << SMS) - 1;
	fake_config(GG_CONFIG_PART_ENABLED);
	for (uint32_t round = 0; over != submitted; round++) {
		assert_true(round < 1000);
		resume_all();
		fake_pull_finish();
		take_completions();
	}
}

static void run(uint32_t seed, bool atomics, bool far, bool loses, uint32_t floor)
{
	srand(seed);
	fake_pull_init(SMS, atomics);
	fake_by_tag = true;
	submitted = 0;
	over = 0;
	lost = 0;
	commands = 0;
	device.cap->features |= waves ? 1u << GG_FEATURE_ATOMICS : 0;
	if (far) {
		device.config->far_ticks = 1;
		device.config->latency[1] = 2;
		device.config->local_low = 100;
		assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_OK);
	}
	fake_floor(floor);
	while (submitted < TASKS) {
		step(loses);
	}
	finish();
	assert_int_equal(task_table_free(), CP_SLOTS);
	assert_int_equal(pull_slots(), 0);
	assert_int_equal(range_free(), CP_RANGES);
	assert_int_equal(sm_state_resident(), 0);
	assert_true(device.perf->pull_ranges != 0 && device.perf->pull_recalls != 0);
	assert_true(waves || device.perf->evictions != 0);
	assert_int_equal(device.perf->unmatched, 0);
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		assert_int_equal(device.work[slot].state, WORK_FREE);
		assert_int_equal(pull_local(1, slot)->state, 0);
	}
}

/* S4-R16, S4-V11: 1,500 tasks; suspended, resumed, cancelled, evicted; SMs switched off and on. */
static void at_random(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 3; seed++) {
		run(seed, true, false, false, 0);
	}
}

/* The CP grants. */
static void without_atomics(void **state)
{
	(void)state;
	run(11, false, false, false, 0);
}

/* S4-R62…R92: a far GPC with local queues. */
static void with_a_far_gpc(void **state)
{
	(void)state;
	for (uint32_t seed = 21; seed <= 23; seed++) {
		run(seed, true, true, false, 0);
	}
}

static void with_a_floor(void **state)
{
	(void)state;
	run(31, true, false, false, 200);
	run(32, false, true, false, 900);
}

/* SMs stop: what they had is done once more, but for that of tasks that have it twice. */
static void with_lost_sms(void **state)
{
	(void)state;
	for (uint32_t seed = 41; seed <= 46; seed++) {
		run(seed, true, seed % 2 == 0, true, 0);
		assert_true(lost > 0 && device.perf->sms_lost == lost);
		assert_true(device.perf->pull_reissued != 0);
	}
}

/* S4-R39, R49: few tasks at a time, so that SMs are often idle and waves bring the streams; some waves are opened by what
 * comes between, others are not looked at until they are over. */
static void in_waves(void **state)
{
	(void)state;
	waves = true;
	out_most = 2;
	for (uint32_t seed = 51; seed <= 54; seed++) {
		run(seed, true, seed % 2 == 0, seed > 52, 0);
		assert_true(device.perf->waves_opened != 0);
		assert_true(device.perf->waves > device.perf->waves_opened);
	}
	waves = false;
	out_most = 300;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_random),      cmocka_unit_test(without_atomics),
		cmocka_unit_test(with_a_far_gpc), cmocka_unit_test(with_a_floor),
		cmocka_unit_test(with_lost_sms),  cmocka_unit_test(in_waves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

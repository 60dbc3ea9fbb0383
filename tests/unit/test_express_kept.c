/* SPDX-License-Identifier: Apache-2.0 */
/* The short way of a plain task keeps what it found for the last few. Whatever a later task changes is seen: each
 * sequence runs with the short way and without, and what the slots and the completions say is the same.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/tmd_kept.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

/* The task before which CONFIG.time_limit_us changes is like the one before. */
#define CHANGED 5u
#define TASKS   48u

/** What a slot and a completion say of a task. */
struct said {
	uint32_t priority, batch, limit_ticks, reason, status;
	uint32_t sm, units;
	uint32_t ctas, source, packets;
};

/* A task of the sequence: the short way knows each one from the fourth of six on. */
static struct gg_tmd tmd_of(uint32_t number)
{
	const uint32_t kind = number / 6 % 4;
	struct gg_tmd tmd = fake_with_priority(fake_tmd(1), 3 + number / 24);

	tmd.correlation = number;
	if (kind == 1) {
		tmd.time_limit_us = 100;
	} else if (kind == 2) {
		tmd.shared_bytes = device.resources.shared_bytes / 4;
	}
	if (kind == 2 && number % 6 == 5) {
		tmd.gpc_mask = 1; /* a rare field: nothing else differs from the task before */
	}
	if (kind == 3 && number % 6 == 5) {
		tmd.time_limit_us = 200;
	}
	return tmd;
}

static struct said run(uint32_t number)
{
	const struct gg_tmd tmd = tmd_of(number);
	struct said said;

	fake_run(number, &tmd);
	assert_int_equal(fake_take_all(), 1);

	const struct gg_slot *slot = &device.slots[fake_ctas[0].slot];

	assert_int_equal(task_table_holder(fake_ctas[0].slot)->rules.plain, tmd.gpc_mask == 0);
	said.priority = slot->priority;
	said.batch = slot->batch;
	said.limit_ticks = slot->limit_ticks;
	said.reason = slot->reason;
	said.status = slot->status;
	said.sm = fake_ctas[0].sm;
	said.units = fake_ctas[0].units;
	assert_int_equal(slot->tag, number);

	const struct gg_tmd *copy =
		(const struct gg_tmd *)(uintptr_t)gg_join(slot->tmd_lo, slot->tmd_hi);

	const struct gg_tmd put = fake_short(&tmd);

	assert_memory_equal(copy, &put, sizeof(put)); /* what the SM reads */
	fake_end_all();

	const struct gg_completion completion = fake_expect(number, GG_OK);

	said.ctas = completion.ctas_lo;
	said.source = completion.source;
	said.packets = completion.packets;
	return said;
}

static void sequence(bool express, struct said *said)
{
	fake_device_init(4);
	express_switch(express);
	memset(said, 0, TASKS * sizeof(*said));
	for (uint32_t number = 0; number < TASKS; number++) {
		if (number == CHANGED) {
			device.config->time_limit_us = 5000; /* between two tasks that are alike */
			assert_int_equal(fake_config(GG_CONFIG_PART_TIME_LIMIT), GG_OK);
		}
		said[number] = run(number);
	}
	express_switch(true);
}

static void same_as_stages(void **state)
{
	static struct said with[TASKS], without[TASKS];

	(void)state;
	sequence(true, with);
	sequence(false, without);
	assert_memory_equal(with, without, sizeof(with));
	assert_int_not_equal(with[CHANGED].limit_ticks, with[CHANGED - 1].limit_ticks);
}

/* A place has another kernel in a slot that it was in before: the slot's words are those of the other kernel. */
static void other_kernel(void **state)
{
	const struct gg_tmd one = fake_tmd(1);
	struct gg_tmd other = one;

	(void)state;
	fake_device_init(4);
	other.time_limit_us = 100;
	for (uint32_t tag = 0; tag < 6; tag++) { /* two at once, so that two places are known */
		fake_run(tag, &one);
		if (tag % 2 != 0) {
			assert_int_equal(fake_take_all(), 2);
			fake_end_all();
		}
	}
	fake_run(6, &one); /* in slot 0 */
	fake_run(7, &other);
	assert_int_equal(fake_take_all(), 2);
	fake_end_tag(7, GG_OK);
	fake_end_tag(6, GG_OK);
	fake_run(8, &other); /* in slot 0, and in the place that was given back last */
	assert_int_equal(device.slots[0].tag, 8);
	assert_int_equal(device.slots[0].limit_ticks, 100 * FAKE_US + 1);
	assert_int_equal(fake_take_all(), 1);
	fake_end_all();
}

/* What is refused is refused again, although the short way has read its words into a place that it goes on with. */
static void refused_again(void **state)
{
	const struct gg_tmd good = fake_tmd(1);
	struct gg_tmd rare = good, version = good, code = good;

	(void)state;
	rare.gpc_mask = 1;
	version.header = (good.header & ~GG_TMD_VERSION) | 2u;
	code.code_bytes = 0;
	fake_device_init(4);
	for (uint32_t round = 0; round < 6; round++) { /* until the short way knows it */
		fake_run(1, &rare);
		fake_run(2, &good);
		assert_int_equal(fake_take_all(), 2);
		fake_end_tag(
			1, GG_OK); /* this place has to be cleared: tasks that are refused get it */
		fake_expect(1, GG_OK);
		fake_end_tag(2, GG_OK);
		fake_expect(2, GG_OK);
		fake_run(3, &good);
		assert_int_equal(fake_take_all(), 1);
		fake_end_tag(3, GG_OK);
		fake_expect(3, GG_OK);
	}
	for (uint32_t round = 0; round < 6; round++) {
		fake_run(5, round < 3 ? &version : &code);
		fake_expect(5, round < 3 ? GG_ERR_TMD_VERSION : GG_ERR_CODE_RANGE);
	}
	assert_int_equal(fake_take_all(), 0);
}

static struct gg_tmd kind_of(uint32_t kind)
{
	return fake_with_priority(fake_tmd(1), 1 + kind);
}

/* Runs a task. Returns whether it went the short way: its place has the words of a TMD that is kept. */
static bool is_known(struct gg_tmd tmd)
{
	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 1);

	const bool known = task_table_holder(fake_ctas[0].slot)->rules.kept != 0;

	fake_end_all();
	fake_expect(1, GG_OK);
	return known;
}

/* A device where one task has ended, which has left a clean place: nothing is kept before there is one. */
static void begin(void)
{
	fake_device_init(4);
	assert_false(is_known(kind_of(CP_KEPT + 1)));
}

/* As many kernels as are kept go the short way in turns. One more takes the place of the one that came first. */
static void in_turns(void **state)
{
	(void)state;
	begin();
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t kind = 0; kind < CP_KEPT; kind++) {
			assert_int_equal(is_known(kind_of(kind)), round != 0);
		}
	}
	assert_false(is_known(kind_of(CP_KEPT)));
	for (uint32_t kind = CP_KEPT; kind > 0; kind--) {
		assert_true(is_known(kind_of(kind)));
	}
	assert_false(is_known(kind_of(0)));
	assert_false(is_known(kind_of(1)));
	assert_true(is_known(kind_of(3)));
}

/* TMDs that differ only in a word by which they are not looked for take the place of each other, and of no others. */
static void nearly_the_same(void **state)
{
	struct gg_tmd other = kind_of(0);

	(void)state;
	begin();
	other.shared_bytes = 64;
	for (uint32_t kind = 0; kind < CP_KEPT; kind++) {
		(void)is_known(kind_of(kind));
	}
	for (uint32_t round = 0; round < CP_KEPT; round++) {
		assert_false(is_known(other));
		assert_true(is_known(other));
		assert_false(is_known(kind_of(0)));
		assert_true(is_known(kind_of(0)));
	}
	for (uint32_t kind = 0; kind < CP_KEPT; kind++) {
		assert_true(is_known(kind_of(kind)));
	}
}

/* All that are kept can be forgotten at once. */
static void forgotten(void **state)
{
	(void)state;
	begin();
	for (uint32_t kind = 0; kind < CP_KEPT; kind++) {
		(void)is_known(kind_of(kind));
	}
	tmd_kept_init();
	for (uint32_t kind = 0; kind < CP_KEPT; kind++) {
		assert_false(is_known(kind_of(kind)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_stages),  cmocka_unit_test(other_kernel),
		cmocka_unit_test(refused_again),   cmocka_unit_test(in_turns),
		cmocka_unit_test(nearly_the_same), cmocka_unit_test(forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

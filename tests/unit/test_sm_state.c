/* SPDX-License-Identifier: Apache-2.0 */
/* SM state and classes against a plain model: an array of units an SM, and a search.
 * sources: room:sms memory */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "tests/unit/fake_memory.h"

#define SMS   37u
#define KINDS 9u

/* What the model knows of an SM. */
struct plain {
	bool unit_used[32];
	uint32_t ctas;
	uint32_t warps;
};

/* A CTA somewhere. */
struct placed {
	uint32_t sm;
	uint32_t kind;
	uint32_t start;
};

static struct plain plain[SMS];
static struct placed placed[SMS * 8];
static uint32_t placed_count;
static struct task kinds[KINDS];

static void make_kinds(void)
{
	static const uint32_t units[KINDS] = { 1, 1, 2, 3, 5, 8, 10, 16, 32 };
	static const uint32_t warps[KINDS] = { 1, 2, 1, 4, 7, 8, 16, 31, 32 };

	memset(kinds, 0, sizeof(kinds));
	for (uint32_t kind = 0; kind < KINDS; kind++) {
		kinds[kind].rules.needs.units = units[kind];
		kinds[kind].rules.needs.warps = warps[kind];
		kinds[kind].rules.unit_mask = bits_ones(units[kind]);
	}
}

/* First unit of the lowest run of free units from `from` on, or 32. */
static uint32_t plain_run(const bool *used, uint32_t units, uint32_t from)
{
	for (uint32_t start = from; start + units <= 32; start++) {
		uint32_t length = 0;

		while (length < units && !used[start + length]) {
			length++;
		}
		if (length == units) {
			return start;
		}
	}
	return 32;
}

static uint32_t plain_slots(const struct plain *sm, uint32_t kind)
{
	const uint32_t units = kinds[kind].rules.needs.units;
	uint32_t slots = 0;

	for (uint32_t at = plain_run(sm->unit_used, units, 0); at < 32;
	     at = plain_run(sm->unit_used, units, at + units)) {
		slots++;
	}
	const uint32_t by_warps = (64 - sm->warps) / kinds[kind].rules.needs.warps;
	const uint32_t by_ctas = 8 - sm->ctas;

	slots = slots < by_warps ? slots : by_warps;
	return slots < by_ctas ? slots : by_ctas;
}

static void plain_mark(uint32_t sm, uint32_t kind, uint32_t start, bool used)
{
	for (uint32_t unit = 0; unit < kinds[kind].rules.needs.units; unit++) {
		assert_int_not_equal(plain[sm].unit_used[start + unit], used);
		plain[sm].unit_used[start + unit] = used;
	}
	plain[sm].ctas += used ? 1 : -1u;
	plain[sm].warps += used ? kinds[kind].rules.needs.warps : -kinds[kind].rules.needs.warps;
}

static void place(uint32_t kind)
{
	uint32_t rank;

	if (!availability_best(sm_class_levels(&kinds[kind].rules.needs, NULL), &rank)) {
		return;
	}
	const uint32_t sm = sm_state_sm(rank);
	const uint32_t ctas = (uint32_t)rand() % plain_slots(&plain[sm], kind) + 1;
	uint32_t starts = sm_state_reserve(sm, &kinds[kind], ctas);

	assert_int_equal(bits_count(starts), ctas);
	for (; starts != 0; starts &= starts - 1) {
		const uint32_t start = bits_lowest(starts);

		assert_int_equal(start,
				 plain_run(plain[sm].unit_used, kinds[kind].rules.needs.units, 0));
		plain_mark(sm, kind, start, true);
		placed[placed_count++] = (struct placed){ sm, kind, start };
	}
}

static void remove_one(void)
{
	const uint32_t index = (uint32_t)rand() % placed_count;
	const struct placed cta = placed[index];

	sm_state_release(cta.sm, &kinds[cta.kind], 1u << cta.start, 1);
	plain_mark(cta.sm, cta.kind, cta.start, false);
	placed[index] = placed[--placed_count];
}

static void assert_levels(uint32_t kind)
{
	const struct availability *levels = sm_class_levels(&kinds[kind].rules.needs, NULL);

	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(levels->level[sm_state_rank_of(sm)],
				 plain_slots(&plain[sm], kind));
	}
}

/* S1-R45, S0-R31, S0-R35, S1-R49, S1-R52, S1-Q12: free slots are the minimum over the resources, for any mix of
 * classes, after any history; no unit is ever given twice. */
static void levels_are_the_models(void **state)
{
	(void)state;
	srand(7);
	fake_memory_init(SMS);
	fake_sms_init();
	make_kinds();
	memset(plain, 0, sizeof(plain));
	placed_count = 0;
	for (uint32_t step = 0; step < 20000; step++) {
		const uint32_t kind = (uint32_t)rand() % KINDS;

		if (placed_count > 0 && rand() % 5 < 2) {
			remove_one();
		} else {
			place(kind);
		}
		if (step % 16 == 0) {
			assert_levels(kind);
		}
		assert_int_equal(sm_state_resident(), placed_count);
	}
}

static uint32_t idle_slots(uint32_t kind, uint32_t sm)
{
	return sm_class_idle(&kinds[kind].rules.needs, NULL)->level[sm_state_rank_of(sm)];
}

/* S1-R44: levels of idle SMs are right whatever was asked before, and follow SMs that are switched off and on. */
static void idle_levels_stay_right(void **state)
{
	const uint32_t first[CP_SM_WORDS] = { 1 };
	uint32_t slots;

	(void)state;
	fake_memory_init(SMS);
	fake_sms_init();
	make_kinds();
	slots = idle_slots(0, 1);
	assert_int_not_equal(slots, 0);
	(void)sm_class_levels(&kinds[0].rules.needs, first);
	assert_int_equal(idle_slots(0, 1), slots);
	(void)sm_class_idle(&kinds[0].rules.needs, first);
	assert_int_equal(idle_slots(0, 1), slots);
	sm_state_enable(1, false);
	assert_int_equal(idle_slots(0, 1), 0);
	sm_state_enable(1, true);
	for (uint32_t kind = 0; kind < KINDS; kind++) {
		assert_int_equal(idle_slots(kind, 1),
				 sm_state_slots_idle(1, &kinds[kind].rules.needs));
	}
}

/* S0-R32: the next SM in turn is the next by number that has room, round the end. */
static void next_is_by_number(void **state)
{
	uint32_t sm = 99;

	(void)state;
	fake_memory_init(SMS);
	fake_sms_init();
	make_kinds();
	for (uint32_t off = 3; off < SMS; off++) {
		sm_state_enable(off, false);
	}
	assert_true(sm_class_next(&kinds[0].rules.needs, NULL, 0, &sm));
	assert_int_equal(sm, 1);
	assert_true(sm_class_next(&kinds[0].rules.needs, NULL, 2, &sm));
	assert_int_equal(sm, 0);
	sm_state_enable(36, true);
	assert_true(sm_class_next(&kinds[0].rules.needs, NULL, 2, &sm));
	assert_int_equal(sm, 36);
	assert_true(sm_class_next(&kinds[0].rules.needs, NULL, 36, &sm));
	assert_int_equal(sm, 0);
	for (uint32_t off = 0; off < SMS; off++) {
		sm_state_enable(off, false);
	}
	assert_false(sm_class_next(&kinds[0].rules.needs, NULL, 2, &sm));
}

/* S1-R49: registers bound how many CTAs fit, and come back with those that have ended. */
static void registers_come_back(void **state)
{
	(void)state;
	fake_memory_init(SMS);
	const uint32_t registers = device.resources.registers;

	device.resources.registers = 100;
	fake_sms_init();
	make_kinds();
	kinds[0].rules.needs.registers = 40;
	assert_int_equal(sm_state_slots(0, &kinds[0].rules.needs), 2);
	assert_int_equal(sm_state_reserve(0, &kinds[0], 2), 3);
	assert_int_equal(sm_state_slots(0, &kinds[0].rules.needs), 0);
	sm_state_release(0, &kinds[0], 2, 1);
	assert_int_equal(sm_state_slots(0, &kinds[0].rules.needs), 1);
	sm_state_release(0, &kinds[0], 1, 1);
	assert_int_equal(sm_state_slots(0, &kinds[0].rules.needs), 2);
	device.resources.registers = registers;
}

/* The word that an SM acknowledges for a wave, as the CP shows it. */
static uint32_t wave_word(uint32_t serial)
{
	return gg_put(GG_SM_STATE_SLOT, 2) | gg_put(GG_SM_STATE_VALID, 1) |
	       gg_put(GG_SM_STATE_WAVED, 1) | gg_put(GG_SM_STATE_SEQUENCE, serial);
}

/* S0-C2: what an SM has acknowledged is never the word of a later assignment, whatever the numbers of waves between. */
static void acknowledged_words_do_not_come_again(void **state)
{
	static uint32_t given[40];
	const uint32_t count = sizeof(given) / sizeof(given[0]);

	(void)state;
	fake_memory_init(SMS);
	fake_sms_init();
	make_kinds();
	for (uint32_t turn = 0; turn < count; turn++) {
		kinds[turn % 2].turn.slot = (uint8_t)(turn % 2);
		given[turn] = turn % 3 == 0 ? sm_state_assign_first(0, &kinds[turn % 2])
					    : sm_state_assign(0, &kinds[turn % 2]);
		for (uint32_t before = 0; before < turn; before++) {
			assert_int_not_equal(given[turn], given[before]);
		}
		sm_state_assign_as(0, wave_word(turn * 7 % 5));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_the_models),
		cmocka_unit_test(next_is_by_number),
		cmocka_unit_test(idle_levels_stay_right),
		cmocka_unit_test(registers_come_back),
		cmocka_unit_test(acknowledged_words_do_not_come_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

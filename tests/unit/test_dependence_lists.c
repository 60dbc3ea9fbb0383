/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of dependences: what is refused, and leaves no trace.
 * sources: room:finish device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/start/pool.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define DECREMENT GG_DEPENDENCE_ACTION_DECREMENT

static uint64_t held; /* a task that waits for two others */

static void begin(void)
{
	struct gg_tmd tmd = fake_tmd(1);

	fake_device_init(1);
	tmd.dependence_count = 2;
	held = fake_run(1, &tmd);
}

static struct gg_completion refused(const struct gg_tmd *tmd, enum gg_field field)
{
	fake_run(2, tmd);

	const struct gg_completion done = fake_expect(2, GG_ERR_DEPENDENT);

	assert_int_equal(done.field, field);
	assert_int_equal(device.perf->tasks_accepted, 1);
	return done;
}

/* The task that is held still waits for exactly two: nothing refused has left a trace. */
static void expect_two(void)
{
	const struct gg_dependent entries[3] = { fake_edge(held, DECREMENT, 0),
						 fake_edge(held, DECREMENT, 0),
						 fake_edge(held, DECREMENT, 0) };
	struct gg_tmd tmd = fake_tmd(1);

	fake_set_dependents(&tmd, entries, 3);
	refused(&tmd, GG_FIELD_DEPENDENT_TMD);
	fake_set_dependents(&tmd, entries, 2);
	fake_run(3, &tmd);
	fake_take_all();
	assert_int_equal(fake_count(1), 0);
	fake_finish();
	fake_expect(3, GG_OK);
	fake_expect(1, GG_OK);
}

/* S0-R02, S0-R15: each wrong word of an entry has its field, and changes nothing. */
static void entries_are_checked(void **state)
{
	const struct {
		uint32_t action;
		enum gg_field field;
	} cases[] = {
		{ 3, GG_FIELD_DEPENDENT_ACTION },
		{ 15, GG_FIELD_DEPENDENT_ACTION },
		{ 0x10, GG_FIELD_DEPENDENT_ACTION_RESERVED },
		{ 0x10000, GG_FIELD_DEPENDENT_AMOUNT },
		{ GG_DEPENDENCE_ACTION_SCHEDULE | 0x10000, GG_FIELD_DEPENDENT_AMOUNT },
		{ GG_DEPENDENCE_ACTION_INCREMENT_PUT, GG_FIELD_DEPENDENT_AMOUNT },
		{ GG_DEPENDENCE_ACTION_INCREMENT_PUT | 0x10000, GG_FIELD_DEPENDENT_TMD },
	};

	(void)state;
	begin();
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		struct gg_dependent entries[2] = { fake_edge(held, DECREMENT, 0),
						   fake_edge(held, DECREMENT, 0) };
		struct gg_tmd tmd = fake_tmd(1);

		entries[1].action = cases[index].action;
		fake_set_dependents(&tmd, entries, 2);
		refused(&tmd, cases[index].field);
	}
	expect_two();
}

/* S0-R02: a list's place and length. */
static void lists_are_checked(void **state)
{
	const struct gg_dependent entry = { 0 };
	struct gg_tmd good = fake_tmd(1);
	struct gg_tmd tmd;

	(void)state;
	begin();
	good = fake_tmd(1);
	fake_set_dependents(&good, &entry, 1);
	tmd = good;
	tmd.dependent_count = 65;
	assert_int_equal(refused(&tmd, GG_FIELD_TMD_DEPENDENT_COUNT).value_lo, 65);
	tmd.dependent_count = 0;
	refused(&tmd, GG_FIELD_TMD_DEPENDENTS);
	tmd = good;
	tmd.dependents_lo += 2;
	refused(&tmd, GG_FIELD_TMD_DEPENDENTS);
	tmd.dependents_lo = FAKE_HEAP + FAKE_HEAP_SIZE - 12;
	refused(&tmd, GG_FIELD_TMD_DEPENDENTS);
	tmd = fake_tmd(1);
	tmd.dependent_count = 1; /* each word alone */
	refused(&tmd, GG_FIELD_TMD_DEPENDENTS);
	tmd = fake_tmd(1);
	tmd.dependents_hi = 1;
	refused(&tmd, GG_FIELD_TMD_DEPENDENTS);
	tmd = fake_tmd(1);
	tmd.after_hi = 1;
	refused(&tmd, GG_FIELD_TMD_AFTER);
	tmd = fake_tmd(1);
	tmd.after_count = 1;
	refused(&tmd, GG_FIELD_TMD_AFTER);
	tmd = fake_tmd(1);
	tmd.after_lo = good.dependents_lo;
	refused(&tmd, GG_FIELD_TMD_AFTER);
	tmd.after_count = 65;
	refused(&tmd, GG_FIELD_TMD_AFTER_COUNT);
	tmd.after_count = 1;
	((struct gg_dependent *)fake_at(tmd.after_lo))->action = 1;
	refused(&tmd, GG_FIELD_DEPENDENT_ACTION);
	expect_two();
}

/* S0-R15: DECREMENT names a task that is accepted and waits: not an unknown one, not a ready
 * one. */
static void who_may_be_named(void **state)
{
	const uint64_t nobody = FAKE_HEAP + 0x70000;
	struct gg_dependent entry = fake_edge(nobody, DECREMENT, 0);
	struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	begin();
	fake_set_dependents(&tmd, &entry, 1);
	assert_int_equal(refused(&tmd, GG_FIELD_DEPENDENT_TMD).value_lo, gg_low(nobody));
	entry = fake_edge(held, DECREMENT, 0);
	entry.tmd_generation = 1;
	fake_set_dependents(&tmd, &entry, 1);
	refused(&tmd, GG_FIELD_DEPENDENT_TMD);
	entry = fake_edge(FAKE_HEAP + 4, GG_DEPENDENCE_ACTION_SCHEDULE, 0);
	fake_set_dependents(&tmd, &entry, 1);
	refused(&tmd, GG_FIELD_DEPENDENT_TMD);
	entry = fake_edge(FAKE_HEAP - 256, GG_DEPENDENCE_ACTION_SCHEDULE, 0);
	fake_set_dependents(&tmd, &entry, 1);
	refused(&tmd, GG_FIELD_DEPENDENT_TMD);
	expect_two();
}

/* S0-R15: no cycle can be built: the task that would close it has to name one that is not there
 * yet, or to have both `after` and a DECREMENT. */
static void no_cycle(void **state)
{
	struct gg_tmd tmd = fake_tmd(1);
	const struct gg_dependent entry = fake_edge(FAKE_HEAP + 4096 + 256, DECREMENT, 0);

	(void)state;
	begin();
	tmd = fake_tmd(1);
	tmd.dependence_count = 1;
	fake_set_dependents(&tmd, &entry, 1); /* of its own address */
	assert_int_equal(refused(&tmd, GG_FIELD_DEPENDENT_TMD).value_lo, entry.tmd_lo);

	const struct gg_dependent decrement = fake_edge(held, DECREMENT, 0);

	tmd = fake_tmd(1);
	fake_set_dependents(&tmd, &decrement, 1);
	fake_set_after(&tmd, &held, 1);
	refused(&tmd, GG_FIELD_DEPENDENT_TMD);
	expect_two();
}

/* S0-R15: a list that closes a ready task's counter can name it only while that is held. */
static void not_named_twice(void **state)
{
	(void)state;
	begin();

	const struct gg_dependent entry = fake_edge(held, DECREMENT, 0);
	struct gg_tmd tmd = fake_tmd(1);

	fake_set_dependents(&tmd, &entry, 1);
	fake_run(5, &tmd);
	fake_run(6, &tmd);
	fake_run(7, &tmd);
	assert_int_equal(fake_expect(7, GG_ERR_DEPENDENT).field, GG_FIELD_DEPENDENT_TMD);
	fake_take_all();
	fake_end_all();
	fake_expect(5, GG_OK);
	fake_expect(6, GG_OK);
	fake_run(8, &tmd); /* it runs now */
	fake_expect(8, GG_ERR_DEPENDENT);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* S0-R11: what dependences take of the pool is given back: more of them go through than it
 * holds. */
static void edges_are_given_back(void **state)
{
	struct gg_dependent entries[64];
	struct gg_tmd waiting = fake_tmd(1);
	struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	fake_device_init(1);
	waiting.dependence_count = 64;
	const uint64_t address = fake_put_tmd(&waiting);

	for (uint32_t index = 0; index < 64; index++) {
		entries[index] = fake_edge(address, DECREMENT, 0);
	}
	fake_set_dependents(&tmd, entries, 64);
	const uint64_t source = fake_put_tmd(&tmd);

	for (uint32_t round = 0; round < 2 * FAKE_TASKS * POOL_EDGES / 64; round++) {
		fake_submit_at(0, 1, address);
		fake_submit_at(0, 2, source);
		fake_finish();
		fake_expect(2, GG_OK);
		fake_expect(1, GG_OK);
	}
}

/* A task may wait for as many as a signed number counts, and for no more. */
static void the_most_to_wait_for(void **state)
{
	struct gg_tmd tmd = fake_tmd(1);
	struct gg_completion done;

	(void)state;
	fake_device_init(1);
	tmd.dependence_count = INT32_MAX;
	fake_run(1, &tmd);
	fake_expect_none();
	assert_int_equal(device.perf->tasks_accepted, 1);
	tmd.dependence_count++;
	fake_run(2, &tmd);
	done = fake_expect(2, GG_ERR_DEPENDENT);
	assert_int_equal(done.field, GG_FIELD_TMD_DEPENDENCE_COUNT);
	assert_int_equal(done.value_lo, tmd.dependence_count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_most_to_wait_for),
		cmocka_unit_test(entries_are_checked),
		cmocka_unit_test(lists_are_checked),
		cmocka_unit_test(who_may_be_named),
		cmocka_unit_test(no_cycle),
		cmocka_unit_test(not_named_twice),
		cmocka_unit_test(edges_are_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

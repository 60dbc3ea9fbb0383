/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs on the control processor: what is refused, whole, with the place.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_graph.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"

#define NONE UINT32_MAX

static struct fake_graph graph;

/* Every word of the descriptor. */
static void bad_descriptors(void **state)
{
	const struct {
		uint32_t word;
		uint32_t value;
		uint32_t field;
		uint64_t shown;
	} cases[] = {
		{ 0, 3, GG_FIELD_GRAPH_EMPHASIS, 3 },
		{ 0, 8, GG_FIELD_GRAPH_GRAPH_RESERVED, 8 },
		{ 1, 9, GG_FIELD_GRAPH_PROGRAM_BYTES, 0 },
		{ 2, 0x1000, GG_FIELD_GRAPH_PROGRAM, 0x1000 },
		{ 3, 1, GG_FIELD_GRAPH_PROGRAM, 0 },
		{ 4, 12, GG_FIELD_GRAPH_PROGRAM_BYTES, 12 },
		{ 5, 65, GG_FIELD_GRAPH_ARGUMENT_COUNT, 65 },
		{ 6, 4, GG_FIELD_GRAPH_ARGUMENTS, 4 },
		{ 8, 0x1000, GG_FIELD_GRAPH_SPACE, 0x1000 },
		{ 10, 16383, GG_FIELD_GRAPH_SPACE_BYTES, 16383 },
		{ 12, 0x1000, GG_FIELD_GRAPH_REPORT, 0x1000 },
		{ 19, 1, GG_FIELD_GRAPH_GRAPH_RESERVED_4C, 1 },
	};

	(void)state;
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		fake_graph_pass(&graph, fake_graph_fresh(&graph, 4, 1), NONE, NONE);

		const struct gg_tmd tmd = fake_graph_put(&graph);
		uint32_t *words = fake_at(tmd.queue_lo);
		struct gg_completion completion;

		words[cases[index].word] = cases[index].value;
		fake_run(1, &tmd);
		fake_settle(50);
		completion = fake_expect(1, GG_ERR_GRAPH_FORMAT);
		assert_int_equal(completion.field, cases[index].field);
		if (cases[index].shown != 0) {
			assert_int_equal(completion.value_lo, cases[index].shown);
		}
		assert_int_equal(task_pool_free(), task_pool_capacity());
	}
}

/* S2-Q22: what the descriptor names lies in the context's heap to its last byte, and as it has to be aligned. */
static void bad_places(void **state)
{
	static const struct {
		uint32_t word, bytes, align, field;
	} cases[] = {
		{ 2, 4, 8, GG_FIELD_GRAPH_PROGRAM },
		{ 6, 0, 8, GG_FIELD_GRAPH_ARGUMENTS },
		{ 8, 10, 64, GG_FIELD_GRAPH_SPACE },
		{ 12, 14, 8, GG_FIELD_GRAPH_REPORT },
	};

	(void)state;
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		for (uint32_t how = 0; how < 3; how++) {
			fake_graph_pass(&graph, fake_graph_fresh(&graph, 4, 1), NONE, NONE);
			graph.argument_count = 8;
			const struct gg_tmd tmd = fake_graph_put(&graph);
			uint32_t *words = fake_at(tmd.queue_lo);
			const uint32_t bytes =
				cases[index].bytes != 0 ? words[cases[index].bytes] : 8 * 8;
			const uint32_t align = cases[index].align;
			const uint32_t last = (FAKE_HEAP_SIZE - bytes) / align * align;
			const uint32_t places[] = { FAKE_HEAP + last, FAKE_HEAP + last + align,
						    words[cases[index].word] + align / 2 };

			/* the program at its end of the heap, too */
			memmove(fake_at(FAKE_HEAP + last), fake_at(words[cases[index].word]),
				bytes);
			words[cases[index].word] = places[how];
			fake_run(1, &tmd);
			if (how != 0) {
				fake_graph_refused(GG_ERR_GRAPH_FORMAT, cases[index].field,
						   places[how]);
				continue;
			}
			fake_finish();
			fake_expect(1, GG_OK);
		}
	}
}

/* S2-Q22: the descriptor itself lies in the context's heap, to its last byte, and is aligned. */
static void bad_places_of_descriptors(void **state)
{
	const uint32_t last = (FAKE_HEAP_SIZE - sizeof(struct gg_graph)) / 8 * 8;
	const uint32_t places[] = { FAKE_HEAP + last, FAKE_HEAP + last + 8, FAKE_HEAP + last - 4,
				    FAKE_HEAP - 8 };

	(void)state;
	for (uint32_t index = 0; index < sizeof(places) / sizeof(places[0]); index++) {
		fake_graph_pass(&graph, fake_graph_fresh(&graph, 4, 1), NONE, NONE);
		struct gg_tmd tmd = fake_graph_put(&graph);

		memcpy(fake_at(places[0]), fake_at(tmd.queue_lo), sizeof(struct gg_graph));
		tmd.queue_lo = places[index];
		fake_run(1, &tmd);
		if (index != 0) {
			fake_graph_refused(GG_ERR_GRAPH_FORMAT, GG_FIELD_TMD_QUEUE, places[index]);
			continue;
		}
		fake_finish();
		fake_expect(1, GG_OK);
	}
}

/* S2-Q22: a program that is wrong anywhere is refused whole, with the place. */
static void bad_programs(void **state)
{
	(void)state;
	fake_graph_pass(&graph, fake_graph_fresh(&graph, 4, 1), NONE, NONE);
	fake_graph_step(&graph, GG_GRAPH_OP_JUMP, 0, 0, 0, 100);
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_expect(1, GG_ERR_GRAPH_JUMP).value_lo, 2);
	assert_int_equal(fake_take_all(), 0);

	fake_graph_pass(&graph, fake_graph_fresh(&graph, 4, 1), NONE, NONE);
	fake_graph_step(&graph, GG_GRAPH_OP_JUMP, 0, 0, 0, 2);
	graph.settings.step_budget = 1000;
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_GRAPH_BUDGET, GG_FIELD_GRAPH_STEP_BUDGET, 2);

	(void)fake_graph_fresh(&graph, 4, 1);
	fake_graph_step(&graph, GG_GRAPH_OP_STATE, 0, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_AFTERI, 0, 0, 0, 1);
	fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_AFTERI, 0, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
	fake_graph_run(&graph, 1);
	assert_in_range(fake_expect(1, GG_ERR_GRAPH_CYCLE).value_lo, 0, 1);
	assert_int_equal(fake_take_all(), 0);
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* S2-R22: what a command sets, and what a pass cannot have, is not in a state: each of these words is zero. */
static void words_of_states(void **state)
{
	static const struct {
		size_t at;
		uint32_t field;
	} cases[] = {
		{ offsetof(struct gg_tmd, args_bytes), GG_FIELD_TMD_ARGS_BYTES },
		{ offsetof(struct gg_tmd, dependent_count), GG_FIELD_TMD_DEPENDENT_COUNT },
		{ offsetof(struct gg_tmd, dependence_count), GG_FIELD_TMD_DEPENDENCE_COUNT },
		{ offsetof(struct gg_tmd, after_count), GG_FIELD_TMD_AFTER_COUNT },
		{ offsetof(struct gg_tmd, semaphore0_op), GG_FIELD_TMD_SEMAPHORE0_OP },
		{ offsetof(struct gg_tmd, semaphore1_op), GG_FIELD_TMD_SEMAPHORE1_OP },
		{ offsetof(struct gg_tmd, window_count), GG_FIELD_TMD_WINDOW_COUNT },
		{ offsetof(struct gg_tmd, print_bytes), GG_FIELD_TMD_PRINT_BYTES },
		{ offsetof(struct gg_tmd, resume_lo), GG_FIELD_TMD_RESUME },
		{ offsetof(struct gg_tmd, resume_hi), GG_FIELD_TMD_RESUME },
		{ offsetof(struct gg_tmd, queue_items), GG_FIELD_TMD_QUEUE_ITEMS },
	};

	(void)state;
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		fake_graph_pass(&graph, fake_graph_fresh(&graph, 4, 1), NONE, NONE);
		((uint32_t *)&graph.states[0])[cases[index].at / 4] = 3;
		fake_graph_run(&graph, 1);
		fake_graph_refused(GG_ERR_GRAPH_FORMAT, cases[index].field, 3);
	}
}

/* States are grids that could run, without what a pass cannot have. */
static void bad_states(void **state)
{
	struct gg_tmd tmd;

	(void)state;
	(void)fake_graph_fresh(&graph, 4, 1);
	tmd = fake_tmd(1);
	tmd.args_bytes = 16;
	fake_graph_pass(&graph, fake_graph_state(&graph, tmd), NONE, NONE);
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_GRAPH_FORMAT, GG_FIELD_TMD_ARGS_BYTES, 16);

	(void)fake_graph_fresh(&graph, 4, 1);
	fake_graph_pass(
		&graph,
		fake_graph_state(&graph, fake_with_type(fake_tmd(1), GG_TASK_TYPE_GRID_NULL)), NONE,
		NONE);
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_GRAPH_FORMAT, GG_FIELD_TMD_TYPE, GG_TASK_TYPE_GRID_NULL);

	(void)fake_graph_fresh(&graph, 4, 1);
	tmd = fake_tmd(1);
	tmd.shared_bytes = 1 << 20;
	fake_graph_pass(&graph, fake_graph_state(&graph, tmd), NONE, NONE);
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_SHARED_TOO_LARGE, GG_FIELD_TMD_SHARED_BYTES, 1 << 20);

	(void)fake_graph_fresh(&graph, 4, 1);
	fake_graph_pass(&graph, fake_graph_state(&graph, fake_tmd(1)), NONE, NONE);
	graph.states[1].context = 9;
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_CONTEXT, GG_FIELD_TMD_CONTEXT, 9);
}

/* S2-Q12: more than a budget can never run: refused, with what it needs. */
static void too_much_for_a_budget(void **state)
{
	static const enum gg_graph_need kinds[] = { GG_GRAPH_NEED_MEMORY, GG_GRAPH_NEED_BANDWIDTH,
						    GG_GRAPH_NEED_USER };

	(void)state;
	for (uint32_t index = 0; index < sizeof(kinds) / sizeof(kinds[0]); index++) {
		const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);

		fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, 2000);
		fake_graph_step(&graph, GG_GRAPH_OP_NEED, 0, 1, kinds[index], 0);
		fake_graph_pass(&graph, kernel, NONE, NONE);
		graph.settings.budgets[kinds[index]] = 1999;
		fake_graph_run(&graph, 1);
		fake_graph_refused(GG_ERR_GRAPH_MEMORY, GG_FIELD_GRAPH_BUDGETS, 2000);
	}
}

/* S2-Q12, S2-Q22: a long program is looked at in several turns of the loop, to its last step and its last pass. */
static void behind_the_first_turn(void **state)
{
	uint32_t kernel = fake_graph_fresh(&graph, 4, 1);

	(void)state;
	fake_graph_pass(&graph, kernel, NONE, NONE);
	for (uint32_t step = 2; step < 900; step++) {
		fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, step);
	}
	fake_graph_step(&graph, GG_GRAPH_OP_JUMP, 0, 0, 0, 1000);
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_expect(1, GG_ERR_GRAPH_JUMP).value_lo, 900);
	assert_int_equal(fake_take_all(), 0);

	kernel = fake_graph_fresh(&graph, 4, 1);
	for (uint32_t pass = 0; pass < 200; pass++) {
		fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, 100 + pass);
		fake_graph_step(&graph, GG_GRAPH_OP_NEED, 0, 1, GG_GRAPH_NEED_USER, 0);
		fake_graph_pass(&graph, kernel, NONE, NONE);
	}
	graph.settings.budgets[GG_GRAPH_NEED_USER] = 298;
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_GRAPH_MEMORY, GG_FIELD_GRAPH_BUDGETS, 299);
}

/* A graph without a pass is done at once. */
static void empty(void **state)
{
	(void)state;
	(void)fake_graph_fresh(&graph, 4, 1);
	fake_graph_run(&graph, 1);
	fake_expect(1, GG_OK);
	assert_int_equal(fake_graph_report(&graph)->passes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_descriptors),
		cmocka_unit_test(bad_places),
		cmocka_unit_test(bad_places_of_descriptors),
		cmocka_unit_test(words_of_states),
		cmocka_unit_test(bad_programs),
		cmocka_unit_test(bad_states),
		cmocka_unit_test(too_much_for_a_budget),
		cmocka_unit_test(behind_the_first_turn),
		cmocka_unit_test(empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

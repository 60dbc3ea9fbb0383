/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs on the control processor: places of the task pool, and the work of a turn.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_graph.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/graph/graph_kept.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/accept/submit.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"

#define NONE UINT32_MAX

static struct fake_graph graph;

/* A graph of passes one after the other. */
static void chain(uint32_t ctas, uint32_t passes)
{
	const uint32_t kernel = fake_graph_fresh(&graph, 4, ctas);
	const uint32_t buffer = fake_graph_buffer(&graph, 64);

	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_graph_pass(&graph, kernel, NONE, buffer);
	}
}

/* Take places of the pool until so many are free; they are given back at the end. */
static void *taken[FAKE_TASKS];
static uint32_t taken_count;

static void fill_pool(uint32_t left)
{
	while (task_pool_free() > left) {
		taken[taken_count++] = task_take_place();
	}
}

static void empty_pool(void)
{
	while (taken_count != 0) {
		task_give_place(taken[--taken_count]);
	}
}

/* S0-R11, S2-Q20: what fills the pool may wait for the graph, so the graph goes on, if slowly, and nobody spins. */
static void a_full_pool_does_not_stop_a_graph(void **state)
{
	(void)state;
	chain(8, 3);
	graph.settings.split_ctas = 1;
	const uint64_t address = fake_graph_put_again(&graph);

	fake_submit_at(0, 1, address);
	fake_settle(300);
	assert_int_equal(fake_take_all(), 8);
	fill_pool(SUBMIT_RESERVE);
	fake_end_all();
	fake_settle(300);
	assert_int_equal(fake_take_all(), 8);
	fake_end_all();
	fill_pool(1);
	fake_finish();
	fake_expect(1, GG_OK);
	empty_pool();
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* S0-R11, S2-Q20: a kernel's graph takes two places at once, and a third one to check its states and for its pass. With
 * fewer it is refused, or fails; it gives back what it took. */
static void a_kernels_graph_takes_three_places(void **state)
{
	static const struct {
		enum gg_status answer, end;
		uint32_t free, ctas;
	} expected[] = { { GG_ERR_NO_MEMORY, GG_OK, 0, 1 },
			 { GG_ERR_NO_MEMORY, GG_OK, 1, 1 },
			 { GG_OK, GG_ERR_NO_MEMORY, 2, 0 },
			 { GG_OK, GG_OK, 0, 1 } };

	(void)state;
	for (uint32_t left = 0; left < 4; left++) {
		chain(1, 1);
		fake_graph_post(1, fake_graph_put_again(&graph));
		fake_settle(300);
		assert_int_equal(fake_take_all(), 1);
		fill_pool(left);
		assert_int_equal(fake_launch(fake_find(1), fake_graph_put_again(&graph)),
				 expected[left].answer);
		assert_int_equal(task_pool_free(), expected[left].free);
		empty_pool();
		loop_wake();
		fake_stop_all();
		fake_finish();
		assert_int_equal(fake_expect(1, expected[left].end).ctas_lo, expected[left].ctas);
		assert_int_equal(task_pool_free(), task_pool_capacity());
	}
}

/* A definition with two commands, invoked once. */
static void two_commands(uint32_t kernel)
{
	fake_graph_step(&graph, GG_GRAPH_OP_INVOKE, 0, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_END, 0, 0, 0, 0);
	graph.definitions[graph.definition_count++] =
		(struct gg_graph_definition){ .first = 2, .count = 3 };
	fake_graph_step(&graph, GG_GRAPH_OP_STATE, 0, 0, 0, kernel);
	fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
}

/* S2-Q14, S0-R11: a pass whose next command finds no place, since another task was faster, goes on when there is one;
 * the control processor sleeps meanwhile. */
static void a_starved_pass_goes_on(void **state)
{
	(void)state;
	two_commands(fake_graph_fresh(&graph, 4, 1));
	fake_graph_post(1,
			fake_graph_put_again(&graph)); /* on SM 0, whose reports are read first */
	fake_settle(300);
	const struct gg_dependent follows =
		fake_edge(fake_put_own(fake_tmd(1)), GG_DEPENDENCE_ACTION_SCHEDULE, 0);
	struct gg_tmd tmd = fake_own(fake_tmd(1));

	fake_set_dependents(&tmd, &follows, 1);
	fake_graph_post(2, fake_put_tmd(&tmd));
	fake_settle(300);
	assert_int_equal(fake_take_all(), 2);
	fill_pool(0);
	fake_end(fake_find(1), GG_OK);
	fake_end(fake_find(2), GG_OK);
	fake_settle(300);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_count(2), 1);
	fake_end_all();
	fake_settle(300);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_count(1), 1);
	fake_expect(2, GG_OK);
	empty_pool();
	fake_finish();
	fake_expect(1, GG_OK);
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* S0-R23, S2-R82: CTAs of a sequential grid run one after the other, so it has no parts. */
static void a_sequential_grid_is_not_split(void **state)
{
	(void)state;
	chain(6, 1);
	graph.states[0].header |= GG_TMD_SEQUENTIAL;
	graph.settings.split_ctas = 2;
	fake_graph_post(1, fake_graph_put_again(&graph));
	fake_settle(1000);
	assert_int_equal(fake_take_all(), 1);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 6);
}

static uint32_t count_words(const uint32_t *words, uint32_t count)
{
	uint32_t set = 0;

	for (uint32_t word = 0; word < count; word++) {
		set += words[word] != 0;
	}
	return set;
}

/* One turn after the other: in none of them more than so many words are written. All are, in the end. Returns in how
 * many turns. */
static uint32_t run_turns(const uint32_t *words, uint32_t count, uint32_t most)
{
	uint32_t turns = 0;
	bool more = true;

	while (more) {
		const uint32_t before = count_words(words, count);

		loop_wake();
		more = loop_turn();
		const uint32_t written = count_words(words, count) - before;

		assert_in_range(written, 0, most);
		turns += written != 0;
	}
	assert_int_equal(count_words(words, count), count);
	return turns;
}

/* A pass, or a definition's end, that writes a word. */
static void signal_word(uint32_t buffer, uint32_t byte)
{
	fake_graph_step(&graph, GG_GRAPH_OP_SIGNAL, buffer, 1, 0, byte);
}

/* S2-Q3: a graph whose first pass finds no place, and none of whose tasks will end, begins when there is one. */
static void a_starved_graph_begins(void **state)
{
	(void)state;
	fake_device_init(4);
	fake_graph_begin(&graph);
	const uint32_t buffer = fake_graph_buffer(&graph, 64);
	const uint32_t *word = fake_at(graph.resources[buffer].address_lo);

	fake_graph_use(&graph, GG_GRAPH_OP_WRITE, buffer);
	fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, 1);
	signal_word(63, 0);
	fake_graph_post(1, fake_graph_put_again(&graph));
	fake_turn(); /* it is accepted before */
	fill_pool(0);
	fake_settle(300);
	fake_expect_none();
	assert_int_equal(*word, 0);
	empty_pool();
	loop_wake();
	fake_settle(300);
	fake_expect(1, GG_OK);
	assert_int_equal(*word, 1);
}

/* S0-R15, S2-R29: what the control processor does for a graph in a turn has a bound, also within a pass. As
 * long as there is enough to do, it does as much as that. */
static void commands_of_a_turn(void **state)
{
	(void)state;
	(void)fake_graph_fresh(&graph, 4, 1);
	const uint32_t buffer = fake_graph_buffer(&graph, 256);

	fake_graph_step(&graph, GG_GRAPH_OP_RESOURCE, 63, 0, 0, buffer);
	fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, 1);
	for (uint32_t number = 0; number < 4; number++) {
		fake_graph_step(&graph, GG_GRAPH_OP_INVOKE, 0, 0, 0, number);
	}
	fake_graph_step(&graph, GG_GRAPH_OP_END, 0, 0, 0, 0);
	for (uint32_t number = 0; number < 4; number++) {
		graph.definitions[graph.definition_count++] =
			(struct gg_graph_definition){ .first = graph.step_count, .count = 17 };
		fake_graph_step(&graph, GG_GRAPH_OP_SHARE, 63, 0, 0, 0);
		for (uint32_t word = 0; word < 16; word++) {
			signal_word(63, number * 64 + word * 4);
		}
	}
	fake_graph_step(&graph, GG_GRAPH_OP_END, 0, 0, 0, 0);
	fake_graph_post(1, fake_graph_put_again(&graph));
	assert_int_equal(run_turns(fake_at(graph.resources[buffer].address_lo), 64, 8), 8);
	fake_expect(1, GG_OK);
}

/* S0-R15, S2-Q20: of many graphs that have something to do a few have their turn; none is forgotten. */
static void graphs_of_a_turn(void **state)
{
	(void)state;
	const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);
	const uint32_t gate = fake_graph_buffer(&graph, 64);
	const uint32_t words = fake_graph_buffer(&graph, 128);

	fake_graph_pass(&graph, kernel, NONE, gate);
	fake_graph_use(&graph, GG_GRAPH_OP_READ, gate);
	fake_graph_use(&graph, GG_GRAPH_OP_WRITE, words);
	fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, 1);
	signal_word(63, 0);
	const uint32_t last = graph.step_count - 1;

	graph.space_bytes = 64 * 256;
	graph.report_passes = 1;
	for (uint32_t tag = 0; tag < 24; tag++) {
		graph.steps[last].imm = tag * 4;
		fake_graph_post(tag, fake_graph_put_again(&graph));
		fake_settle(1000);
	}
	assert_int_equal(fake_take_all(), 24);
	while (fake_cta_count != 0) {
		fake_end(0, GG_OK);
	}
	(void)run_turns(fake_at(graph.resources[words].address_lo), 24, 8);
	for (uint32_t tag = 0; tag < 24; tag++) {
		struct gg_completion done;

		assert_true(fake_completion(&done));
		assert_int_equal(done.status, GG_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_pool_does_not_stop_a_graph),
		cmocka_unit_test(a_kernels_graph_takes_three_places),
		cmocka_unit_test(a_starved_pass_goes_on),
		cmocka_unit_test(a_starved_graph_begins),
		cmocka_unit_test(a_sequential_grid_is_not_split),
		cmocka_unit_test(commands_of_a_turn),
		cmocka_unit_test(graphs_of_a_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

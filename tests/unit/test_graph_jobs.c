/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs on the control processor: commands, arguments, kept graphs.
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
#include "firmware/cp/graph/graph_job.h"
#include "firmware/cp/graph/graph_kept.h"
#include "firmware/cp/graph/graph_store.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/task/quarantine.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"

#define NONE UINT32_MAX

static struct fake_graph graph;
static _Alignas(16) unsigned char store[1u << 20];

/* S2-R29 (copy, clear, synchronisation), S2-R83, S2-R97, S2-Q14: small copies and fills and signals are done in order, each after the
 * one before; the signal is seen last. */
static void commands_of_the_cp(void **state)
{
	(void)state;
	(void)fake_graph_fresh(&graph, 4, 1);
	const uint32_t from = fake_graph_buffer(&graph, 64);
	const uint32_t to = fake_graph_buffer(&graph, 64);
	uint8_t *bytes = fake_at(graph.resources[from].address_lo);
	const uint8_t *copy = fake_at(graph.resources[to].address_lo);
	const uint32_t *words = (const uint32_t *)(const void *)copy;

	for (uint8_t index = 0; index < 64; index++) {
		bytes[index] = (uint8_t)(index + 1);
	}
	fake_graph_step(&graph, GG_GRAPH_OP_RESOURCE, 40, 0, 0, from);
	fake_graph_step(&graph, GG_GRAPH_OP_RESOURCE, 41, 0, 0, to);
	fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, 0x04030201);
	fake_graph_step(&graph, GG_GRAPH_OP_READ, 40, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_WRITE, 41, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_COPY, 41, 40, 255, 40);
	fake_graph_step(&graph, GG_GRAPH_OP_WRITE, 41, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_FILL, 41, 1, 255, 7);
	fake_graph_step(&graph, GG_GRAPH_OP_WRITE, 41, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_SIGNAL, 41, 1, 0, 60);
	fake_graph_run(&graph, 1);
	fake_expect(1, GG_OK);
	assert_int_equal(words[0], 0x04030201);
	assert_int_equal(copy[4], 1);
	assert_int_equal(copy[6], 3);
	assert_int_equal(copy[7], 8); /* of the copy */
	assert_int_equal(copy[39], 40);
	assert_int_equal(copy[40], 0);
	assert_int_equal(words[15], 0x04030201);
	assert_int_equal(fake_graph_report(&graph)->passes, 3);
}

static const struct gg_tmd *tmd_of(uint32_t cta)
{
	return &task_table_holder(fake_ctas[cta].slot)->tmd;
}

/* S2-R24, S2-R25, S2-R100, S2-V7: each pass has its own parameters, as they are when it runs: constants, variables, arguments of
 * the graph, addresses; and its own grid. */
static void arguments(void **state)
{
	(void)state;
	const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);
	const uint32_t buffer = fake_graph_buffer(&graph, 64);
	const uint32_t transient = fake_graph_transient(&graph, 64);

	graph.argument_count = 2;
	graph.arguments[1] = 0x123456789abcdef0;
	fake_graph_step(&graph, GG_GRAPH_OP_RESOURCE, 40, 0, 0, buffer);
	fake_graph_step(&graph, GG_GRAPH_OP_RESOURCE, 41, 0, 0, transient);
	fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, (uint32_t)-5);
	fake_graph_step(&graph, GG_GRAPH_OP_SET, 2, 0, 0, 3);
	fake_graph_step(&graph, GG_GRAPH_OP_READ, 40, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_WRITE, 41, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_STATE, 0, 0, 0, kernel);
	fake_graph_step(&graph, GG_GRAPH_OP_GRID, 2, 255, 255, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_CONST, 0, 0, 4, 77);
	fake_graph_step(&graph, GG_GRAPH_OP_VALUE, 1, 0, 8, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_PARAMETER, 0, 0, 8, 1);
	fake_graph_step(&graph, GG_GRAPH_OP_CONST, 0, 0, 4, 78);
	fake_graph_step(&graph, GG_GRAPH_OP_ADDRESS, 40, 255, 0, 16);
	fake_graph_step(&graph, GG_GRAPH_OP_ADDRESS, 41, 255, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 3);

	const struct gg_tmd *tmd = tmd_of(0);
	const uint8_t *block = fake_at(tmd->args_lo);
	uint64_t words[6];

	assert_int_equal(tmd->args_bytes, 48);
	memcpy(words, block, 48);
	assert_int_equal((uint32_t)words[0], 77);
	assert_int_equal(words[1], (uint64_t)-5);
	assert_int_equal(words[2], 0x123456789abcdef0);
	assert_int_equal((uint32_t)words[3], 78);
	assert_int_equal(words[4], graph.resources[buffer].address_lo + 16);
	assert_in_range(words[5], graph.space + 64 * 256, graph.space + graph.space_bytes - 64);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* What is needed only to make a graph is gone when it runs. */
static void what_made_it_is_gone(void **state)
{
	(void)state;
	fake_graph_pass(&graph, fake_graph_fresh(&graph, 4, 1), NONE, NONE);
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 1);
	assert_null(task_table_holder(fake_ctas[0].slot)->source.parent->graph->making);
	fake_finish();
	fake_expect(1, GG_OK);
}

static uint32_t keep(void)
{
	graph.settings.mode = GG_GRAPH_KEEP;
	fake_graph_run(&graph, 1);
	graph.settings.mode = 0;

	const struct gg_completion completion = fake_expect(1, GG_OK);

	assert_int_not_equal(completion.value_lo, 0);
	assert_int_equal(fake_take_all(), 0);
	return completion.value_lo;
}

static void make_kept(void)
{
	const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);
	const uint32_t buffer = graph.resource_count++;

	graph.argument_count = 2;
	graph.resources[buffer] = (struct gg_graph_resource){
		.kind = GG_GRAPH_RESOURCE_KIND_ARGUMENT,
		.argument = 0,
		.bytes_lo = 64,
	};
	graph.arguments[0] = fake_alloc(64);
	graph.arguments[1] = 5;
	fake_graph_step(&graph, GG_GRAPH_OP_RESOURCE, 40, 0, 0, buffer);
	fake_graph_step(&graph, GG_GRAPH_OP_WRITE, 40, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_STATE, 0, 0, 0, kernel);
	fake_graph_step(&graph, GG_GRAPH_OP_ADDRESS, 40, 255, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_PARAMETER, 0, 0, 8, 1);
	fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
}

static void free_graph(uint32_t tag, uint32_t handle, enum gg_status status)
{
	fake_post(1, (struct gg_command){
			     .header = GG_OPCODE_GRAPH, .tag = tag, .argument1 = handle });
	fake_settle(50);
	const struct gg_completion completion = fake_expect(tag, status);

	assert_int_equal(completion.field, status == GG_OK ? 0 : GG_FIELD_COMMAND_ARGUMENT1);
	assert_int_equal(completion.value_lo, status == GG_OK ? 0 : handle);
}

/* A kept graph is launched again with other arguments and another priority, and none of its steps is executed again. */
static void kept_and_launched(void **state)
{
	(void)state;
	make_kept();
	graph.settings.handle = keep();

	const uint32_t steps = fake_graph_report(&graph)->steps;

	assert_true(steps >= 6);
	for (uint32_t launch = 0; launch < 3; launch++) {
		graph.arguments[0] = fake_alloc(64);
		graph.arguments[1] = launch;

		const struct gg_tmd task = fake_with_priority(fake_graph_put(&graph), 3 + launch);

		fake_run(2, &task);
		fake_settle(200);
		assert_int_equal(fake_take_all(), 1);
		assert_int_equal(device.slots[fake_ctas[0].slot].priority, 3 + launch);
		assert_int_equal(gg_get(tmd_of(0)->header, GG_TMD_PRIORITY), 3 + launch);

		const uint64_t *block = fake_at(tmd_of(0)->args_lo);

		assert_int_equal(block[0], graph.arguments[0]);
		assert_int_equal(block[1], launch);
		fake_finish();
		fake_expect(2, GG_OK);
		assert_int_equal(fake_graph_report(&graph)->steps, steps);
	}
	free_graph(3, graph.settings.handle, GG_OK);
	free_graph(4, graph.settings.handle, GG_ERR_GRAPH_HANDLE);
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_GRAPH_HANDLE, GG_FIELD_GRAPH_HANDLE, graph.settings.handle);
}

/* A place of a kept graph that is freed is free for another one, as often as one likes; each handle is a new one. */
static void kept_and_freed_again(void **state)
{
	uint32_t before = 0;

	(void)state;
	make_kept();
	graph.settings.mode = GG_GRAPH_KEEP;
	const uint64_t address = fake_graph_put_again(&graph);

	for (uint32_t round = 0; round < 2 * GRAPH_KEPT; round++) {
		fake_graph_post(2, address);
		fake_settle(100);
		const uint32_t handle = fake_expect(2, GG_OK).value_lo;

		assert_int_not_equal(handle, 0);
		assert_int_not_equal(handle, before);
		free_graph(3, handle, GG_OK);
		before = handle;
	}
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* After a restart of the control processor handles begin where those of before have not been: 65,536 graphs further on for each. */
static void handles_after_a_restart(void **state)
{
	(void)state;
	make_kept();
	device.cap->resets = 3;
	graph_kept_init();
	assert_int_equal(keep() / GRAPH_KEPT, 3 * 65536 + 1);
}

/* S2-Q20: when as many graphs are kept as can be, another one is refused, and leaves nothing; a place that is freed is used
 * again. After a start of the device all places are free. */
static void no_place_to_be_kept(void **state)
{
	(void)state;
	for (uint32_t start = 0; start < 2; start++) {
		uint32_t handles[GRAPH_KEPT];

		make_kept();
		graph_init(store, sizeof(store));
		graph.settings.mode = GG_GRAPH_KEEP;
		const uint64_t address = fake_graph_put_again(&graph);

		for (uint32_t place = 0; place < GRAPH_KEPT; place++) {
			fake_graph_post(2, address);
			fake_settle(100);
			handles[place] = fake_expect(2, GG_OK).value_lo;
			assert_int_equal(handles[place], (place + 1) * GRAPH_KEPT + place);
		}
		fake_graph_post(1, address);
		fake_settle(100);
		fake_graph_refused(GG_ERR_BUSY, GG_FIELD_GRAPH_KEEP, GRAPH_KEPT);
		assert_int_equal(graph_store_blocks(), GRAPH_KEPT);
		free_graph(3, handles[40], GG_OK);
		fake_graph_post(2, address);
		fake_settle(100);
		assert_int_equal(fake_expect(2, GG_OK).value_lo,
				 (GRAPH_KEPT + 1) * GRAPH_KEPT + 40);
		assert_int_equal(graph_kept_count(), GRAPH_KEPT);
	}
}

/* S2-Q19: more passes than there are argument blocks cannot start, because the device has learnt since that their kernel hangs:
 * all of them fail, one after the other, and the graph ends. */
static void no_pass_can_start(void **state)
{
	const uint32_t passes = 2 * GRAPH_FLIGHTS;
	const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);

	(void)state;
	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_graph_pass(&graph, kernel, NONE, NONE);
	}
	graph.settings.handle = keep();
	quarantine_add(gg_join(graph.states[0].entry_lo, graph.states[0].entry_hi), 3);
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_QUARANTINE, GG_FIELD_GRAPH_PASS_STATE, 0);
	assert_int_equal(fake_graph_report(&graph)->failed, passes);
}

/* S2-Q12, S2-R38: what a pass states that it needs of the units counts, also when its grid would take more; more than the
 * budget is as much as the budget. */
static void stated_units(void **state)
{
	static const uint32_t cases[] = { 0, 5, 11 };
	static const uint32_t counted[] = { 8, 5, 10 };

	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		const uint32_t kernel = fake_graph_fresh(&graph, 4, 8);

		(void)state;
		for (uint32_t pass = 0; pass < 2; pass++) {
			if (cases[index] != 0) {
				fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, cases[index]);
				fake_graph_step(&graph, GG_GRAPH_OP_NEED, 0, 1, GG_GRAPH_NEED_UNITS,
						0);
			}
			fake_graph_pass(&graph, kernel, NONE, NONE);
		}
		graph.settings.budgets[GG_GRAPH_NEED_UNITS] = 10;
		fake_graph_run(&graph, 1);
		assert_int_equal(fake_take_all(), cases[index] == 5 ? 16 : 8);
		while (fake_cta_count != 0) {
			fake_end_all();
			fake_take_all();
		}
		fake_settle(100);
		fake_expect(1, GG_OK);
		assert_int_equal(fake_graph_pass_report(&graph, 1)->units, counted[index]);
	}
}

/* What the configuration no longer allows fails the pass that wants it, and the graph ends: here all SMs of the only GPC
 * that the state may use have gone to another one. */
static void what_is_no_longer_allowed(void **state)
{
	(void)state;
	make_kept();
	graph.states[0].gpc_mask = 1;
	graph.settings.handle = keep();
	for (uint32_t sm = 0; sm < 4; sm++) {
		device.config->group[sm] = gg_put(GG_CONFIG_GPC, 1);
	}
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);
	graph.arguments[0] = fake_alloc(64);
	fake_graph_run(&graph, 2);
	assert_int_equal(fake_take_all(), 0);

	const struct gg_completion done = fake_expect(2, GG_ERR_AFFINITY);

	assert_int_equal(done.field, GG_FIELD_GRAPH_PASS_STATE);
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* S2-Q3: with few places for tasks, a graph waits for places, is refused, or runs to its end; it never hangs, and gives
 * all of them back. */
static void few_places_for_tasks(void **state)
{
	static struct task *taken[FAKE_TASKS];
	uint32_t refused = 0;

	(void)state;
	for (uint32_t left = 0; left < 100; left++) {
		const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);
		uint32_t count = 0;
		struct gg_completion done;

		fake_graph_pass(&graph, kernel, NONE, fake_graph_buffer(&graph, 64));
		const uint64_t address = fake_graph_put_again(&graph);

		fake_graph_post(1, address);
		if (left % 2 == 0) {
			fake_turn(); /* it is accepted before */
		}
		while (task_pool_free() > left / 2) {
			taken[count++] = task_take();
		}
		fake_settle(1000);
		fake_finish();
		while (count != 0) {
			task_give(taken[--count]);
		}
		loop_wake();
		fake_settle(1000);
		fake_finish();
		assert_true(fake_completion(&done));
		assert_true(done.status == GG_OK || (int32_t)done.status == GG_ERR_NO_MEMORY);
		refused += (int32_t)done.status == GG_ERR_NO_MEMORY;
		assert_int_equal(done.field | done.value_lo | done.value_hi, 0);
		fake_expect_none();
		assert_int_equal(task_pool_free(), task_pool_capacity());
	}
	assert_in_range(refused, 1, 10);
}

/* S2-Q3: while a pass runs, the next one starts only if there are places for all parts of a grid besides those that are kept for
 * tasks of kernels. */
static void places_for_the_next_pass(void **state)
{
	static struct task *taken[FAKE_TASKS];
	const uint32_t enough = CP_RESERVE + 16;

	(void)state;
	for (uint32_t left = enough - 2; left <= enough; left++) {
		const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);
		uint32_t count = 0;

		fake_graph_pass(&graph, kernel, NONE, NONE);
		fake_graph_pass(&graph, kernel, NONE, NONE);
		while (task_pool_free() > left + 3) { /* for the graph and what it begins with */
			taken[count++] = task_take();
		}
		fake_graph_run(&graph, 1);
		assert_int_equal(fake_take_all(), left < enough ? 1 : 2);
		while (count != 0) {
			task_give(taken[--count]);
		}
		fake_finish();
		fake_expect(1, GG_OK);
	}
}

/* A launch of a graph that runs waits for its end; one that is freed meanwhile ends first. */
static void launches_wait_for_each_other(void **state)
{
	(void)state;
	make_kept();
	graph.settings.handle = keep();
	fake_graph_run(&graph, 2);
	fake_graph_run(&graph, 3);
	assert_int_equal(fake_take_all(), 1);
	free_graph(4, graph.settings.handle, GG_OK);
	fake_end_all();
	fake_settle(100);
	fake_expect(2, GG_OK);
	fake_expect(3, GG_ERR_GRAPH_HANDLE);
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* S2-Q22: in the space of a launch is room for the arguments of passes, and for transients; else it is refused with what is
 * enough. */
static void space_of_a_launch(void **state)
{
	const uint32_t enough = 64 * 256 + 1024;

	(void)state;
	const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);

	fake_graph_pass(&graph, kernel, NONE, fake_graph_transient(&graph, 1000));
	graph.settings.handle = keep();
	graph.space_bytes = enough - 1;
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_GRAPH_MEMORY, GG_FIELD_GRAPH_SPACE_BYTES, enough);
	graph.space_bytes = enough;
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 1);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* What a launch may not do: less arguments, to be kept once more, memory that is not the context's, another context. */
static void bad_launches(void **state)
{
	(void)state;
	make_kept();
	graph.settings.handle = keep();
	graph.arguments[0] = FAKE_HEAP + FAKE_HEAP_SIZE - 32;
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_RESOURCE_ADDRESS, 0);
	graph.argument_count = 1;
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_ARGUMENT, GG_FIELD_GRAPH_ARGUMENT_COUNT, 1);
	graph.argument_count = 2;
	graph.settings.mode = GG_GRAPH_KEEP;
	fake_graph_run(&graph, 1);
	fake_graph_refused(GG_ERR_GRAPH_FORMAT, GG_FIELD_GRAPH_KEEP, 1);
	graph.settings.mode = 0;

	struct gg_tmd tmd = fake_graph_put(&graph);

	tmd.context = 8;
	fake_run(1, &tmd);
	fake_settle(50);
	fake_graph_refused(GG_ERR_CONTEXT, GG_FIELD_GRAPH_HANDLE, 7);
}

/* More passes are in flight than there are slots: what each was given is its own until it has ended. */
static void arguments_of_many_passes(void **state)
{
	const uint32_t kernel = fake_graph_fresh(&graph, 8, 1), passes = 48;
	uint64_t seen = 0;

	(void)state;
	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_graph_step(&graph, GG_GRAPH_OP_STATE, 0, 0, 0, kernel);
		fake_graph_step(&graph, GG_GRAPH_OP_CONST, 0, 0, 4, pass);
		fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
		fake_graph_use(&graph, GG_GRAPH_OP_WRITE, fake_graph_buffer(&graph, 64));
	}
	fake_graph_run(&graph, 1);
	fake_settle(1000);
	assert_int_equal(fake_take_all(), CP_SLOTS);
	for (uint32_t cta = 0; cta < passes; cta++) {
		uint32_t pass;

		memcpy(&pass, fake_at(tmd_of(0)->args_lo), sizeof(pass));
		assert_in_range(pass, 0, passes - 1);
		assert_int_equal(seen >> pass & 1, 0);
		seen |= (uint64_t)1 << pass;
		fake_end(0, GG_OK);
		fake_take_all();
	}
	assert_int_equal(fake_cta_count, 0);
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, passes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_of_many_passes),
		cmocka_unit_test(commands_of_the_cp),
		cmocka_unit_test(arguments),
		cmocka_unit_test(what_made_it_is_gone),
		cmocka_unit_test(kept_and_launched),
		cmocka_unit_test(launches_wait_for_each_other),
		cmocka_unit_test(space_of_a_launch),
		cmocka_unit_test(bad_launches),
		cmocka_unit_test(kept_and_freed_again),
		cmocka_unit_test(handles_after_a_restart),
		cmocka_unit_test(no_place_to_be_kept),
		cmocka_unit_test(no_pass_can_start),
		cmocka_unit_test(stated_units),
		cmocka_unit_test(what_is_no_longer_allowed),
		cmocka_unit_test(few_places_for_tasks),
		cmocka_unit_test(places_for_the_next_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

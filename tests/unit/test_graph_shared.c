/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs on the control processor: several that want the same memory, and graphs that kernels launch.
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
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"

#define NONE  UINT32_MAX
#define STORE 65536u

static struct fake_graph graph;
static _Alignas(16) unsigned char store[STORE];

static uint32_t begin(uint32_t ctas)
{
	fake_device_init(4);
	fake_graph_begin(&graph);
	return fake_graph_state(&graph, fake_tmd(ctas));
}

/* A graph of passes one after the other. */
static void chain(uint32_t ctas, uint32_t passes)
{
	const uint32_t kernel = begin(ctas);
	const uint32_t buffer = fake_graph_buffer(&graph, 64);

	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_graph_pass(&graph, kernel, NONE, buffer);
	}
}

/* S2-Q20: one graph is made at a time, but several run; the oldest comes first. */
static void graphs_run_while_others_are_made(void **state)
{
	(void)state;
	chain(1, 1);
	for (uint32_t tag = 1; tag < 4; tag++) {
		fake_graph_post(tag, fake_graph_put_again(&graph));
	}
	fake_settle(1000);
	assert_int_equal(fake_take_all(), 3);
	for (uint32_t tag = 1; tag < 4; tag++) {
		assert_int_equal(fake_count(tag), 1);
	}
	for (uint32_t tag = 2; tag < 4; tag++) { /* they were issued in this order */
		assert_true(fake_find(tag - 1) < fake_find(tag));
	}
	fake_finish();
}

/* What follows is another graph, on the same device. */
static void write_chain(uint32_t passes)
{
	fake_graph_begin(&graph);

	const uint32_t kernel = fake_graph_state(&graph, fake_tmd(1));
	const uint32_t buffer = fake_graph_buffer(&graph, 64);

	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_graph_pass(&graph, kernel, NONE, buffer);
	}
}

static uint32_t keep(void)
{
	graph.settings.mode = GG_GRAPH_KEEP;
	fake_graph_post(9, fake_graph_put_again(&graph));
	fake_settle(1000);
	graph.settings.mode = 0;
	return fake_expect(9, GG_OK).value_lo;
}

static void free_kept(uint32_t tag, uint32_t handle)
{
	fake_post(1, (struct gg_command){
			     .header = GG_OPCODE_GRAPH, .tag = tag, .argument1 = handle });
	fake_settle(1000);
	fake_expect(tag, GG_OK);
}

/* S2-Q3: a graph for which there is no memory because others have it waits for them, and for FREE; one for which there
 * is not enough anyway is refused when it is clear. */
static void memory_that_others_have(void **state)
{
	(void)state;
	chain(1, 1);
	graph_init(store, STORE);
	fake_graph_post(1, fake_graph_put_again(&graph));
	fake_settle(1000);
	write_chain(110);
	const uint32_t handle = keep();

	fake_graph_post(2, fake_graph_put_again(&graph));
	write_chain(1000);
	fake_graph_post(3, fake_graph_put_again(&graph));
	fake_settle(1000);
	assert_int_equal(fake_take_all(), 1);
	fake_expect_none();
	free_kept(4, handle);
	assert_int_equal(fake_take_all(), 2);
	fake_end_tag(1, GG_OK);
	fake_settle(1000);
	fake_expect(1, GG_OK);
	fake_expect_none();
	fake_finish();
	fake_expect(2, GG_OK);
	fake_expect(3, GG_ERR_GRAPH_TOO_LARGE);
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* Passes that read what the last four wrote: while they have all the declarations that the block has room for, there is
 * none for the waits of a plan that saves memory. */
static uint64_t put_thrifty(void)
{
	const uint32_t passes = 24;
	uint32_t buffers[24];

	fake_graph_begin(&graph);
	const uint32_t kernel = fake_graph_state(&graph, fake_tmd(1));

	for (uint32_t pass = 0; pass < passes; pass++) {
		buffers[pass] = fake_graph_transient(&graph, 64);
		for (uint32_t back = 1; back <= 4 && back <= pass; back++) {
			fake_graph_use(&graph, GG_GRAPH_OP_READ, buffers[pass - back]);
		}
		fake_graph_pass(&graph, kernel, NONE, buffers[pass]);
	}
	graph.settings.mode = GG_GRAPH_EMPHASIS_RESOURCE;
	return fake_graph_put_again(&graph);
}

/* S2-Q3: wherever it turns out that the memory which others have left is too small, a graph is made again from its start when
 * they give theirs back, and ends as it does without them. */
static void made_again_in_more_memory(void **state)
{
	const uint32_t free_bytes = 4096; /* at the end, as graphs that are made lie at the start */
	uint32_t good = 0;

	(void)state;
	for (uint32_t bytes = 8192; bytes <= 32768; bytes += 512) {
		struct gg_completion alone, later;

		(void)begin(1);
		graph_init(store, bytes);
		fake_graph_post(1, put_thrifty());
		fake_settle(1000);
		fake_finish();
		assert_true(fake_completion(&alone));

		chain(1, 1);
		graph_init(store, bytes);
		fake_graph_post(1, fake_graph_put_again(&graph));
		fake_settle(1000);
		assert_int_equal(fake_take_all(), 1);
		fake_graph_post(2, put_thrifty());
		fake_settle(1000);
		memset(store + bytes - free_bytes, 0xa5, free_bytes);
		fake_end_tag(1, GG_OK);
		fake_settle(1000);
		fake_expect(1, GG_OK);
		fake_finish();
		assert_true(fake_completion(&later));
		assert_int_equal(later.status, alone.status);
		assert_int_equal(later.field, alone.field);
		assert_int_equal(later.value_lo, alone.value_lo);
		assert_true(alone.status == GG_OK ||
			    (int32_t)alone.status == GG_ERR_GRAPH_TOO_LARGE);
		good += alone.status == GG_OK;
		assert_int_equal(task_pool_free(), task_pool_capacity());
	}
	assert_in_range(good, 10, 40);
}

/* S2-Q19: of a graph whose keeping fails in the end nothing is left, since nobody learns its handle. */
static void cancelled_while_it_is_kept(void **state)
{
	(void)state;
	chain(1, 300);
	graph.report_passes = 300;
	graph.settings.mode = GG_GRAPH_KEEP;
	const uint64_t address = fake_graph_put_again(&graph);

	fake_graph_post(1, address);
	while (graph_kept_find(64) == NULL) {
		loop_wake();
		assert_true(loop_turn());
	}
	fake_name(2, GG_OPCODE_CANCEL, address);
	fake_expect(2, GG_OK);
	fake_expect(1, GG_ERR_CANCELLED);
	assert_null(graph_kept_find(64));
}

/* S2-Q19: a graph that is cancelled is made no further: it ends in the next turns, though much of it is left to make. */
static void cancelled_while_it_is_made(void **state)
{
	uint32_t turns = 0, all = 0;

	(void)state;
	chain(1, 300);
	const uint64_t address = fake_graph_put_again(&graph);

	fake_graph_post(1, address);
	while (fake_turn()) {
		all++;
	}
	fake_name(2, GG_OPCODE_CANCEL, address);
	fake_stop_all();
	fake_expect(2, GG_OK);
	fake_expect(1, GG_ERR_CANCELLED);
	fake_graph_post(3, address);
	fake_turn();
	fake_turn();
	fake_post(1, (struct gg_command){
			     .header = GG_OPCODE_CANCEL, .tag = 4, .address_lo = gg_low(address) });
	while (fake_turn()) {
		turns++;
	}
	fake_expect(4, GG_OK);
	fake_expect(3, GG_ERR_CANCELLED);
	assert_in_range(turns, 0, all / 8);
}

static enum gg_status launch(void)
{
	const enum gg_status status = fake_launch(fake_find(1), fake_graph_put_again(&graph));

	fake_settle(1000);
	return status;
}

/* The same, with a report in the middle of a word. */
static enum gg_status launch_badly(void)
{
	const uint64_t address = fake_graph_put_again(&graph);
	const struct gg_tmd *tmd = fake_at(address);
	struct gg_graph *settings = fake_at(tmd->queue_lo);

	settings->report_lo += 2;
	return fake_launch(fake_find(1), address);
}

/* S2-Q20, S0-R07: a kernel's graph never waits for what its own ancestor may have; and it cannot keep a graph, as nobody
 * is told the handle. */
static void kernels_launch_graphs(void **state)
{
	(void)state;
	chain(1, 1);
	graph.settings.handle = keep();
	fake_graph_post(1, fake_graph_put_again(&graph));
	fake_settle(1000);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(launch(), GG_OK); /* it is accepted, and fails then */
	fake_stop_all();
	fake_finish();
	fake_settle(1000);

	const struct gg_completion completion = fake_expect(1, GG_ERR_BUSY);

	assert_int_equal(completion.field, GG_FIELD_GRAPH_PASS_STATE);
	graph.settings.handle = 0;
	fake_graph_post(1, fake_graph_put_again(&graph));
	fake_settle(1000);
	assert_int_equal(fake_take_all(), 1);
	graph.settings.mode = GG_GRAPH_KEEP;
	assert_int_equal(launch(), GG_ERR_GRAPH_FORMAT);
	graph.settings.mode = 0;
	assert_int_equal(launch_badly(), GG_ERR_GRAPH_FORMAT);
	assert_int_equal(launch(), GG_OK); /* a graph of a graph's pass */
	fake_finish();
	fake_expect(1, GG_OK);
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* S2-R29: a fill of nearly 4 GiB, by a kernel: the number of its CTAs does not wrap. */
static void a_large_fill(void **state)
{
	(void)state;
	const uint32_t kernel = begin(1);
	const uint32_t buffer = fake_graph_buffer(&graph, 256);

	device.memory_bytes = 1ull << 33; /* only the kernel would touch it */
	graph.states[kernel].heap_bytes_lo = 0;
	graph.states[kernel].heap_bytes_hi = 2;
	graph.resources[buffer].bytes_lo = UINT32_MAX;
	fake_graph_use(&graph, GG_GRAPH_OP_WRITE, buffer);
	fake_graph_step(&graph, GG_GRAPH_OP_FILL, 63, 1, 255, UINT32_MAX);

	struct gg_tmd tmd = fake_graph_put(&graph);
	struct gg_graph_program *program = fake_at(graph.settings.program_lo);

	program->fill_state = kernel;
	tmd.heap_bytes_lo = 0;
	tmd.heap_bytes_hi = 2;
	fake_run(1, &tmd);
	fake_settle(1000);
	fake_expect_none();
	assert_in_range(fake_take_all(), 1, 1024);
	assert_int_equal(task_table_holder(fake_ctas[0].slot)->tmd.grid_x, 1u << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graphs_run_while_others_are_made),
		cmocka_unit_test(memory_that_others_have),
		cmocka_unit_test(made_again_in_more_memory),
		cmocka_unit_test(cancelled_while_it_is_kept),
		cmocka_unit_test(cancelled_while_it_is_made),
		cmocka_unit_test(kernels_launch_graphs),
		cmocka_unit_test(a_large_fill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

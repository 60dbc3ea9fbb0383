/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a graph: what fits, what does not, packing, large graphs (S2-Q3).
 * sources: firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c firmware/graph/order.c
 * firmware/graph/cycle.c */
#include <string.h>

#include "tests/unit/graph_reach.h"

#define FIXED GG_GRAPH_RESOURCE_KIND_FIXED

static void pack(uint32_t budget_bytes)
{
	for (uint32_t cursor = 0; cursor != UINT32_MAX;) {
		graph_build_pack(graph_test, &cursor, budget_bytes);
	}
}

/* Random passes, the same for the same seed. */
static void make_random(uint32_t seed, uint32_t passes)
{
	srand(seed);
	graph_test_begin(FIXED, 9, false);
	for (uint32_t pass = 0; pass < passes; pass++) {
		for (int i = rand() % 4; i > 0; i--) {
			graph_test_declare("rwsu"[rand() % 4], (uint32_t)rand() % 9);
		}
		for (int i = rand() % 4; i > 0; i--) {
			const struct graph_value value = { .op = GG_GRAPH_OP_CONST,
							   .bytes = 4,
							   .number = (uint32_t)rand() };

			graph_draft_value(&graph_test_draft, &value);
		}
		assert_int_equal(graph_test_end_pass().status, GG_OK);
	}
	graph_test_finish();
}

/* S2-R7: the arrays are moved together, in small steps, and the graph is what it was. */
static void packed(void **state)
{
	static _Alignas(8) uint8_t copy[1u << 16];
	uint64_t before[GRAPH_REACH_PASSES];
	uint64_t after[GRAPH_REACH_PASSES];

	(void)state;
	for (uint32_t passes = 0; passes <= 60; passes += 6) {
		make_random(passes, passes);
		graph_reach_make(before);

		const struct graph was = *graph_test;
		const uint64_t bytes = graph_build_bytes(graph_test);

		assert_in_range(bytes, 1, sizeof(copy));
		pack(1 + passes);
		assert_int_equal(graph_build_bytes(graph_test), bytes);
		assert_int_equal(graph_test->access.most, was.access.used);
		/* Nothing behind it belongs to it. */
		memcpy(copy, graph_test_memory, bytes);
		memset(graph_test_memory + bytes, 0xee, (1u << 20) - bytes);
		graph_reach_make(after);
		assert_memory_equal(before, after, passes * sizeof(before[0]));
		assert_true((uint8_t *)(graph_test->heap + passes) <= graph_test_memory + bytes);
		assert_int_equal(graph_test->resource_count, was.resource_count);
		assert_int_equal(graph_test->resources[8].bytes, GRAPH_TEST_BYTES);
		graph_test_rank();
		for (uint32_t i = 0; i < passes; i++) {
			assert_int_equal(graph_test->order[i], i);
			assert_int_equal(graph_test->commands[i].op, GG_GRAPH_OP_FENCE);
		}
		assert_true(passes == 0 || graph_test->passes[0].rank > 0);
	}
}

/* Packing keeps the arguments of kernels, and again makes no difference. */
static void packed_values(void **state)
{
	uint32_t numbers[2000];

	(void)state;
	make_random(1, 50);
	assert_in_range(graph_test->value.used, 1, 2000);
	for (uint32_t i = 0; i < graph_test->value.used; i++) {
		numbers[i] = graph_test->values[i].number;
	}
	pack(3);
	pack(UINT32_MAX);
	const uint64_t bytes = graph_build_bytes(graph_test);

	memset(graph_test_memory + bytes, 0xee, sizeof(graph_test_memory) - bytes);
	for (uint32_t i = 0; i < graph_test->value.used; i++) {
		assert_int_equal(graph_test->values[i].number, numbers[i]);
	}
}

/* The graph itself may be elsewhere. */
static void apart(void **state)
{
	static _Alignas(8) uint8_t block[4096];
	struct graph graph;
	uint32_t cursor = 0;

	(void)state;
	graph_test_fill(FIXED, 2);
	assert_int_equal(
		graph_build_begin(&graph, block, sizeof(block), graph_test_table, 2, true, 4),
		GG_OK);
	assert_ptr_equal(graph.resources, block);
	assert_true(graph_build_bytes(&graph) == 2 * sizeof(struct graph_resource));
	assert_int_equal(graph_build_end(&graph, &cursor, 10).status, GG_OK);
	graph_build_pack(&graph, &cursor, 10);
	assert_ptr_equal(graph.memory, block);
}

/* Blocks of any size: what is cut lies in the block, or is refused. */
static void all_sizes(void **state)
{
	uint8_t *block = malloc(20000);

	(void)state;
	graph_test_fill(FIXED, 3);
	for (uint64_t bytes = 0; bytes < 20000; bytes += 4) {
		struct graph *graph = (void *)block;
		const enum gg_status status =
			bytes < sizeof(*graph) ? GG_ERR_GRAPH_TOO_LARGE
					       : graph_build_begin(graph, block, bytes,
								   graph_test_table, 3, false, 4);

		assert_int_equal(status, bytes < 1700 ? GG_ERR_GRAPH_TOO_LARGE : status);
		assert_int_equal(status, bytes > 2400 ? GG_OK : status);
		if (status == GG_OK) {
			assert_true((uint8_t *)(graph->heap + graph->pass.most) <= block + bytes);
			assert_true(graph->pass.most > 0);
		}
	}
	free(block);
}

/* S2-Q3: an array that is full refuses the graph, wherever it happens. */
static void full(void **state)
{
	const char *const what[] = { "", "w0 w1 w2 w3 w4 w5 w6 w7", "r0 a0 a0 a0 a0 a0 a0 a0 a0 a0",
				     "s0 s1 s2 s3 s4", "u0 u1 u2 u3 u4 u5" };

	(void)state;
	for (uint32_t kind = 0; kind < 5; kind++) {
		uint32_t passes = 0;

		graph_test_fill(FIXED, 9);
		assert_int_equal(graph_build_begin(graph_test, graph_test_memory, 20000,
						   graph_test_table, 9, false, 8),
				 GG_OK);
		graph_draft_begin(&graph_test_draft, graph_test);
		memset(graph_test_memory + 20000, 0x5a, 1000);
		struct refusal refusal = graph_test_try(what[kind]);

		for (; refusal.status == GG_OK; passes++) {
			refusal = graph_test_try(what[kind]);
		}
		assert_int_equal(refusal.status, GG_ERR_GRAPH_TOO_LARGE);
		assert_int_equal(refusal.value, passes);
		assert_in_range(passes, 2, 120);
		assert_true(graph_test->access.used <= graph_test->access.most);
		assert_true(graph_test->version.used <= graph_test->version.most);
		assert_true(graph_test->command.used <= graph_test->command.most);
		for (uint32_t i = 20000; i < 21000; i++) {
			assert_int_equal(graph_test_memory[i], 0x5a);
		}
	}
}

/* 16,384 resources and 12,000 passes, each on its own three. */
static void large(void **state)
{
	(void)state;
	graph_test_begin(FIXED, GRAPH_TEST_RESOURCES, false);
	for (uint32_t pass = 0; pass < 12000; pass++) {
		graph_test_draft.step = pass;
		graph_test_declare('r', pass);
		graph_test_declare('r', pass / 2);
		graph_test_declare('w', pass + 1);
		assert_int_equal(graph_test_end_pass().status, GG_OK);
	}
	graph_test_finish();
	assert_int_equal(graph_test->resources_used, 12001);
	assert_int_equal(graph_test->reads, 12000 * 2 - 1);
	assert_int_equal(graph_test->passes[0].rank, 12000);
	pack(4096);
	graph_test_rank();
	assert_int_equal(graph_test->passes[0].rank, 12000);
	assert_int_equal(graph_test->passes[11999].rank, 1);
}

/* More passes than there can be. */
static void most_passes(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 1, false);
	for (uint32_t pass = 0; pass < GRAPH_PASSES; pass++) {
		assert_int_equal(graph_test_try(pass == 0 ? "w0" : "r0").status, GG_OK);
	}
	assert_int_equal(graph_test_try("").status, GG_ERR_GRAPH_TOO_LARGE);
	graph_test_finish();
	assert_int_equal(graph_test->passes[0].rank, 2);
	assert_int_equal(graph_test->versions[0].readers, GRAPH_PASSES - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed),      cmocka_unit_test(packed_values),
		cmocka_unit_test(apart),       cmocka_unit_test(all_sizes),
		cmocka_unit_test(full),        cmocka_unit_test(large),
		cmocka_unit_test(most_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

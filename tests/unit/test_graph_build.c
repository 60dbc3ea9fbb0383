/* SPDX-License-Identifier: Apache-2.0 */
/* Passes and their declarations become a graph: nodes, edges, versions, refusals.
 * sources: firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c firmware/graph/order.c
 * firmware/graph/cycle.c */
#include <string.h>

#include "tests/unit/graph_reach.h"

#define FIXED     GG_GRAPH_RESOURCE_KIND_FIXED
#define TRANSIENT GG_GRAPH_RESOURCE_KIND_TRANSIENT

static void expect_nodes(uint32_t passes, uint32_t resources, uint32_t edges)
{
	graph_test_finish();
	assert_int_equal(graph_test->pass.used, passes);
	assert_int_equal(graph_test->resources_used, resources);
	assert_int_equal(graph_test->reads + graph_test->writes, edges);
}

/* V1, S2-R101, S2-R102, S2-R32, S2-R43: Table 1 as its three graphs; S2-R35: what PassB makes and uses itself is not
 * declared and has no node. */
static void table_1(void **state)
{
	(void)state;
	for (uint32_t blocks = 0; blocks <= 2; blocks++) {
		graph_test_begin(FIXED, 8, false);
		graph_test_pass("r1 w2");
		for (uint32_t block = 0; block < blocks; block++) {
			graph_test_pass("r2 w3");
		}
		expect_nodes(1 + blocks, blocks == 0 ? 2 : 3, 2 + 2 * blocks);
		assert_int_equal(graph_test->reads, graph_test->writes);
	}
}

/* V2, S2-R103, S2-R104: Table 2. */
static void table_2(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 8, false);
	graph_test_pass("r1 w2");
	graph_test_pass("r2 w5");
	graph_test_pass("r5 w3");
	expect_nodes(3, 4, 6);
	assert_true(graph_reach_is(0, 2));
	graph_test_begin(FIXED, 8, false);
	graph_test_pass("r1 w2");
	expect_nodes(1, 2, 2);
}

/* S2-A6, S2-A7, S2-A8, S2-Q23: the same declaration again adds nothing, and any number of references is one node; S2-Q8:
 * passes that only read, only write, or do neither. */
static void declared_twice(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 4, false);
	graph_test_pass("r1 w2 r1 w2 r1");
	graph_test_pass("r1 s3 s3");
	graph_test_pass("u2 r2 w2 u2");
	graph_test_pass("r1");
	graph_test_pass("");
	graph_test_pass("s3 w3");
	expect_nodes(6, 3, 8);
	assert_int_equal(graph_test->passes[0].accesses, 2);
	assert_int_equal(graph_test->passes[2].accesses, 2);
	assert_int_equal(graph_test->passes[2].waits, 1);
	assert_int_equal(graph_test->passes[4].accesses, 0);
	assert_true(graph_reach_is(1, 5));
}

/* S2-Q5, S2-Q6, S2-R62: readers after their writer, the next writer after readers and writer, updates in a row; two readers
 * are independent. */
static void hazards(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 4, false);
	graph_test_pass("r1");
	graph_test_pass("w1");
	graph_test_pass("r1");
	graph_test_pass("r1");
	graph_test_pass("w1");
	graph_test_pass("u1");
	graph_test_pass("u1");
	graph_test_pass("r2");
	graph_test_finish();
	assert_true(graph_reach_is(0, 1));
	assert_true(graph_reach_is(1, 2) && graph_reach_is(1, 3));
	assert_false(graph_reach_is(2, 3) || graph_reach_is(3, 2));
	assert_true(graph_reach_is(2, 4) && graph_reach_is(3, 4));
	assert_true(graph_reach_is(4, 5) && graph_reach_is(5, 6));
	assert_int_equal(graph_reach_list(graph_test->passes[7].first_after), 0);
	assert_int_equal(graph_test->versions[0].writers, 0);
	/* r1 before, w1, w1, u1, u1; r2 before. */
	assert_int_equal(graph_test->version.used, 6);
}

/* S2-Q6, S2-R63: passes that SHARE a version are independent until a pass reads it. */
static void shares(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 4, false);
	graph_test_pass("r1");
	graph_test_pass("s1");
	graph_test_pass("s1");
	graph_test_pass("r1");
	graph_test_pass("s1");
	graph_test_pass("s1");
	graph_test_pass("w1");
	graph_test_pass("s1");
	graph_test_finish();
	assert_true(graph_reach_is(0, 1) && graph_reach_is(0, 2));
	assert_false(graph_reach_is(1, 2) || graph_reach_is(2, 1));
	assert_true(graph_reach_is(1, 3) && graph_reach_is(2, 3));
	assert_true(graph_reach_is(3, 4) && graph_reach_is(3, 5));
	assert_false(graph_reach_is(4, 5));
	assert_true(graph_reach_is(4, 6) && graph_reach_is(5, 6) && graph_reach_is(6, 7));
	assert_int_equal(graph_test->versions[1].writers, 2);
}

/* S2-R59: where program order means nothing, readers wait for all writers, wherever they stand. */
static void unordered(void **state)
{
	(void)state;
	graph_test_begin(TRANSIENT, 4, true);
	graph_test_pass("r1");
	graph_test_pass("w1");
	graph_test_pass("r1");
	graph_test_pass("s1");
	graph_test_pass("w1");
	graph_test_finish();
	for (uint32_t writer = 1; writer < 5; writer += writer == 1 ? 2 : 1) {
		assert_true(graph_reach_is(writer, 0) && graph_reach_is(writer, 2));
	}
	assert_false(graph_reach_is(1, 3) || graph_reach_is(3, 4) || graph_reach_is(0, 2));
	assert_int_equal(graph_test->version.used, 1);
}

/* S2-R31: AFTER of earlier and later passes, and of passes that never come. */
static void after(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 4, false);
	graph_test_pass("");
	graph_test_pass("a0 a2 a0");
	graph_test_pass("");
	assert_true(graph_test->forward);
	graph_test_finish();
	assert_true(graph_reach_is(0, 1) && graph_reach_is(2, 1));
	assert_int_equal(graph_test->order[2], 1);
	graph_test_begin(FIXED, 4, false);
	graph_test_pass("");
	graph_test_pass("a0");
	assert_false(graph_test->forward);
	graph_test_pass("a3");

	const struct refusal refusal = graph_test_end();

	assert_int_equal(refusal.status, GG_ERR_GRAPH_RESOURCE);
	assert_int_equal(refusal.value, 2);
	assert_int_equal(graph_test_try("a65535").status, GG_ERR_GRAPH_RESOURCE);
}

static void expect_refusal(struct refusal refusal, enum gg_status status)
{
	assert_int_equal(refusal.status, status);
	assert_int_equal(refusal.value, graph_test->pass.used);
}

/* S2-Q7: resources that do not exist, transients without a size or a content; read and never written is an input. */
static void resources(void **state)
{
	(void)state;
	graph_test_fill(TRANSIENT, 4);
	graph_test_table[0].kind = GG_GRAPH_RESOURCE_KIND_NONE;
	graph_test_table[1].kind = GG_GRAPH_RESOURCE_KIND_ARGUMENT;
	graph_test_table[3].bytes_lo = 0;
	graph_test_begin_as(4, false);
	graph_test_pass("r1");
	expect_refusal(graph_test_try("r0"), GG_ERR_GRAPH_RESOURCE);
	expect_refusal(graph_test_try("w4"), GG_ERR_GRAPH_RESOURCE);
	expect_refusal(graph_test_try("w3"), GG_ERR_GRAPH_RESOURCE);
	expect_refusal(graph_test_try("r2"), GG_ERR_GRAPH_RESOURCE);
	graph_test_begin_as(4, false);
	expect_refusal(graph_test_try("u2"), GG_ERR_GRAPH_RESOURCE);
	graph_test_begin_as(4, false);
	graph_test->resource_count = 2; /* what follows would be a good one */
	expect_refusal(graph_test_try("w2"), GG_ERR_GRAPH_RESOURCE);
	expect_refusal(graph_draft_size(&graph_test_draft, 2, 100), GG_ERR_GRAPH_RESOURCE);
	graph_test_begin_as(4, false);
	graph_draft_size(&graph_test_draft, 3, 100);
	graph_test_pass("w3 w2");
	graph_test_pass("r3 u2");
	assert_int_equal(graph_test->resources[3].bytes, 100);
	assert_int_equal(graph_draft_size(&graph_test_draft, 3, 1).status, GG_ERR_GRAPH_RESOURCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_1),        cmocka_unit_test(table_2),
		cmocka_unit_test(declared_twice), cmocka_unit_test(hazards),
		cmocka_unit_test(shares),         cmocka_unit_test(unordered),
		cmocka_unit_test(after),          cmocka_unit_test(resources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

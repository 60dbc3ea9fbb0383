/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Graphs in a few lines, for tests of firmware/graph. Sources: build.c draft.c draft_end.c order.c cycle.c of
 * firmware/graph.
 *
 *     graph_test_begin(GG_GRAPH_RESOURCE_KIND_FIXED, 4, false);
 *     graph_test_pass("r1 w2");             reads 1, writes 2
 *     graph_test_pass("u2 s3 a0");          updates 2 in place, SHAREs 3, after pass 0
 *     graph_test_finish();
 */
#ifndef TESTS_UNIT_GRAPH_SUPPORT_H
#define TESTS_UNIT_GRAPH_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/graph/build.h"
#include "firmware/graph/draft_end.h"
#include "firmware/graph/order.h"

#define GRAPH_TEST_RESOURCES 16384u
#define GRAPH_TEST_BYTES     64u /* of each resource, unless a test changes the table */

static _Alignas(8) uint8_t graph_test_memory[32u << 20];
static struct gg_graph_resource graph_test_table[GRAPH_TEST_RESOURCES];
static struct graph *const graph_test = (void *)graph_test_memory;
static struct graph_draft graph_test_draft;

/* All resources are of this kind; graph_test_begin_as() takes graph_test_table as it is. */
static inline void graph_test_fill(enum gg_graph_resource_kind kind, uint32_t resources)
{
	for (uint32_t i = 0; i < resources; i++) {
		graph_test_table[i] =
			(struct gg_graph_resource){ .kind = kind, .bytes_lo = GRAPH_TEST_BYTES };
	}
}

static inline void graph_test_begin_as(uint32_t resources, bool unordered)
{
	assert_int_equal(graph_build_begin(graph_test, graph_test_memory, sizeof(graph_test_memory),
					   graph_test_table, resources, unordered, 8),
			 GG_OK);
	graph_draft_begin(&graph_test_draft, graph_test);
	graph_test_draft.step = 0;
}

static inline void graph_test_begin(enum gg_graph_resource_kind kind, uint32_t resources,
				    bool unordered)
{
	graph_test_fill(kind, resources);
	graph_test_begin_as(resources, unordered);
}

/* One declaration: r READ, w WRITE, s SHARE, u READ and WRITE, a AFTER. */
static inline struct refusal graph_test_declare(char what, uint32_t number)
{
	struct refusal refusal = refusal_none();

	if (what == 'a') {
		return graph_draft_after(&graph_test_draft, number);
	}
	if (what == 'r' || what == 'u') {
		refusal = graph_draft_declare(&graph_test_draft, GG_GRAPH_OP_READ, number);
	}
	if (what != 'r' && refusal.status == GG_OK) {
		refusal = graph_draft_declare(&graph_test_draft,
					      what == 's' ? GG_GRAPH_OP_SHARE : GG_GRAPH_OP_WRITE,
					      number);
	}
	return refusal;
}

/* A command that needs nothing, and the end of the pass. */
static inline struct refusal graph_test_end_pass(void)
{
	const struct graph_command command = { .op = GG_GRAPH_OP_FENCE };
	const struct refusal refusal = graph_draft_command(&graph_test_draft, &command);

	return refusal.status != GG_OK ? refusal : graph_draft_end(&graph_test_draft, 0);
}

/* Declarations such as "r1 w2" and a command make a pass; its step is its number. */
static inline struct refusal graph_test_try(const char *what)
{
	struct refusal refusal = refusal_none();

	graph_test_draft.step = graph_test->pass.used;
	while (*what != 0 && refusal.status == GG_OK) {
		char *end;
		const unsigned long number = strtoul(what + 1, &end, 10);

		refusal = graph_test_declare(*what, (uint32_t)number);
		what = *end == ' ' ? end + 1 : end;
	}
	return refusal.status != GG_OK ? refusal : graph_test_end_pass();
}

/* The same, which must go well. @return number of the pass. */
static inline uint32_t graph_test_pass(const char *what)
{
	assert_int_equal(graph_test_try(what).status, GG_OK);
	return graph_test->pass.used - 1;
}

/* End of the graph, in small steps. */
static inline struct refusal graph_test_end(void)
{
	struct refusal refusal = refusal_none();

	for (uint32_t cursor = 0; cursor != UINT32_MAX && refusal.status == GG_OK;) {
		refusal = graph_build_end(graph_test, &cursor, 3);
	}
	return refusal;
}

/* Topological order. */
static inline struct refusal graph_test_order(void)
{
	struct refusal refusal = refusal_none();

	for (uint32_t cursor = 0; cursor != UINT32_MAX && refusal.status == GG_OK;) {
		refusal = graph_order_make(graph_test, &cursor, 5);
	}
	return refusal;
}

static inline void graph_test_rank(void)
{
	for (uint32_t cursor = 0; cursor != UINT32_MAX;) {
		graph_order_rank(graph_test, &cursor, 5);
	}
}

/* End, order and ranks, which must go well. */
static inline void graph_test_finish(void)
{
	assert_int_equal(graph_test_end().status, GG_OK);
	assert_int_equal(graph_test_order().status, GG_OK);
	graph_test_rank();
}

#endif /* TESTS_UNIT_GRAPH_SUPPORT_H */

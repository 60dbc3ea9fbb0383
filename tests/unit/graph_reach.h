/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Which passes wait for which, directly or not, as the lists of the graph of graph_support.h say: at most 64 passes.
 */
#ifndef TESTS_UNIT_GRAPH_REACH_H
#define TESTS_UNIT_GRAPH_REACH_H

#include "tests/unit/graph_support.h"

#define GRAPH_REACH_PASSES 64u

/* Bit j of element i: pass j starts after pass i has ended. */
static inline void graph_reach_close(uint64_t *reach, uint32_t passes)
{
	for (uint32_t by = 0; by < passes; by++) {
		for (uint32_t from = 0; from < passes; from++) {
			if (reach[from] >> by & 1) {
				reach[from] |= reach[by];
			}
		}
	}
}

static inline uint64_t graph_reach_list(uint32_t access)
{
	uint64_t passes = 0;

	for (; access != GRAPH_NONE; access = graph_test->accesses[access].next) {
		passes |= 1ull << graph_test->accesses[access].pass;
	}
	return passes;
}

static inline void graph_reach_make(uint64_t *reach)
{
	assert_true(graph_test->pass.used <= GRAPH_REACH_PASSES);
	for (uint32_t number = 0; number < graph_test->pass.used; number++) {
		const struct graph_pass *pass = &graph_test->passes[number];

		reach[number] = graph_reach_list(pass->first_after);
		for (uint32_t i = 0; i < pass->accesses; i++) {
			const struct graph_access *access =
				&graph_test->accesses[pass->first_access + i];

			if (access->use == GRAPH_USE_WRITE || access->use == GRAPH_USE_READ) {
				const struct graph_version *version =
					&graph_test->versions[access->version];

				reach[number] |= graph_reach_list(version->first_free);
				reach[number] |= access->use == GRAPH_USE_WRITE
							 ? graph_reach_list(version->first_reader)
							 : 0;
			}
		}
	}
	graph_reach_close(reach, graph_test->pass.used);
}

/* `later` waits for `earlier`. */
static inline bool graph_reach_is(uint32_t earlier, uint32_t later)
{
	uint64_t reach[GRAPH_REACH_PASSES];

	graph_reach_make(reach);
	return (reach[earlier] >> later & 1) != 0;
}

#endif /* TESTS_UNIT_GRAPH_REACH_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Which passes wait for which, and depend on which, by comparing every pair of passes and everything between them. Names
 * are short, as the one test that includes it is about nothing else.
 */
#ifndef TESTS_UNIT_GRAPH_MODEL_H
#define TESTS_UNIT_GRAPH_MODEL_H

#include "tests/unit/graph_reach.h"

#define PASSES    20u
#define RESOURCES 10u

/* What a pass does with a resource. */
#define NOTHING 0
#define R       'r'
#define W       'w'
#define S       's'
#define U       'u'

static char uses[PASSES][RESOURCES];
static uint64_t waits[PASSES]; /* Bit j of element i: j starts after i. */
static uint32_t passes;
static bool unordered;

static inline uint32_t below(uint32_t limit)
{
	return (uint32_t)rand() % limit;
}

static inline bool reads(uint32_t pass, uint32_t resource)
{
	return uses[pass][resource] == R || uses[pass][resource] == U;
}

static inline bool writes(uint32_t pass, uint32_t resource)
{
	return uses[pass][resource] != NOTHING && uses[pass][resource] != R;
}

static inline bool is_written_before(uint32_t pass, uint32_t resource)
{
	for (uint32_t i = 0; i < (unordered ? passes : pass); i++) {
		if (writes(i, resource)) {
			return true;
		}
	}
	return false;
}

/* The model, in program order: two passes that use a resource keep their order, unless both read it, or both SHARE it and
 * nobody uses it otherwise between them. */
static inline bool model_waits(uint32_t earlier, uint32_t later, uint32_t resource)
{
	const char a = uses[earlier][resource];
	const char b = uses[later][resource];

	if (unordered) {
		return writes(earlier, resource) && reads(later, resource);
	}
	if (a == NOTHING || b == NOTHING || earlier >= later || (a == R && b == R)) {
		return false;
	}
	for (uint32_t i = earlier + 1; a == S && b == S && i < later; i++) {
		if (uses[i][resource] != NOTHING && uses[i][resource] != S) {
			return true;
		}
	}
	return a != S || b != S;
}

static inline void model_make(void)
{
	for (uint32_t i = 0; i < passes; i++) {
		for (uint32_t j = 0; j < passes; j++) {
			for (uint32_t resource = 0; resource < RESOURCES; resource++) {
				waits[i] |= (uint64_t)model_waits(i, j, resource) << j;
			}
		}
	}
	graph_reach_close(waits, passes);
}

/* Passes that wait for themselves. */
static inline uint64_t model_cycles(void)
{
	uint64_t members = 0;

	for (uint32_t i = 0; i < passes; i++) {
		members |= waits[i] & 1ull << i;
	}
	return members;
}

#endif /* TESTS_UNIT_GRAPH_MODEL_H */

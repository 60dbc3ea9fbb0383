/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Random schedules of the graph of graph_support.h, of at most 64 passes: any pass may start whose waits are over, and any
 * number of passes run at the same time. Counts as a run does (S2-Q15), but owes nothing to order.c or run.c.
 */
#ifndef TESTS_UNIT_GRAPH_SCHEDULE_H
#define TESTS_UNIT_GRAPH_SCHEDULE_H

#include "tests/unit/graph_support.h"

#define GRAPH_SCHEDULE_PASSES   64u
#define GRAPH_SCHEDULE_VERSIONS 4096u

static uint32_t graph_schedule_unmet[GRAPH_SCHEDULE_PASSES];
static uint32_t graph_schedule_writers[GRAPH_SCHEDULE_VERSIONS];
static uint32_t graph_schedule_readers[GRAPH_SCHEDULE_VERSIONS];
static uint64_t graph_schedule_started; /* passes that have started, a bit each */
static uint64_t graph_schedule_ended;   /* passes that have ended */

static inline void graph_schedule_meet(uint32_t access)
{
	for (; access != GRAPH_NONE; access = graph_test->accesses[access].next) {
		const uint32_t pass = graph_test->accesses[access].pass;

		assert_true(graph_schedule_unmet[pass] > 0);
		assert_false(graph_schedule_started >> pass & 1);
		graph_schedule_unmet[pass]--;
	}
}

static inline void graph_schedule_version(uint32_t version, bool written)
{
	if (graph_schedule_writers[version] == 0 && written) {
		graph_schedule_meet(graph_test->versions[version].first_reader);
	}
	if (graph_schedule_writers[version] == 0 && graph_schedule_readers[version] == 0) {
		graph_schedule_meet(graph_test->versions[version].first_free);
	}
}

static inline void graph_schedule_begin(void)
{
	graph_schedule_started = 0;
	graph_schedule_ended = 0;
	assert_true(graph_test->pass.used <= GRAPH_SCHEDULE_PASSES);
	assert_true(graph_test->version.used <= GRAPH_SCHEDULE_VERSIONS);
	for (uint32_t i = 0; i < graph_test->pass.used; i++) {
		graph_schedule_unmet[i] = graph_test->passes[i].waits;
	}
	for (uint32_t i = 0; i < graph_test->version.used; i++) {
		graph_schedule_writers[i] = graph_test->versions[i].writers;
		graph_schedule_readers[i] = graph_test->versions[i].readers;
		graph_schedule_version(i, true);
	}
}

static inline void graph_schedule_end(uint32_t number)
{
	const struct graph_pass *pass = &graph_test->passes[number];

	graph_schedule_ended |= 1ull << number;
	graph_schedule_meet(pass->first_after);
	for (uint32_t i = 0; i < pass->accesses; i++) {
		const struct graph_access *access = &graph_test->accesses[pass->first_access + i];

		if (access->use == GRAPH_USE_WRITE) {
			graph_schedule_writers[access->version]--;
			graph_schedule_version(access->version, true);
		} else if (access->use == GRAPH_USE_READ) {
			graph_schedule_readers[access->version]--;
			graph_schedule_version(access->version, false);
		}
	}
}

/* A pass starts or ends, at random. @return the pass that starts, or GRAPH_NONE. */
static inline uint32_t graph_schedule_step(void)
{
	uint32_t choices[2 * GRAPH_SCHEDULE_PASSES];
	uint32_t count = 0;

	for (uint32_t i = 0; i < graph_test->pass.used; i++) {
		const bool started = (graph_schedule_started >> i & 1) != 0;

		if ((started && (graph_schedule_ended >> i & 1) == 0) ||
		    (!started && graph_schedule_unmet[i] == 0)) {
			choices[count++] = i;
		}
	}
	/* Something can always go on. */
	assert_true(count > 0);
	const uint32_t pass = choices[(uint32_t)rand() % count];

	if (graph_schedule_started >> pass & 1) {
		graph_schedule_end(pass);
		return GRAPH_NONE;
	}
	graph_schedule_started |= 1ull << pass;
	return pass;
}

static inline bool graph_schedule_is_over(void)
{
	return graph_schedule_ended == (1ull << graph_test->pass.used) - 1;
}

#endif /* TESTS_UNIT_GRAPH_SCHEDULE_H */

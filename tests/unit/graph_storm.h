/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Task graphs and all that they meet, at random, on the fake device: graphs made and kept, launched and freed, plain
 * tasks, tasks of kernels, dependences, cancel, suspend, time limits, failures, a small pool, little memory.
 */
#ifndef TESTS_UNIT_GRAPH_STORM_H
#define TESTS_UNIT_GRAPH_STORM_H

#include <stdint.h>

/* What has happened since storm_begin(). */
struct storm_counts {
	uint32_t posted;   /* commands: the next tag */
	uint32_t answered; /* of them, those that are complete */
	uint32_t graphs;   /* graphs that ran to their end */
	uint32_t failed;   /* of them, with a failed pass */
	uint32_t refused;  /* graphs that did not run */
	uint32_t stopped;  /* graphs cancelled, or too late */
	uint32_t kept;     /* graphs kept */
	uint32_t passes;   /* passes of graphs that ran */
	uint32_t skipped;  /* of them, skipped */
	uint32_t nested;   /* graphs that kernels launched */
	uint32_t most;     /* looks at the clock in a turn, at most */
};
extern struct storm_counts storm_counts;

/* A device with so many places of the task pool, and bytes for graphs. */
void storm_begin(uint32_t tasks, uint32_t store_bytes);

/* Of it: the device alone. */
void storm_device(uint32_t tasks, uint32_t store_bytes);

/* So many random steps. */
void storm_run(uint32_t steps);

/* All is resumed, and all that can run runs, and ends well: every command is answered. */
void storm_end(void);

/* Kept graphs are freed; every place, slot, unit and byte is free. */
void storm_expect_nothing_left(void);

#endif /* TESTS_UNIT_GRAPH_STORM_H */

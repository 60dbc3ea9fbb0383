/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Random task graphs for graph_storm.h, and what must be true of their passes.
 */
#ifndef TESTS_UNIT_GRAPH_STORM_MAKE_H
#define TESTS_UNIT_GRAPH_STORM_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define MADE_PASSES 24u /* at most */

/* What is known of a graph. Bit p: pass p. */
struct made {
	uint32_t passes;
	uint32_t data[MADE_PASSES];  /* passes whose results it needs */
	uint32_t waits[MADE_PASSES]; /* passes that end before it starts */
};

/* Where a graph lies in the heap. */
struct made_place {
	uint64_t base;   /* MADE_BYTES that nobody else uses */
	uint64_t buffer; /* MADE_BUFFER bytes that all use */
};

#define MADE_BYTES  32768u
#define MADE_BUFFER 1024u

/* The report of the last run, and an entry of it. */
const struct gg_graph_report *made_report(const struct made_place *place);
const struct gg_graph_pass *made_pass(const struct made_place *place, uint32_t pass);

/* Write a random graph; word 0 of what a kernel gets is its pass, and words 2 and 3 are `tag`.
 * @param handle  Of a kept graph that is to be launched; 0: a program is written, and known by `made`. */
struct gg_tmd made_put(const struct made_place *place, struct made *made, uint32_t tag,
		       uint32_t handle);

/* Whether that one is only kept. */
bool made_keeps(const struct made_place *place);

/* The same, of few passes. */
struct gg_tmd made_put_small(const struct made_place *place);

#endif /* TESTS_UNIT_GRAPH_STORM_MAKE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Random graphs, and what is right for them, found from their declarations alone by comparing all pairs.
 * Nothing of firmware/graph is used for that but what makes the graph that is under test.
 */
#ifndef TESTS_UNIT_GRAPH_WORLD_H
#define TESTS_UNIT_GRAPH_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/graph/run.h"

#define WORLD_PASSES    2000u
#define WORLD_RESOURCES 4200u
#define WORLD_USES      24000u
#define WORLD_PAIRS     400000u

/** A declaration: READ, WRITE, SHARE, or `u` READ and WRITE; `a` AFTER a pass. */
struct world_use {
	uint32_t pass;
	uint32_t of; /**< Resource; AFTER: pass. */
	char what;   /**< r w s u a */
};

/** A random graph. Passes are listed by number; `order` is one in which nothing uses what comes later. */
struct world {
	uint32_t passes;
	uint32_t resources;
	uint32_t uses;
	bool unordered;                   /**< Program order means nothing. */
	bool planned;                     /**< Memory of transients by plan.c, else by hand. */
	uint32_t order[WORLD_PASSES];     /**< Passes. */
	uint32_t ticks[WORLD_PASSES];     /**< What they take. */
	uint32_t guess[WORLD_PASSES];     /**< What is expected. */
	uint32_t needs[WORLD_PASSES][2];  /**< UNITS and BANDWIDTH. */
	bool fails[WORLD_PASSES];         /**< It fails, if it runs. */
	uint32_t bytes[WORLD_RESOURCES];  /**< Of transients; 0: of the host. */
	uint32_t reuses[WORLD_RESOURCES]; /**< Transient whose memory it has, or GRAPH_NONE. */
	struct world_use use[WORLD_USES]; /**< In `order`. */
	uint32_t pairs;                   /**< Orders that every schedule keeps. */
	uint32_t first[WORLD_PASSES + 1]; /**< Pairs of each first pass. */
	uint32_t second[WORLD_PAIRS];     /**< Pass that comes later. */
	enum gg_graph_pass_state state[WORLD_PASSES]; /**< What becomes of it. */
	uint32_t cause[WORLD_PASSES];                 /**< Lowest pass whose failure it inherits. */
};

extern struct world world;

/** A number below `limit`. */
uint32_t world_below(uint32_t limit);

/** Make a world of so many passes. @param failures  In 1000 passes. */
void world_make(uint32_t passes, uint32_t failures);

/** Make the graph of it. */
struct graph *world_build(void);

/** What is right: pairs, states, causes. */
void world_solve(void);

/** Least time on so many slots: longest way, or work by slots, or by units. */
uint64_t world_bound(uint32_t slots, uint32_t units);

/** Time when passes start in the order in which they become ready. */
uint64_t world_first_come(uint32_t slots, uint32_t units, uint32_t bandwidth);

#endif /* TESTS_UNIT_GRAPH_WORLD_H */

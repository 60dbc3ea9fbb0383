/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Runs a graph (S2-R54…R65): knows which passes are ready, chooses what starts next, and follows what ends.
 * It starts nothing itself: the caller asks graph_run_next() as long as it has room, and says which passes have ended.
 *
 *   waiting ──all it waits for──▶ ready ──chosen──▶ running ──last command──▶ done
 *      │                            │                  └──a command fails──▶ failed
 *      └───── it inherits a failure: skipped, when its turn comes
 */
#ifndef FIRMWARE_GRAPH_RUN_H
#define FIRMWARE_GRAPH_RUN_H

#include "firmware/graph/model.h"

/** What limits a run (S2-R67), and what it prefers. */
struct graph_limits {
	uint32_t budgets[GRAPH_NEEDS]; /**< Most that runs together needs; 0: no limit. */
	uint32_t
		at_once; /**< Most passes at once; not 0. RESOURCE: 1 makes them run in turn (S2-R69). */
	bool resource; /**< Emphasis on resources: end lives of buffers first (S2-R76, R80). */
	/** Bytes of live transient buffers above which lives are ended first also when speed is wanted:
	 * "memory is high" (S2-R76), or a level of the memory hierarchy (S2-R81). 0: three quarters of
	 * the planned bytes. */
	uint64_t live_bytes;
};

/** A run. */
struct graph_run {
	struct graph *graph;        /**< Constant. */
	struct graph_limits limits; /**< Constant. */
	uint64_t used[GRAPH_NEEDS]; /**< What running passes need. */
	uint32_t *heap;        /**< In graph->heap: the passes that are ready, to choose from. */
	uint32_t ready;        /**< Their number. */
	uint32_t doomed;       /**< Passes at the end of graph->heap: to be skipped. */
	uint32_t running;      /**< Passes started and not ended. */
	uint32_t left;         /**< Passes that have not ended. */
	uint32_t most_at_once; /**< Most `running` so far. */
	uint32_t failed;       /**< Passes that failed. */
	uint32_t skipped;      /**< Passes not run. */
	uint32_t first_failed; /**< First pass that failed, or GRAPH_NONE. */
	bool stopped;          /**< Nothing starts any more. */
	bool more;             /**< graph_run_next() has work left: call it, though nothing ends. */
	uint64_t live;         /**< Bytes of transient buffers that are alive (S2-R39). */
	uint64_t began;        /**< First graph_run_next(), in ticks, or 0. */
	/* Private to run.c and choose.c. */
	bool lives;                 /**< There are transient buffers. */
	bool sorted;                /**< The passes that are ready lie in their order (heap.h). */
	uint8_t limited;            /**< Kinds of needs that have a budget, */
	uint8_t counted;            /**< kinds of needs that have a budget or that a pass states, */
	uint8_t kinds[GRAPH_NEEDS]; /**< these kinds: first the `limited` ones with a budget. */
	uint32_t look; /**< Number of first members of the heap that are known not to fit now. */
	uint32_t least[GRAPH_NEEDS]; /**< No ready pass needs less, of kinds with a budget. */
	uint32_t seen[GRAPH_NEEDS];  /**< Least of the members before `look`. */
	uint32_t weight
		[GRAPH_NEEDS]; /**< 2^32 by budget, or by most need: makes kinds comparable. */
};

/** The pass to start now, which becomes running. GRAPH_NONE: none is ready, or what is ready would exceed a limit
 * together with what runs.
 * It is the one with the highest rank, with these exceptions (S2-Q13): a pass that fits into the budgets comes
 * before one that does not; with emphasis on resources a pass that ends more bytes of buffers' lives comes first;
 * and of the first few of nearly the same rank the one that needs least of what the running passes use most comes
 * first (S2-R70). Lower numbers break ties. A pass that alone exceeds a budget runs alone.
 * Passes that inherit a failure, or whose turn comes after a stop, are never returned: they end here as skipped.
 * GRAPH_NONE and `more`: the work of one call is bounded, and the caller is to come again. */
uint32_t graph_run_next(struct graph_run *run, uint64_t now);

/** A running pass has ended, with GG_OK or the status of its failure. What waited for it becomes ready. A pass that
 * needs what was not made inherits the failure (S2-Q19); of several failures it inherits that of the lowest pass.
 * The work is bounded by the pass's declarations and waiters. */
void graph_run_end(struct graph_run *run, uint32_t pass, enum gg_status status, uint64_t now);

/** Start nothing more. All that is not running is skipped by graph_run_next() when its turn comes. */
void graph_run_stop(struct graph_run *run);

/** Whether all passes have ended. */
bool graph_run_is_over(const struct graph_run *run);

#endif /* FIRMWARE_GRAPH_RUN_H */

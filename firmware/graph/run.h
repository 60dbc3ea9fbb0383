/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Runs a graph (S2-R54…R65): knows which passes are ready, chooses what starts next, and follows what ends.
 * It starts nothing itself: the caller asks graph_run_next() as long as it has room, and tells ends.
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
	uint32_t at_once;              /**< Most passes at once; not 0. */
	bool resource; /**< Emphasis on resources: end lives of buffers first (S2-R76, R80). */
};

/** A run. */
struct graph_run {
	struct graph *graph;        /**< Constant. */
	struct graph_limits limits; /**< Constant. */
	uint32_t used[GRAPH_NEEDS]; /**< What running passes need. */
	uint32_t ready;             /**< Passes in graph->heap. */
	uint32_t running;           /**< Passes started and not ended. */
	uint32_t left;              /**< Passes that have not ended. */
	uint32_t most_at_once;      /**< Most `running` so far. */
	uint32_t failed;            /**< Passes that failed. */
	uint32_t skipped;           /**< Passes not run. */
	uint32_t first_failed;      /**< First pass that failed, or GRAPH_NONE. */
	uint32_t
		ends; /**< First pass whose end is still to be followed (linked by `cause`…: private). */
	bool stopped; /**< Nothing starts any more. */
};

/** Reset all run fields of the graph, in bounded steps (cursor as in order.h): passes without anything to wait for
 * are ready at the end. */
void graph_run_begin(struct graph_run *run, struct graph *graph, const struct graph_limits *limits,
		     uint32_t *cursor, uint32_t budget);

/** The pass to start now, which becomes running; GRAPH_NONE when none is ready, or what is ready would exceed a limit
 * together with what runs. The one with the highest rank, but (S2-Q13): one that fits into the budgets before one that
 * does not; with emphasis on resources one that ends more bytes of buffers' lives; of the first few of nearly the same
 * rank the one that needs least of what running passes use most (S2-R70). Lower numbers break ties.
 * Passes that inherit a failure are never returned: they end as skipped here. */
uint32_t graph_run_next(struct graph_run *run, uint64_t now);

/** A running pass has ended: GG_OK, or the status of its failure. What waited for it becomes ready; what needs what it
 * did not make inherits the failure (S2-Q19). Bounded by its declarations and waiters. */
void graph_run_end(struct graph_run *run, uint32_t pass, enum gg_status status, uint64_t now);

/** Start nothing more: all that is not running is skipped. */
void graph_run_stop(struct graph_run *run);

/** Whether all passes have ended. */
bool graph_run_is_over(const struct graph_run *run);

/** Bytes of transient buffers that would be free if this pass ended now (S2-R77). */
uint64_t graph_run_frees(const struct graph *graph, uint32_t pass);

#endif /* FIRMWARE_GRAPH_RUN_H */

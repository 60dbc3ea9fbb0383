/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Tasks of type GRAPH (S2), which are a whole workload in one submission. Owns the list of their jobs.
 *
 *   program ──▶ copied ▸ verified ▸ executed ▸ ordered ▸ planned ▸ ranked ──▶ passes run ──▶ report
 *               (graph_make.c)                                             (graph_start.c)
 *
 * A GRAPH task is the parent of the tasks of its passes, and takes no slot of the task table. It is over when its
 * graph is closed: all passes have ended or were skipped, and the report is written. Several GRAPH tasks may be in the
 * device; each does a bounded piece of work in a turn.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_H
#define FIRMWARE_CP_GRAPH_GRAPH_H

#include "firmware/cp/graph/graph_job.h"
#include "firmware/cp/task/kind.h"

/** Initialize: there are no jobs and no kept graphs.
 * @param memory  For graph_store_init(), aligned to 16 bytes.
 * @param bytes   Its size. */
void graph_init(void *memory, uint64_t bytes);

/** The operations of GRAPH tasks. */
extern const struct task_kind graph_kind;

/** Do a piece of work for each of a bounded number of graphs that are due, and apply their time limits. */
void graph_turn(void);

/** Whether a graph has work for another turn. */
bool graph_is_due(void);

/** When the next time limit of a graph ends, in ticks; UINT64_MAX: never. */
uint64_t graph_deadline(void);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_H */

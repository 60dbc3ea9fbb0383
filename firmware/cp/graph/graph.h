/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Tasks of type GRAPH (S2): a whole workload in one submission.
 *
 *   program ──▶ copied ▸ verified ▸ executed ▸ ordered ▸ planned ▸ ranked ──▶ passes run ──▶ report
 *               (graph_make.c)                                             (graph_start.c)
 *
 * The task is the parent of the tasks of its passes; it holds no slot. It is over when its graph is closed: all
 * passes have ended or were skipped, and the report is written. Several may be in the device; the work of each turn is
 * bounded for each.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_H
#define FIRMWARE_CP_GRAPH_GRAPH_H

#include "firmware/cp/graph/graph_job.h"
#include "firmware/cp/task/kind.h"

/** Take over the memory of graphs (graph_store.h), and forget all. */
void graph_init(void *memory, uint64_t bytes);

/** The kind of GRAPH tasks. */
extern const struct task_kind graph_kind;

/** Do a piece of work for each graph that has some. */
void graph_turn(void);

/** Whether there is work for another turn. */
bool graph_is_due(void);

/** The next time limit, in ticks; UINT64_MAX for none. */
uint64_t graph_deadline(void);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_H */

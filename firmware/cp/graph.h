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
#ifndef FIRMWARE_CP_GRAPH_H
#define FIRMWARE_CP_GRAPH_H

#include "firmware/cp/graph_job.h"

/** Take over the memory of graphs (graph_store.h), and forget all. */
void graph_init(void *memory, uint64_t bytes);

/** Open the job of a task whose TMD is checked: decode its descriptor.
 * @return  false: refused. */
bool graph_open(struct task *task);

/** Give back the job of a task, if it has one. */
void graph_give(struct task *task);

/** The task waits for nothing any more, or was resumed: begin, or go on. */
void graph_begin(struct task *task);

/** The task has failed, or was cancelled: nothing more of it starts. */
void graph_stop(struct task *task);

/** Whether nothing of the graph is left to do: it was not begun, or is closed. */
bool graph_is_closed(const struct task *task);

/** A task of a pass has ended. */
void graph_child_ended(struct task *task, struct task *child);

/** All CTAs of a task are issued, be it of a pass or not. */
void graph_child_issued(struct task *child);

/** Do a piece of work for each graph that has some. */
void graph_turn(void);

/** Whether there is work for another turn. */
bool graph_is_due(void);

/** The next time limit, in ticks; UINT64_MAX for none. */
uint64_t graph_deadline(void);

#endif /* FIRMWARE_CP_GRAPH_H */

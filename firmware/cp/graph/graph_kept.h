/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kept graphs: owns the table of graphs that stay in the device, to be launched by handle without being made again.
 * The launches of one kept graph follow each other (S2-Q20). A handle contains a count, so that one of a graph
 * that was freed is recognised.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_KEPT_H
#define FIRMWARE_CP_GRAPH_GRAPH_KEPT_H

#include "firmware/cp/graph/graph_job.h"

#define GRAPH_KEPT 64u /**< Graphs that can be kept. */

/** Initialize: no graph is kept. */
void graph_kept_init(void);

/** Keep a graph.
 * @return  Its handle, not 0; 0 when the table is full. */
uint32_t graph_kept_add(struct graph_image *image);

/** Graphs that are kept and were not freed. */
uint32_t graph_kept_count(void);

/** The kept graph of a handle; NULL when there is none, or it was freed. */
struct graph_image *graph_kept_find(uint32_t handle);

/** Check whether a task may launch the kept graph that its settings name.
 * @return  false: refused, with task->failure set: ERR_GRAPH_HANDLE (no such graph), ERR_CONTEXT (another context made
 *          it), ERR_ARGUMENT (too few arguments), ERR_GRAPH_MEMORY (the space is too small; the value is enough). */
bool graph_kept_check(struct task *task, const struct gg_graph *settings);

/** Free a kept graph; if it runs, when its run is over.
 * @return  GG_OK, or ERR_GRAPH_HANDLE. */
struct refusal graph_kept_free(uint32_t handle);

/** The job of a graph is closed: a kept graph is free for its next launch, unless it was freed meanwhile; the memory of
 * any other graph is given back. */
void graph_kept_release(struct graph_image *image);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_KEPT_H */

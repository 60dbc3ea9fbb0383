/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Graphs that are kept, and launched by handle (S2-R24 without its cost): a table of handles. A
 * handle is never used twice in a row, so an old one is recognised.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_KEPT_H
#define FIRMWARE_CP_GRAPH_GRAPH_KEPT_H

#include "firmware/cp/graph/graph_job.h"

#define GRAPH_KEPT 64u /**< Graphs that can be kept. */

/** Forget all. */
void graph_kept_init(void);

/** Keep a graph.
 * @return  Its handle, not 0; 0 when the table is full. */
uint32_t graph_kept_add(struct graph_image *image);

/** Graphs that are kept and were not freed. */
uint32_t graph_kept_count(void);

/** The kept graph, or NULL. */
struct graph_image *graph_kept_find(uint32_t handle);

/** Whether a task may launch the graph of its settings: it exists, is of its context, and has room in the space.
 * @return  false: refused; ERR_GRAPH_HANDLE, ERR_CONTEXT, ERR_GRAPH_MEMORY, ERR_ARGUMENT. */
bool graph_kept_check(struct task *task, const struct gg_graph *settings);

/** GRAPH, FREE: forget a kept graph; one that runs, after its run. ERR_GRAPH_HANDLE. */
struct refusal graph_kept_free(uint32_t handle);

/** Its run is over: it is free for the next launch, or forgotten when that was asked for. */
void graph_kept_release(struct graph_image *image);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_KEPT_H */

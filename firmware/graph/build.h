/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The memory of a graph, and what is done when all its passes are there (S2-R7, S2-Q3). Between the two the passes are
 * made one by one (draft.h). Every refusal leaves a graph that must be thrown away.
 */
#ifndef FIRMWARE_GRAPH_BUILD_H
#define FIRMWARE_GRAPH_BUILD_H

#include "firmware/graph/model.h"

/** Begin a graph: cut the memory into its arrays. What remains of `bytes` after the resources is shared out among the
 * arrays in fixed proportions.
 * @param graph      May lie at the begin of `memory`, or anywhere else.
 * @param memory     Aligned to 8. It becomes the arrays, behind the graph if that lies there.
 * @param resources  The program's table. It is copied.
 * @return  GG_ERR_GRAPH_TOO_LARGE when not even one pass fits. */
enum gg_status graph_build_begin(struct graph *graph, void *memory, uint64_t bytes,
				 const struct gg_graph_resource *resources, uint32_t resource_count,
				 bool unordered, uint8_t pointer_bytes);

/** All passes are there; what is left of a draft is dropped. Links AFTER of later passes, in steps, so that one turn is
 * bounded. Returns at the first error: ERR_GRAPH_RESOURCE for an AFTER of a pass that does not exist, or (unordered) a
 * transient that is read but never written; the value is the step that completed the pass.
 * @param cursor  0 at first; UINT32_MAX when it is done.
 * @param budget  Elements to look at, at least 1. */
struct refusal graph_build_end(struct graph *graph, uint32_t *cursor, uint32_t budget);

/** Bytes that the finished graph takes, when its arrays are moved together. */
uint64_t graph_build_bytes(const struct graph *graph);

/** Move the arrays together, in bounded steps; `cursor` as above. Afterwards the graph takes
 * graph_build_bytes() of its memory. */
void graph_build_pack(struct graph *graph, uint32_t *cursor, uint32_t budget_bytes);

#endif /* FIRMWARE_GRAPH_BUILD_H */

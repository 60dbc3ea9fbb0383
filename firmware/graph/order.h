/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Topological order (S2-R79), cycles (S2-Q4), and ranks: the longest way from the start of a pass to the end
 * of the graph, by estimates, which is what is scheduled first (S2-R72).
 * All in bounded steps with a cursor, 0 at first, UINT32_MAX when done.
 */
#ifndef FIRMWARE_GRAPH_ORDER_H
#define FIRMWARE_GRAPH_ORDER_H

#include "firmware/graph/model.h"

/** Fill `order`. ERR_GRAPH_CYCLE: value is a pass of a cycle. A graph without forward references is
 * in order as it is. One step is at least a pass with its declarations, and those that they let go. */
struct refusal graph_order_make(struct graph *graph, uint32_t *cursor, uint32_t budget);

/** Fill `rank` of all passes, from `estimate`. */
void graph_order_rank(struct graph *graph, uint32_t *cursor, uint32_t budget);

#endif /* FIRMWARE_GRAPH_ORDER_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Topological order (S2-R79), cycles (S2-Q4), and ranks: the longest way from the start of a pass to the end
 * of the graph, by estimates, which is what is scheduled first (S2-R72).
 * All in bounded steps with a cursor, 0 at first, UINT32_MAX when done.
 */
#ifndef FIRMWARE_GRAPH_ORDER_H
#define FIRMWARE_GRAPH_ORDER_H

#include "firmware/graph/model.h"

/** Fill `order`. A graph without forward references is in order as it is. One step handles at least a pass with its
 * declarations and those that they let go.
 * @return  ERR_GRAPH_CYCLE: the value is a pass of a cycle. */
struct refusal graph_order_make(struct graph *graph, uint32_t *cursor, uint32_t budget);

/** Fill `rank` of all passes, from `estimate`. */
void graph_order_rank(struct graph *graph, uint32_t *cursor, uint32_t budget);

#endif /* FIRMWARE_GRAPH_ORDER_H */

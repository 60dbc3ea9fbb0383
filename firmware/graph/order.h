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

/** Whether `later` depends on `earlier` by data, directly or not (S2-R59, S2-R60): a path of
 * writes and reads; orders of hazards and AFTER do not count. After graph_order_make. Walks the graph: not for the
 * scheduler. @param marks  One byte a pass, any content. */
bool graph_order_depends(const struct graph *graph, uint32_t later, uint32_t earlier,
			 uint8_t *marks);

/** Possible last passes of a resource (S2-R78): users of its last version for which no other user of it waits, by
 * whatever order. After graph_order_make. @param marks  As above.
 * @param passes  Filled with up to `most` numbers, last ones first. @return how many there are. */
uint32_t graph_order_last(const struct graph *graph, uint32_t resource, uint32_t *passes,
			  uint32_t most, uint8_t *marks);

#endif /* FIRMWARE_GRAPH_ORDER_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Finds a pass of a cycle (S2-Q4) for order.c, among the passes that remain when no pass can go next. Each of them
 * waits for another one that remains. Whoever goes from one to the next as often as there are passes has therefore
 * come to a pass of a cycle.
 */
#ifndef FIRMWARE_GRAPH_CYCLE_H
#define FIRMWARE_GRAPH_CYCLE_H

#include "firmware/graph/model.h"

/** One step. graph->work.at and .tail are 0 at first; `unmet`, `writers_left` and `readers_left` say which passes
 * remain.
 * @param done  The number of elements that were looked at is added to it.
 * @return  Whether graph->work.first is a pass of a cycle. */
bool cycle_step(struct graph *graph, uint32_t *done);

#endif /* FIRMWARE_GRAPH_CYCLE_H */

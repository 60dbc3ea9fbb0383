/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Finds a pass of a cycle (S2-Q4), for order.c: among the passes that are left when no pass can go next. Each waits for
 * another one that is left, so who goes from one to the next, as often as there are passes, is in a cycle.
 */
#ifndef FIRMWARE_GRAPH_CYCLE_H
#define FIRMWARE_GRAPH_CYCLE_H

#include "firmware/graph/model.h"

/** One step. graph->work.at and .tail are 0 at first; `unmet`, `writers_left` and `readers_left` say what is left.
 * @param done  What was looked at is added. @return whether graph->work.first is a pass of a cycle. */
bool cycle_step(struct graph *graph, uint32_t *done);

#endif /* FIRMWARE_GRAPH_CYCLE_H */

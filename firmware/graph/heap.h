/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Heap of the passes that are ready: run->ready members at the beginning of graph->heap. The first member comes
 * first.
 */
#ifndef FIRMWARE_GRAPH_HEAP_H
#define FIRMWARE_GRAPH_HEAP_H

#include "firmware/graph/run.h"

/** Whether pass `a` comes before pass `b`: with emphasis on resources by gain first; then by rank (S2-R72), then by
 * number. */
bool graph_heap_before(const struct graph_run *run, uint32_t a, uint32_t b);

/** Add a pass; O(log ready). */
void graph_heap_add(struct graph_run *run, uint32_t pass);

/** Take the pass at `place`, below run->ready; O(log ready). */
uint32_t graph_heap_take(struct graph_run *run, uint32_t place);

/** The key of a member has changed so that it comes before others now. */
void graph_heap_rise(struct graph_run *run, uint32_t pass);

#endif /* FIRMWARE_GRAPH_HEAP_H */

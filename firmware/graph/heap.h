/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Heap of the passes that are ready: run->ready members from run->heap on. The first member comes first.
 *
 * Mostly passes become ready in about the order in which they are taken. As long as they do, the members are a sorted list,
 * which is a heap, too: a pass is added near its end and taken near its front. The list wanders through graph->heap, which
 * has a word for each pass of the graph, and each pass becomes ready once.
 */
#ifndef FIRMWARE_GRAPH_HEAP_H
#define FIRMWARE_GRAPH_HEAP_H

#include "firmware/graph/run.h"

/** Whether pass `a` comes before pass `b`: with emphasis on resources by gain first; then by rank (S2-R72), then by
 * number. */
bool graph_heap_before(const struct graph_run *run, uint32_t a, uint32_t b);

/** Make it empty. The limits of the run are known. */
void graph_heap_init(struct graph_run *run);

/** Add a pass; O(log ready). */
void graph_heap_add(struct graph_run *run, uint32_t pass);

/** Take the pass at `place`, below run->ready; O(log ready). */
uint32_t graph_heap_take(struct graph_run *run, uint32_t place);

/** With emphasis on resources: the gain of a member has grown, so that it may come before others now. */
void graph_heap_rise(struct graph_run *run, uint32_t pass);

#endif /* FIRMWARE_GRAPH_HEAP_H */

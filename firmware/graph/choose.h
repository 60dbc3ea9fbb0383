/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Which ready pass comes next (S2-R56, S2-R66…R72): the heap of the passes that are ready, and the choice from it.
 *
 * With emphasis on speed the heap is ordered by rank: the pass with the longest way to the end of the graph comes
 * first. With emphasis on resources it is ordered by gain, the bytes that a pass takes off the buffers that are
 * alive, and then by rank. The lower number comes first among equals.
 */
#ifndef FIRMWARE_GRAPH_CHOOSE_H
#define FIRMWARE_GRAPH_CHOOSE_H

#include "firmware/graph/run.h"

/** How many of the first members of the heap are compared when more than the order counts; the best three are among
 * them. When memory is high, as many of the last members are compared, too. */
#define GRAPH_WINDOW 7u

/** How many further members one call looks at to find one that fits. */
#define GRAPH_SEARCH 64u

/** Prepare an empty heap, and find what kinds of needs count in this run. */
void graph_choose_init(struct graph_run *run);

/** A pass becomes ready. Takes O(log ready), and a walk through its declarations when buffers count. */
void graph_choose_add(struct graph_run *run, uint32_t pass);

/** Take the pass that is to start. GRAPH_NONE: none fits, or (`more` is set) none was found yet. */
uint32_t graph_choose_take(struct graph_run *run);

/** Take any pass. The heap is not empty. */
uint32_t graph_choose_any(struct graph_run *run);

/** With emphasis on resources: the pass has become the last reader of a buffer. If it is ready, its gain is found
 * again. */
void graph_choose_raise(struct graph_run *run, uint32_t pass);

#endif /* FIRMWARE_GRAPH_CHOOSE_H */

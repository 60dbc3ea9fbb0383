/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Which ready pass comes next (S2-R56, S2-R66…R72): the heap of the passes that are ready, and the choice from it.
 *
 * Speed: the heap is ordered by rank, the longest way to the end first. Resources: by gain, the bytes that a
 * pass takes off the buffers that are alive, then by rank. Then lower numbers first.
 */
#ifndef FIRMWARE_GRAPH_CHOOSE_H
#define FIRMWARE_GRAPH_CHOOSE_H

#include "firmware/graph/run.h"

/** First members of the heap that are compared when more than the order counts: the best three are among them.
 * When memory is high, the last ones too. */
#define GRAPH_WINDOW 7u

/** Further members that one call looks at for one that fits. */
#define GRAPH_SEARCH 64u

/** Prepare an empty heap; what kinds of needs weigh. */
void graph_choose_init(struct graph_run *run);

/** A pass becomes ready. O(log ready), and its declarations when buffers count. */
void graph_choose_add(struct graph_run *run, uint32_t pass);

/** Take the pass that is to start, or GRAPH_NONE: none fits, or (`more`) none was found yet. */
uint32_t graph_choose_take(struct graph_run *run);

/** Take any pass. The heap is not empty. */
uint32_t graph_choose_any(struct graph_run *run);

/** Emphasis on resources: the pass has become the last reader of a buffer; if it is ready, find its gain again. */
void graph_choose_raise(struct graph_run *run, uint32_t pass);

#endif /* FIRMWARE_GRAPH_CHOOSE_H */

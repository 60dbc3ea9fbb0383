/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The begin of a run: versions, then passes, in one count.
 */
#ifndef FIRMWARE_GRAPH_RUN_BEGIN_H
#define FIRMWARE_GRAPH_RUN_BEGIN_H

#include "firmware/graph/run.h"

/** Reset all run fields of the graph, in bounded steps (cursor as in order.h): passes without anything to wait for
 * are ready at the end. @param budget  Versions, passes and accesses; a pass is not cut. */
void graph_run_begin(struct graph_run *run, struct graph *graph, const struct graph_limits *limits,
		     uint32_t *cursor, uint32_t budget);

#endif /* FIRMWARE_GRAPH_RUN_BEGIN_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The begin of a run: the run fields of all versions are reset, then those of all passes, counted by one cursor.
 */
#ifndef FIRMWARE_GRAPH_RUN_BEGIN_H
#define FIRMWARE_GRAPH_RUN_BEGIN_H

#include "firmware/graph/run.h"

/** Reset all run fields of the graph, in bounded steps (cursor as in order.h). At the end the passes that wait for
 * nothing are ready.
 * @param budget  Versions, passes and accesses to look at; a pass is always finished. */
void graph_run_begin(struct graph_run *run, struct graph *graph, const struct graph_limits *limits,
		     uint32_t *cursor, uint32_t budget);

#endif /* FIRMWARE_GRAPH_RUN_BEGIN_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes a graph from its program (S2-R40…R44), piece by piece: takes memory, copies and verifies the program, checks
 * its states, executes it, orders and plans the passes that it has made, and packs the graph.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_MAKE_H
#define FIRMWARE_CP_GRAPH_GRAPH_MAKE_H

#include "firmware/cp/graph/graph_job.h"

/** Do a piece of the current stage, one of OPEN to RANK. When the stage is done `job->stage` is the next one. If it is
 * OPEN still, the job waits for memory or a kept graph, until another graph is made or closes.
 * @return  GG_OK, or why the graph cannot be made. */
struct refusal graph_make_step(struct task *task);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_MAKE_H */

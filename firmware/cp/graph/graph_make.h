/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes a graph from its program (S2-R40…R44), piece by piece: takes memory, copies and verifies the
 * program, checks its states, executes it, orders and plans what came out, and packs it.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_MAKE_H
#define FIRMWARE_CP_GRAPH_GRAPH_MAKE_H

#include "firmware/cp/graph/graph_job.h"

/** Do a piece of a stage from OPEN to RANK; `job->stage` moves on when it is done, from RANK to BEGIN.
 * @param[out] refusal  Why the graph cannot be made.
 * @return  false: it waits for memory, or for a kept graph, until another job closes. */
bool graph_make_step(struct task *task, struct refusal *refusal);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_MAKE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Start of a graph: takes memory for a new graph, or the kept graph that is launched, and reads the arguments.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_BEGIN_H
#define FIRMWARE_CP_GRAPH_GRAPH_BEGIN_H

#include "firmware/cp/graph/graph_job.h"

/** Find the image of a task's graph, and read its arguments. The graph of a kernel's task never waits, but is refused:
 * the graphs that it would wait for may be its ancestors, or wait for it.
 * @return  GG_OK; when the stage is OPEN still, it has to wait until another graph is made, or closes. Or
 *          ERR_GRAPH_HANDLE, ERR_GRAPH_TOO_LARGE, ERR_BUSY. */
struct refusal graph_begin_open(struct task *task);

/** Give back a block that was too small. The job waits for a larger one, or is refused with `refusal` when there will
 * be none. */
void graph_begin_again(struct task *task, struct refusal refusal);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_BEGIN_H */

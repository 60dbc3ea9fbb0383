/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The begin of a graph: memory for a new one, or the kept one that is launched; and its arguments.
 */
#ifndef FIRMWARE_CP_GRAPH_BEGIN_H
#define FIRMWARE_CP_GRAPH_BEGIN_H

#include "firmware/cp/graph_job.h"

/** Find the image of a task's graph, and read its arguments.
 * @param[out] refusal  Set when it cannot be: ERR_GRAPH_HANDLE, ERR_GRAPH_TOO_LARGE.
 * @return  false: it has to wait until another graph closes. */
bool graph_begin_open(struct task *task, struct refusal *refusal);

#endif /* FIRMWARE_CP_GRAPH_BEGIN_H */

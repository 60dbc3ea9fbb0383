/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The begin of a graph: memory for a new one, or the kept one that is launched; and its arguments.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_BEGIN_H
#define FIRMWARE_CP_GRAPH_GRAPH_BEGIN_H

#include "firmware/cp/graph/graph_job.h"

/** Find the image of a task's graph, and read its arguments.
 * @param[out] refusal  Set when it cannot be: ERR_GRAPH_HANDLE, ERR_GRAPH_TOO_LARGE.
 * A kernel's graph does not wait for what others have: they may be its ancestors, or wait for it.
 * @return  false: it has to wait until another graph is made, or closes. */
bool graph_begin_open(struct task *task, struct refusal *refusal);

/** What it is made in was too small: it begins anew when there is more, or is refused. */
void graph_begin_again(struct task *task, struct refusal refusal);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_BEGIN_H */

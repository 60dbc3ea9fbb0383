/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Runs a graph that is made (S2-R54…R57): keeps it, or runs its passes and reports what became of them.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_PLAY_H
#define FIRMWARE_CP_GRAPH_GRAPH_PLAY_H

#include "firmware/cp/graph/graph_job.h"

/** Do a piece of a stage from BEGIN to REPORT. When the task has failed, nothing more starts.
 * @return  Whether the job is to be closed. */
bool graph_play_step(struct task *task);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_PLAY_H */

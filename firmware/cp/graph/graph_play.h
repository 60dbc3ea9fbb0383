/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Runs a graph that was made (S2-R54…R57): keeps it, or runs its passes, and writes the report.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_PLAY_H
#define FIRMWARE_CP_GRAPH_GRAPH_PLAY_H

#include "firmware/cp/graph/graph_job.h"

/** Do a piece of the current stage, one of BEGIN to REPORT. No pass is started when the task has failed.
 * @return  Whether the job is done, and is to be closed. */
bool graph_play_step(struct task *task);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_PLAY_H */

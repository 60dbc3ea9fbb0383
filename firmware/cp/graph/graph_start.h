/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Starts passes (S2-R57). The commands of a pass are done one after the other. A DISPATCH becomes one task, or several
 * that run parts of its grid (S2-R82), as children of the GRAPH task; so does a large COPY or FILL. The CP does the
 * other commands itself.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_START_H
#define FIRMWARE_CP_GRAPH_GRAPH_START_H

#include "firmware/cp/graph/graph_job.h"

/** Whether there is room to start another command. A graph with no command in flight may use the places of the task
 * pool that are reserved for children, because the tasks that fill the pool may wait for it. */
bool graph_start_has_room(const struct graph_image *image);

/** Whether more commands may be begun in this turn. */
bool graph_start_has_turn(const struct graph_image *image);

/** Continue a running pass from `graph_pass.command`, the number of its next command: do the commands up to one that
 * becomes a grid, or end the pass. */
void graph_start_advance(struct task *task, uint32_t pass);

/** A task of a pass has no CTAs left to issue, or has ended. */
void graph_start_issued(struct task *child);

/** A task of a pass has ended: count it. When all parts of its grid have ended, the pass goes on, or ends if one
 * failed. */
void graph_start_ended(struct task *task, struct task *child);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_START_H */

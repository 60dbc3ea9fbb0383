/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Starts passes (S2-R57): their commands one after the other, each DISPATCH as one task, or several parts of
 * one grid (S2-R82), which are children of the GRAPH task. COPY, FILL, SIGNAL and FENCE are done here, but for
 * large copies, which a kernel does.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_START_H
#define FIRMWARE_CP_GRAPH_GRAPH_START_H

#include "firmware/cp/graph/graph_job.h"

/** Whether another command can be started. A graph of which nothing runs may use places that are reserved for
 * children: what fills the task pool may wait for it. */
bool graph_start_has_room(const struct graph_image *image);

/** Whether more commands may be begun in this turn. */
bool graph_start_has_turn(const struct graph_image *image);

/** Go on with a running pass: start its next command, or end it. Its commands count in
 * `graph_pass.command`. */
void graph_start_advance(struct task *task, uint32_t pass);

/** A task of a pass has all its CTAs issued, or has ended. */
void graph_start_issued(struct task *child);

/** A task of a pass has ended: count it; after the last part the pass goes on, or has failed. */
void graph_start_ended(struct task *task, struct task *child);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_START_H */

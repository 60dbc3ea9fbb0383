/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Decodes the descriptor of a graph: all of it is checked before anything has an effect (S2-Q22).
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_DECODE_H
#define FIRMWARE_CP_GRAPH_GRAPH_DECODE_H

#include "firmware/cp/graph/graph_job.h"

/** Copy and check the descriptor that the task's TMD names.
 * @return  false: refused, with task->failure set: ERR_GRAPH_FORMAT, or as graph_kept_check(). */
bool graph_decode(struct task *task, struct gg_graph *settings);

/** Memory of the GRAPH task's context, as the CP sees it; NULL when not all of it is in the context's heap. */
void *graph_decode_memory(const struct task *task, uint64_t address, uint64_t bytes);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_DECODE_H */

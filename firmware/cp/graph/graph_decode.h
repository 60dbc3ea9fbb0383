/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Decodes the descriptor of a graph, whole, before anything has an effect (S2-Q22).
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_DECODE_H
#define FIRMWARE_CP_GRAPH_GRAPH_DECODE_H

#include "firmware/cp/graph/graph_job.h"

/** Copy and check the descriptor that the task's TMD names.
 * @return  false: refused; ERR_GRAPH_FORMAT, ERR_GRAPH_HANDLE, ERR_CONTEXT, with field and value. */
bool graph_decode(struct task *task, struct gg_graph *settings);

/** Memory of the GRAPH task's context: where the CP sees it; NULL when it is not all in the context's heap. */
void *graph_decode_memory(const struct task *task, uint64_t address, uint64_t bytes);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_DECODE_H */

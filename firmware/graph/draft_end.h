/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The end of a pass under construction: it becomes a node of the graph, and its declarations become edges
 * (S2-R42, R43; S2-Q5, Q6).
 */
#ifndef FIRMWARE_GRAPH_DRAFT_END_H
#define FIRMWARE_GRAPH_DRAFT_END_H

#include "firmware/graph/draft.h"

/** End the pass: it becomes part of the graph, and the next draft begins. A draft without a command makes none, and its
 * declarations stay for the next. ERR_GRAPH_RESOURCE: it reads a transient that no pass has written (not when unordered);
 * ERR_GRAPH_TOO_LARGE.
 * @param definition  Definition + 1, or 0. */
struct refusal graph_draft_end(struct graph_draft *draft, uint16_t definition);

#endif /* FIRMWARE_GRAPH_DRAFT_END_H */

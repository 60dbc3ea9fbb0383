/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory of transient buffers (S2-Q18). Each gets a place in the work space for its lifetime, from its first writer
 * to its last user (S2-R39). Buffers whose lives do not overlap in the topological order may share memory. Then the
 * first writers of the later buffer wait until the last version of the earlier one is free (GRAPH_USE_FREE), so that
 * any schedule stays right.
 */
#ifndef FIRMWARE_GRAPH_PLAN_H
#define FIRMWARE_GRAPH_PLAN_H

#include "firmware/graph/model.h"

/** Plan, in bounded steps; cursor as in order.h, after graph_order_make and before graph_build_pack. Emphasis SPEED: memory
 * is shared only when the space is used up, or RESOURCE: as much as possible. Sets `address` of transients (an offset,
 * aligned to 64), `sum_bytes` and `peak_bytes` (sizes rounded up to 64). ERR_GRAPH_MEMORY: value is the bytes that a plan
 * of least memory needs, and that are enough; or a transient has more than 2^48 bytes. ERR_GRAPH_TOO_LARGE: no room for the
 * waits.
 * @param space_bytes  Bytes for transients; the same in each step.
 * @param budget       Elements to look at, at least 1. */
struct refusal graph_plan(struct graph *graph, uint64_t space_bytes, bool resource,
			  uint32_t *cursor, uint32_t budget);

#endif /* FIRMWARE_GRAPH_PLAN_H */

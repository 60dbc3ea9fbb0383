/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ranges of CTAs that SMs had and that are to be issued again: items that SMs took from a PULL grid, did not start, and
 * gave back (S4-R16), and what was on SMs that were lost (collect/sm_lost.h). Owns the pool of ranges and `task->back`.
 *
 * Each task has a list of ranges in a static pool, also while it has no slot. Before an SM or a local queue that may
 * give a range back gets work, a place of the pool is put in reserve for it, so that no range is lost because the
 * pool is full.
 */
#ifndef FIRMWARE_CP_TASK_RANGE_H
#define FIRMWARE_CP_TASK_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Most items of a chunk or packet; whole granules of any grid. */
#define RANGE_MOST (1u << 23)

/** Consecutive CTAs, or items of a PULL grid. */
struct task_range {
	uint64_t first; /**< Position of the first. */
	uint64_t count; /**< Number of them. */
	/** How often an SM that had them was lost, so that they may have been started already (retry.h). */
	uint8_t losses;
};

/** Reset the pool: all places are free. */
void range_init(void);

/** Number of places that are neither used nor in reserve. */
uint32_t range_free(void);

/** Put places in reserve.
 * @return  false when fewer are free; none is put there then. */
bool range_reserve(uint32_t count);

/** Take places out of the reserve. */
void range_unreserve(uint32_t places);

/** Add a range to those of a task. If that needs a place, it takes one that is not in reserve.
 * @param range  At least one CTA.
 * @return       false when there is no place; nothing has changed then. */
bool range_add(struct task *task, const struct task_range *range);

/** Take CTAs from the ranges of a task that has some.
 * @param most  Most CTAs to take, at least 1. */
struct task_range range_take(struct task *task, uint64_t most);

/** Number of CTAs in the range from which range_take() takes next; 0 when the task has none. */
uint64_t range_next(const struct task *task);

/** Discard all ranges of a task. */
void range_drop(struct task *task);

#endif /* FIRMWARE_CP_TASK_RANGE_H */

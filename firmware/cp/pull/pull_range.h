/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ranges of items that SMs took from a PULL grid, did not start, and gave back (S4-R16). Owns the pool of ranges.
 *
 * Each task has a list of ranges in a static pool, also while it has no slot. Before an SM or a local queue that may
 * give a range back gets work, a place of the pool is put in reserve for it, so that no range is lost because the
 * pool is full.
 */
#ifndef FIRMWARE_CP_PULL_PULL_RANGE_H
#define FIRMWARE_CP_PULL_PULL_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Most items of a chunk or packet; whole granules of any grid. */
#define PULL_ITEMS_MOST (1u << 23)

/** Consecutive items. */
struct pull_items {
	uint64_t first; /**< Position of the first item. */
	uint64_t count; /**< Number of items. */
	bool again;     /**< The SM that had them was lost: they may have been started already. */
};

/** Reset the pool: all places are free. */
void pull_range_init(void);

/** Number of places that are neither used nor in reserve. */
uint32_t pull_range_free(void);

/** Put places in reserve.
 * @return  false when fewer are free; none is put there then. */
bool pull_range_reserve(uint32_t count);

/** Take places out of the reserve. */
void pull_range_unreserve(uint32_t places);

/** Add items to the ranges of a task. If that needs a place, it takes one that is not in reserve.
 * @param items  At least one item.
 * @return       false when there is no place; nothing has changed then. */
bool pull_range_add(struct task *task, const struct pull_items *items);

/** Take items from the ranges of a task that has some.
 * @param most  Most items to take, at least 1. */
struct pull_items pull_range_take(struct task *task, uint64_t most);

/** Number of items in the range from which pull_range_take() takes next; 0 when the task has none. */
uint64_t pull_range_next(const struct task *task);

/** Discard all ranges of a task. */
void pull_range_drop(struct task *task);

#endif /* FIRMWARE_CP_PULL_PULL_RANGE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ranges of items that SMs gave back: taken from the set of a PULL grid, and not started (S4-R16).
 *
 * They are lists in a static pool, one a task, also while the task has no slot. Whoever may give a range back has
 * a place of the pool in reserve before it gets work, so that none is ever lost for want of a place.
 */
#ifndef FIRMWARE_CP_PULL_PULL_RANGE_H
#define FIRMWARE_CP_PULL_PULL_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

#define PULL_ITEMS_MOST \
	(1u << 23) /**< Items of a chunk or packet, at most; whole granules of any grid. */

/** Items side by side. */
struct pull_items {
	uint64_t first; /**< Position of the first. */
	uint64_t count; /**< How many. */
	bool again;     /**< Their SM was lost: they may have been started already. */
};

/** Empty the pool. */
void pull_range_init(void);

/** Places that are neither used nor in reserve. */
uint32_t pull_range_free(void);

/** Keep a place in reserve. @return false when there is none. */
bool pull_range_reserve(void);

/** Places are in reserve no more. */
void pull_range_unreserve(uint32_t places);

/** Add items to a task's; takes a place that is in nobody's reserve, if it needs one.
 * @param items  Of at least one item.
 * @return       false when there is no place; nothing was changed. */
bool pull_range_add(struct task *task, const struct pull_items *items);

/** Take items of a task that has some.
 * @param most       At most so many, at least 1. */
struct pull_items pull_range_take(struct task *task, uint64_t most);

/** Items of the range that is next; 0 when there is none. */
uint64_t pull_range_next(const struct task *task);

/** Forget a task's ranges. */
void pull_range_drop(struct task *task);

#endif /* FIRMWARE_CP_PULL_PULL_RANGE_H */

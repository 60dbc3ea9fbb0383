/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What sends streams (pull_issue.c) needs of the entries (pull.c).
 */
#ifndef FIRMWARE_CP_PULL_PULL_SEND_H
#define FIRMWARE_CP_PULL_PULL_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/pull/pull.h"

/** Place the entry of a task's slot if it has none, and bring the task up to date. */
void pull_open(struct task *task);

/** An SM may take from the entry (S4-R22), or go on with what it has. */
void pull_approve(const struct task *task, uint32_t sm);

/** Send streams to an SM. A place for a range is free: pull_range_free().
 * @param items  That go with them, at most PULL_ITEMS_MOST; none when their count is 0.
 * @param more   They take more themselves. */
void pull_send(struct task *task, uint32_t sm, uint32_t streams, const struct pull_items *items,
	       bool more);

#endif /* FIRMWARE_CP_PULL_PULL_SEND_H */

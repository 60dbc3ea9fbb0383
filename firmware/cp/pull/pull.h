/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * PULL grids: SMs take the CTAs ("items") of a grid themselves (S4-R16, R39, R43…R50).
 *
 * In its slot the grid has an entry of the global queue. To an SM with free CTA slots the CP sends one packet for
 * all of them: each is a *stream*, which runs CTA after CTA of what the SM takes from the entry, until it
 * finds nothing. `task->in_flight` counts streams, so a grid costs the CP a packet and a report or
 * two for each SM, whatever its size.
 *
 *     task->position      first item that nobody has taken: the resume position (S0-R13)
 *     task->left          items from there on, and those that were given back (pull_range.h)
 *
 * SMs take items meanwhile: both are brought up to date when the walk begins and at each report. The bit of an SM
 * in the entry lets it go on; without the bit its streams end after the CTA that they run, and what the SM
 * took and did not start comes back with its report.
 *
 * An entry is freed when its task leaves the slot: no SM has a stream, so no packet is out, and what nobody took
 * and what was given back is in the task (S4-R49, R115).
 */
#ifndef FIRMWARE_CP_PULL_PULL_H
#define FIRMWARE_CP_PULL_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/policy/policy.h"
#include "firmware/cp/pull/pull_range.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/task/task.h"
#include "firmware/pull/local_queue.h"
#include "firmware/pull/work_queue.h"

#define PULL_GRID_MOST \
	((uint64_t)1 << 50) /**< Items of a grid, less one, at most: granules are small then. */

/** A task of this kind: sends streams. */
extern const struct policy policy_pull;

/** Forget everything. */
void pull_init(void);

/** Bring position and left of a PULL grid up to date. */
void pull_count(struct task *task);

/** A report of streams has come; they are not counted in any more.
 * @return  GG_ERR_NO_MEMORY when there was no place for what the SM gave back: the task has to fail. */
struct refusal pull_report(struct task *task, uint32_t sm, const struct gg_report *report);

/** Places for ranges that an SM may give back are in reserve no more. */
void pull_release(struct task *task, uint32_t sm);

/** An SM has no stream of the slot's task any more: it has reported, or was lost. */
void pull_gone(struct task *task, uint32_t sm);

/** The task has failed: nothing more is granted. */
void pull_stop(struct task *task);

/** The task leaves its slot; no SM has a stream of it. */
void pull_close(struct task *task);

/** Place the entry of a task's slot if it has none, and bring the task up to date. */
void pull_open(struct task *task);

/** An SM may take from the entry (S4-R22), or go on with what it has. */
void pull_approve(const struct task *task, uint32_t sm);

/** Send streams to an SM. A place for a range is free: pull_range_free().
 * @param items  That go with them, at most PULL_ITEMS_MOST; none when their count is 0.
 * @param more   They take more themselves. */
void pull_send(struct task *task, uint32_t sm, uint32_t streams, const struct pull_items *items,
	       bool more);

#endif /* FIRMWARE_CP_PULL_PULL_H */

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
#ifndef FIRMWARE_CP_PULL_H
#define FIRMWARE_CP_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/policy.h"
#include "firmware/cp/pull_range.h"
#include "firmware/cp/task.h"
#include "firmware/pull/local_queue.h"
#include "firmware/pull/work_queue.h"

#define PULL_ITEMS_MOST \
	(1u << 23) /**< Items of a chunk or packet, at most; whole granules of any grid. */
#define PULL_GRID_MOST \
	((uint64_t)1 << 50) /**< Items of a grid, less one, at most: granules are small then. */

/** What the CP knows of a slot with a PULL grid. */
struct pull_slot {
	struct work_seen seen;         /**< SMs that have not come back with nothing (S4-R49). */
	uint32_t pulling[CP_SM_WORDS]; /**< SMs with streams. */
	uint32_t endless
		[CP_SM_WORDS]; /**< Of them, those whose streams run more than an item each. */
	uint32_t again[CP_SM_WORDS]; /**< Of them, those that have items of an SM that was lost. */
	uint32_t far;                /**< Bit g: GPC g has a local queue. */
};

/** A task of this kind: sends streams. */
extern const struct policy policy_pull;

/** Forget everything. */
void pull_init(void);

/** Whether a task is a PULL grid. */
static inline bool pull_is(const struct task *task)
{
	return task->mode == GG_TASK_MODE_PULL;
}

/** Bit s: slot s has an entry. */
uint32_t pull_slots(void);

/** What is known of a slot, and its entry. */
struct pull_slot *pull_slot(uint32_t slot);
struct work_entry *pull_entry(uint32_t slot);

/** The local queue of a GPC and slot. */
struct local_queue *pull_local(uint32_t gpc, uint32_t slot);

/** Whether an SM with streams of the slot's task was told to end them. */
bool pull_is_recalled(uint32_t slot, uint32_t sm);

/** Bring position and left of a PULL grid up to date. */
void pull_count(struct task *task);

/** Begin of a walk: for all PULL grids in slots, what SMs took meanwhile. */
void pull_refresh(void);

/** A report of streams has come; they are not counted in any more. */
void pull_report(struct task *task, uint32_t sm, const struct gg_report *report);

/** Places for ranges that an SM may give back are in reserve no more. */
void pull_release(struct task *task, uint32_t sm);

/** An SM has no stream of the slot's task any more: it has reported, or was lost. */
void pull_gone(struct task *task, uint32_t sm);

/** The task has failed: nothing more is granted. */
void pull_stop(struct task *task);

/** The task leaves its slot; no SM has a stream of it. */
void pull_close(struct task *task);

#endif /* FIRMWARE_CP_PULL_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * PULL grids, whose CTAs ("items") the SMs take themselves (S4-R16, R39, R43…R50). Owns the entries of the global
 * queue.
 *
 * A grid in a slot has an entry of the global queue. The CP sends an SM one packet for all of its free CTA slots.
 * Each of these becomes a *stream*, which runs one CTA after another, of items that the SM takes from the entry,
 * until there are none. `task->work.in_flight` counts streams, so a grid costs the CP a packet and a report or two
 * for each SM, whatever its size.
 *
 *     task->work.position  first item that nobody has taken: the resume position (S0-R13)
 *     task->work.left      items from there on, and those that were given back (range.h)
 *
 * SMs take items at any time, so both are brought up to date when a walk begins and at each report. A stream goes on
 * only while its SM's bit is set in the entry. When the bit is cleared, streams end after the CTA that they run, and
 * the SM gives back with its report the items that it took and did not start.
 *
 * An entry is freed when its task leaves the slot. At that time no SM has a stream and no packet is out, and the
 * items that nobody took or that were given back are recorded in the task (S4-R49, R115).
 */
#ifndef FIRMWARE_CP_PULL_PULL_H
#define FIRMWARE_CP_PULL_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/task/task.h"
#include "firmware/cp/wave/wave_launch.h"
#include "firmware/pull/local_queue.h"
#include "firmware/pull/work_queue.h"

/** Items of a grid are fewer than this, which keeps granules small. */
#define PULL_GRID_MOST ((uint64_t)1 << 50)

/** `pull` of packets whose streams take items themselves, and bring none. */
#define PULL_ENDLESS (gg_put(GG_PACKET_PULL_VALID, 1) | gg_put(GG_PACKET_PULL_MORE, 1))

/** The policy of PULL grids: it sends streams. */
extern const struct policy policy_pull;

/** Reset all state of PULL grids. */
void pull_init(void);

/** Bring `position` and `left` of a PULL grid that has an entry up to date. */
void pull_count(struct task *task);

/** Note that a wave has brought endless streams to SMs that had none, and that these run all items that are left. There
 * is a free place for each of them: see range_free().
 * @param sms  A bitmap by number. */
void pull_lend(struct task *task, const uint32_t *sms);

/** Whether the streams of a plain PULL grid, which has more items than the device has slots, would go to all SMs by a closed wave,
 * if nothing is in the device, and nothing else waits for room.
 * @param ctas   Items of the grid.
 * @param share  Gets what each SM is to get. */
bool pull_fits(const struct task *task, uint32_t ctas, struct wave_share *share);

/** Launch a PULL grid as pull_fits() has said. Its work says that the streams are issued (task_work_all()). */
void pull_launch_idle(struct task *task, uint32_t ctas, const struct wave_share *share);

/** All streams of a wave have ended, nothing else was sent since pull_lend(), and all items are done. */
void pull_collect(struct task *task);

/** Handle a report of streams. The caller has already subtracted them from those in flight.
 * @return  GG_ERR_NO_MEMORY when there was no place for the items that the SM gave back: the task has to fail. */
struct refusal pull_report(struct task *task, uint32_t sm, const struct gg_report *report);

/** End the reserve of places for ranges that an SM could give back. */
void pull_release(struct task *task, uint32_t sm);

/** Note that an SM has no stream of a task any more, because it has reported the last one or was lost. */
void pull_gone(struct task *task, uint32_t sm);

/** Stop a task that has failed: SMs are granted no more items. */
void pull_stop(struct task *task);

/** Free the entry of a task that leaves its slot. No SM has a stream of it. */
void pull_close(struct task *task);

/** Place an entry for a task in a slot if it has none. */
void pull_open(struct task *task);

/** Set an SM's bit in a task's entry: it may take items from the entry, and go on with those that it has (S4-R22). */
void pull_approve(const struct task *task, uint32_t sm);

/** Send streams to an SM. A place for the range that it may give back is free: see range_free().
 * @param streams  1 to the SM's free slots for the task.
 * @param items    Items that go with them, at most RANGE_MOST; a count of 0 for none.
 * @param more     Whether the streams then take items themselves. */
void pull_send(struct task *task, uint32_t sm, uint32_t streams, const struct task_range *items,
	       bool more);

#endif /* FIRMWARE_CP_PULL_PULL_H */

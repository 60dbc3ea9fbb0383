/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CTAs that run again because their SM was lost: those of tasks whose TMD has a `retry_limit`, which says that a kernel
 * may run a CTA twice.
 *
 * Of such tasks it is noted which CTA each unit of an SM has. When the SM is lost, they become ranges of the task
 * (range.h). A task issues them when no others are left: its position goes to the first of a range, and everything
 * that is done with CTAs is done with these, too. So only the end of the CTAs that are left looks at ranges. CTAs of a
 * queue task come first, one at a time: new items may never end, and the window of the queue waits for them (queue.h).
 *
 * A CTA that was on RETRY_GUILTY lost SMs is suspected to be the reason of their loss. SMs that stopped because the host
 * asked them to do not count for that. The verdict is that of collect/sm_lost.h.
 */
#ifndef FIRMWARE_CP_TASK_RETRY_H
#define FIRMWARE_CP_TASK_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/refusal.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/task.h"

#define RETRY_MOST   15u /**< Largest retry_limit: task_range.losses has four bits for it. */
#define RETRY_GUILTY 2u  /**< Lost SMs on which a CTA was, when it is suspected. */

/** Whether CTAs of a task run again when their SM is lost. */
static inline bool retry_is_on(const struct task *task)
{
	return part_is_here(GG_FEATURE_RETRIES) && task->tmd.retry_limit != 0;
}

/** Note which CTAs an SM was sent, of a task for which retry_is_on().
 * @param starts  Lowest unit of each, a bit each.
 * @param first   Position of the first; the others follow it. */
void retry_note(const struct task *task, uint32_t sm, uint32_t starts, uint64_t first);

/** retry_first_time() of a task for which retry_is_on(). */
uint32_t retry_never_lost(uint32_t sm, uint32_t starts);

/** Of CTAs that an SM has, those that were never lost: where the task was sent as a wave, those of the wave.
 * @param starts  Lowest unit of each, a bit each. */
static inline uint32_t retry_first_time(const struct task *task, uint32_t sm, uint32_t starts)
{
	return retry_is_on(task) ? retry_never_lost(sm, starts) : starts;
}

/** A way to keep a CTA that a lost SM had, so that it is issued again.
 * @param unit    Its lowest unit.
 * @param losses  task_range.losses with which it runs again.
 * @return        false: there is no place for it. */
typedef bool (*retry_way)(struct task *task, uint32_t sm, uint32_t unit, uint32_t losses);

/** Keep CTAs in a range, the first of which an SM had at a unit.
 * @return  false: there is no place for it. */
bool retry_range(struct task *task, uint32_t sm, uint32_t unit, uint32_t losses, uint32_t ctas);

/** The way of CTAs that are in no CGA. */
bool retry_cta(struct task *task, uint32_t sm, uint32_t unit, uint32_t losses);

/** Keep the CTAs of a task for which retry_is_on() that a lost SM had, so that they are issued again. The caller subtracts them
 * from those in flight, and has retry_next() or queue_count() find them.
 * @param starts  Lowest unit of each, a bit each; not 0.
 * @param blamed  The host did not ask for the loss.
 * @param way     How each is kept.
 * @return        GG_OK; or GG_ERR_SM_LOST with field and value of why they are not issued again, which are 0 for a
 *                task that has failed, and when there is no place. Nothing has changed then, but ranges may have been added to the task. */
struct refusal retry_keep(struct task *task, uint32_t sm, uint32_t starts, bool blamed,
			  retry_way way);

/** Whether one of the CTAs of a lost SM is suspected. The host did not ask for the loss. For a task for which
 * retry_is_on(); not for PULL grids.
 * @param starts  Lowest unit of each, a bit each. */
bool retry_suspects(uint32_t sm, uint32_t starts);

/** An SM that had items of a PULL grid was lost. */
static inline void retry_lost(struct task *task)
{
	task->back.lost = true;
}

/** Items of a PULL grid that were lost before were lost once more: count that against its limit.
 * @return  Whether they may be issued again. */
bool retry_again(struct task *task);

/** Count items of a PULL grid that are issued again. */
static inline void retry_count(struct task *task, uint32_t items)
{
	task->back.retried += items;
}

/** Whether CTAs of a task are to be issued again. Not for PULL grids. */
static inline bool retry_has(const struct task *task)
{
	return part_is_here(GG_FEATURE_RETRIES) && task->back.ranges != 0;
}

/** Go on with the next range of a task in a slot that has some; with the first CTA of it for a queue task. */
void retry_take(struct task *task);

/** Go on with the next range of a task when no other CTA is left to issue. Not for PULL grids, and of no effect on queue tasks.
 * @return  Whether there was one. */
static inline bool retry_next(struct task *task)
{
	if (!retry_has(task) || task->work.left != 0) {
		return false;
	}
	retry_take(task);
	return true;
}

#endif /* FIRMWARE_CP_TASK_RETRY_H */

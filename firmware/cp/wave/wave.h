/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Waves: the CTAs of a task go to many idle SMs at once, and their ends are counted, not reported.
 *
 * When all SMs that get CTAs hold nothing, they all get the same number of CTAs, or one more. So one entry says what they
 * get, and each SM needs only a word with its rank among them, and finds its share itself. When these are the last CTAs
 * of the task, and nobody waits for room, nothing has to be known before all have ended: the SMs then count themselves
 * in the entry, with atomic operations, and only the last one rings. Such a wave is *closed*.
 *
 * If nothing else happens until then, the control processor never looks at these SMs: they are *lent*, and idle again at
 * the end. Before it looks at SMs for anything else, what is known of them is brought up to date by wave_settle(): their
 * resources are then kept as for any other packet, and nothing else knows of waves. The words of SM STATE show what
 * lent SMs had before.
 *
 * Somebody who lacks room *opens* the wave, and so does an SM of it that reports, because a CTA failed or was stopped,
 * or because the SM was lost. SMs that have counted themselves are then taken as if each had reported, and the others
 * report.
 *
 * The streams of a PULL grid are a wave, too, and one of all items that nobody has taken. It is closed when it is launched,
 * and open as soon as anybody looks at its SMs, so that each reports its streams as always.
 *
 * Only the first CTAs of a task are a wave: SMs take the state of its task anew, which would be dear for each round of a
 * long grid, and an entry is never used again before each SM has taken its CTAs of it. Where a core lacks A, waves are open from the beginning: they are only sent faster.
 */
#ifndef FIRMWARE_CP_WAVE_WAVE_H
#define FIRMWARE_CP_WAVE_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/limits.h"
#include "firmware/cp/sms/availability.h"
#include "firmware/cp/task/task.h"

/** Whether waves are linked. The compiler removes code that is guarded by this when they are not. */
static inline bool wave_is_here(void)
{
	return CP_WAVE_SMS != 0;
}

/** Slots whose waves are out and are counted, a bit each. Written by wave.c. */
extern uint32_t wave_slots;

/** Slots whose waves' SMs are lent, a bit each. Written by wave.c. */
extern uint32_t wave_behind;

/** CTAs of a wave that have ended. */
struct wave_end {
	uint32_t sms;   /**< Number of SMs. */
	uint32_t ctas;  /**< Number of CTAs, or of streams. */
	uint64_t first; /**< When the first CTA started, in ticks. */
	uint64_t last;  /**< When the last CTA ended, in ticks. */
};

/** Reset: no wave is out. */
void wave_init(void);

/** A walk over the ready tasks begins: nobody has lacked room yet. */
void wave_walk(void);

/** Somebody lacks room: open all waves, and close none that is launched in this walk. */
void wave_want(void);

/** Bring what is known of all SMs that are lent up to date. */
void wave_settle(void);

/** Launch the first CTAs of a task as a wave, if all SMs that get some are idle and there are enough of them. Each SM gets what it
 * would get without a wave.
 * @param levels  Free slots of the SMs that the task may use, for its needs.
 * @param fill    How far the CTAs fill them: there is room for one at least.
 * @param pull    `pull` of the packets: 0, unless the CTAs are streams.
 * @return        The SMs, a bitmap by number, valid until the wave is over; NULL: nothing was launched. */
const uint32_t *wave_launch(struct task *task, const struct availability *levels,
			    const struct availability_fill *fill, uint32_t pull);

/** How CTAs are spread over SMs. */
struct wave_share {
	uint32_t sms;   /**< Number of SMs: the first ones that hold nothing. */
	uint32_t each;  /**< CTAs of each of them. */
	uint32_t extra; /**< Number of the first SMs that get one more. */
};

/** Whether all CTAs of a plain grid fit into SMs that hold nothing and come before all others, so that wave_launch() would make
 * a closed wave of them. SMs are in the order of their numbers, no wave is lent, and nothing else waits for room.
 * @param ctas   Number of CTAs, at least 2.
 * @param share  Gets how they are spread. */
bool wave_fits(const struct task_needs *needs, uint32_t ctas, struct wave_share *share);

/** Launch all CTAs of a grid as wave_fits() has said. Its work says that they are issued (task_work_all()). */
void wave_launch_idle(struct task *task, uint32_t ctas, const struct wave_share *share);

/** Whether all SMs of a slot's closed wave have counted themselves. */
bool wave_is_over(uint32_t slot);

/** Slots whose waves were opened since the last call, a bit each: SMs may have counted themselves before, and will not
 * ring for that. Clears DUE_WAVE. */
uint32_t wave_look(void);

/** Whether an SM has counted itself in a slot's open wave and has not been taken as ended; false until wave_look() has
 * told that the wave is open. */
bool wave_counted(uint32_t slot, uint32_t sm);

/** A report of an SM for a slot was taken: open the slot's wave if the SM belongs to it, and end the SM's part if
 * nothing of it is left there. */
void wave_reported(uint32_t slot, uint32_t sm);

/** The times of those CTAs of a slot's wave that have been counted; `sms` and `ctas` are 0. */
struct wave_end wave_times(uint32_t slot);

/** End a wave that is over: give back the resources of all its CTAs. */
struct wave_end wave_collect(struct task *task);

#endif /* FIRMWARE_CP_WAVE_WAVE_H */

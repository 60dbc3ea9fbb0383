/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Waves: the CTAs of a task go to many idle SMs at once, and their ends are counted, not reported.
 *
 * When all SMs that get CTAs hold nothing, they all get the same number of CTAs, or one more. So one entry says what they
 * get, and each SM needs only a word with its rank among them, and finds its share itself. When these are the last CTAs
 * of the task, and nobody waits for room, nothing has to be known before all have ended: the SMs then count themselves
 * in the entry, with atomic operations, and only the last one rings. Such a wave is *closed*.
 *
 * If nobody asks for them until then, the control processor never looks at these SMs: they are *lent*, and idle again at
 * the end. Several waves may be lent, each with SMs of its own. Before it looks at SMs for anything else, what is known of
 * them is brought up to date by wave_settle(): their resources are then kept as for any other packet, and nothing else
 * knows of waves. The words of SM STATE show what lent SMs had before.
 *
 * Somebody who lacks room *opens* the wave. So does an SM of the wave that reports, because a CTA failed or was stopped,
 * or because the SM was lost. SMs that have counted themselves are then taken as if each had reported, and the others
 * report.
 *
 * Several CGAs of a task may be one wave, too: in rounds over the SMs (wave_share.h).
 *
 * The streams of a PULL grid are a wave, too, and one of all items that nobody has taken. It is closed when it is launched,
 * and open as soon as anybody looks at its SMs, so that each reports its streams as always.
 *
 * Only the first CTAs of a task are a wave: SMs take the state of its task anew, which would be dear for each round of a
 * long grid, and an entry is never used again before each SM has taken its CTAs of it. Where SMs cannot share words
 * (hal/atomic.h), waves are open from the beginning: they are only sent faster.
 */
#ifndef FIRMWARE_CP_WAVE_WAVE_H
#define FIRMWARE_CP_WAVE_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/sms/availability.h"
#include "firmware/cp/task/task.h"
#include "hal/mmio.h"

/** Whether waves are linked. The compiler removes code that is guarded by this when they are not. */
static inline bool wave_is_here(void)
{
	return CP_WAVE_SMS != 0;
}

/** Slots whose waves are out and are counted, a bit each. Written by wave.c. */
extern uint32_t wave_slots;

/** Of these, those that are closed. Written by wave.c. */
extern uint32_t wave_closed;

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

/** Open the closed wave of a slot. */
void wave_open(uint32_t slot);

/** Somebody lacks room: open all waves, and close none that is launched in this walk. */
void wave_want(void);

/** Bring what is known of all SMs that are lent up to date. */
void wave_settle(void);

/** What the SMs of a wave get. */
struct wave_share {
	const uint32_t *ranks; /**< Bitmap by rank; the first `sms` of these get CTAs. */
	uint32_t sms;          /**< Number of SMs. */
	uint32_t each;         /**< CTAs of each SM; */
	uint32_t extra;        /**< so many of the first SMs get one more. */
	uint32_t ctas;         /**< CTAs of all. */
	uint32_t pull;         /**< `pull` of the packets: 0, unless the CTAs are streams. */
	uint32_t
		run; /**< Of several CGAs: CTAs that an SM gets of each of its CGAs, a part of `each`; `extra` SMs get one
	                   CGA more. 0: other CTAs. */
};

/** Whether these CTAs of a task, its next ones, can be a closed wave, if there are idle SMs for it.
 * @param ctas  Their number; all that are left for streams. */
bool wave_may(const struct task *task, uint64_t ctas);

/** Prepare a wave of the first CTAs of a task, if its SMs are idle and there are enough of them. Nobody sees it yet, and
 * nothing has changed when it is not prepared. One of streams is prepared only if it is to be closed.
 * @return  The SMs, a bitmap by rank, valid until the wave is over; NULL: it is not prepared. */
const uint32_t *wave_prepare(const struct task *task, const struct wave_share *share);

/** Launch the wave that was prepared last, for this task.
 * @param cga  `cga` of the packets: 0, unless the CTAs are those of a CGA, whose members are in place. */
void wave_send(struct task *task, const struct wave_share *share, uint32_t cga);

/** Launch the first CTAs of a task as a wave, if all SMs that get some are idle and there are enough of them. Each SM gets what it
 * would get without a wave.
 * @param levels  Free slots of the SMs that the task may use, for its needs.
 * @param fill    How far the CTAs fill them: there is room for one at least.
 * @param pull    `pull` of the packets: 0, unless the CTAs are streams.
 * @return        The SMs, a bitmap by number, valid until the wave is over; NULL: nothing was launched. */
const uint32_t *wave_launch(struct task *task, const struct availability *levels,
			    const struct availability_fill *fill, uint32_t pull);

/** Whether all CTAs of a plain grid fit into SMs that hold nothing and come before all others, so that wave_launch() would make
 * a closed wave of them. Of a PULL grid there are more than fit: whether there are streams for all SMs, and these hold nothing.
 * SMs are in the order of their numbers, and nothing else waits for room.
 * @param ctas   Number of CTAs, at least 2.
 * @param pull   `pull` of the packets: 0, unless it is a PULL grid.
 * @param share  Gets what each SM is to get. */
bool wave_fits(const struct task_needs *needs, uint32_t ctas, uint32_t pull,
	       struct wave_share *share);

/** Launch what wave_fits() has said. The work of the task says that it is issued (task_work_all()).
 * @return  The SMs, a bitmap by number, valid until the wave is over. */
const uint32_t *wave_launch_idle(struct task *task, const struct wave_share *share);

/** Slots whose waves an SM belongs to, and has not been taken as ended in, a bit each. */
uint32_t wave_slots_of(uint32_t sm);

/** Whether all SMs of a slot's closed wave have counted themselves. */
bool wave_is_over(uint32_t slot);

/** Slots whose waves were opened since the last call, a bit each: SMs may have counted themselves before, and will not
 * ring for that. Clears DUE_WAVE. */
uint32_t wave_look(void);

/** Whether the bell of an SM may be about a wave: one is closed, or the SM has counted itself in one that is open. */
static inline bool wave_may_ring(uint32_t sm)
{
	const uint32_t serial = mmio_read32(&device.sms[sm].wave_ack);
	uint32_t slots = wave_slots;

	while (slots != 0 && wave_closed == 0 &&
	       device.waves[bits_lowest(slots)].entry.serial != serial) {
		slots &= slots - 1;
	}
	return slots != 0;
}

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

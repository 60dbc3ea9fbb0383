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
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/task/task.h"
#include "hal/mmio.h"

/** Whether waves are linked. The compiler removes code that is guarded by this when they are not. */
static inline bool wave_is_here(void)
{
	return CP_WAVE_SMS != 0;
}

/** Slots whose waves are out and are counted, a bit each. Written by this room. */
extern uint32_t wave_slots;

/** Of these, those that are closed. Written by this room. */
extern uint32_t wave_closed;

/** Slots whose waves' SMs are lent, a bit each. Written by this room. */
extern uint32_t wave_behind;

/** Note the slots whose waves' SMs are lent. For this room. */
static inline void wave_set_behind(uint32_t slots)
{
	wave_behind = slots;
	due_note(DUE_LENT, slots != 0);
}

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

/** The same of the SMs of one slot's wave, which are lent. For this room. */
void wave_settle_slot(uint32_t slot);

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

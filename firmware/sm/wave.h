/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Waves: CTAs that many SMs get by one entry, and whose ends are counted, not reported.
 *
 * The CP sends a task's first CTAs to many SMs at once: launch.wave has the SM's rank among them, from which it finds its
 * CTAs in the entry (wave_share.h). If these are all CTAs of the task, an SM whose own have all ended without an error adds its times to the WAVE entry of the slot and counts itself there with atomic operations; only the last SM
 * rings. It leaves the wave, and reports as for other packets, when a CTA fails or is stopped, and when the CP opens the
 * wave.
 *
 * The CP opens a wave by a word of the entry, then looks at what SMs have counted. An SM counts itself, then looks at
 * that word, and rings if it is set. With a full fence between the two on both sides, either the CP finds that the SM
 * has counted itself, or the SM rings. An SM was idle when a wave came, so it is in one wave at most.
 */
#ifndef FIRMWARE_SM_WAVE_H
#define FIRMWARE_SM_WAVE_H

#include <stddef.h>

#include "firmware/sm/sm.h"

/** Whether waves are linked, which the board says to both images by one number (firmware/cp/base/limits.h). The compiler
 * removes what is for waves only when they are not. */
#if defined(CP_WAVE_SMS) && CP_WAVE_SMS == 0
#define SM_WAVES 0
#else
#define SM_WAVES 1
#endif

/** Task of whose wave the SM is a part, or NULL. */
static inline struct sm_task *wave_task(const struct sm *sm)
{
	return SM_WAVES != 0 ? sm->wave : NULL;
}

/** The WAVE entry of a slot; the packet follows it. */
struct gg_wave *wave_entry(const struct sm *sm, uint32_t slot);

/** CTAs of a wave have been taken: the SM counts their end if the wave is closed.
 * @param starts  Lowest unit of each, a bit each. */
void wave_join(struct sm *sm, struct sm_task *task, uint32_t starts);

/** Leave the wave if the CP has opened it. The SM is in a wave.
 * @return  Its task, of which the caller reports what has ended; NULL when the SM stays. */
struct sm_task *wave_look(struct sm *sm);

/** CTAs of the task whose wave the SM is in are about to be reported: leave the wave, and count the SM if all its CTAs
 * have ended well.
 * @return  Whether it was counted, so there is nothing to report. */
bool wave_count(struct sm *sm, struct sm_task *task);

#endif /* FIRMWARE_SM_WAVE_H */

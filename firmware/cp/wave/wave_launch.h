/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Launches waves (wave.h): chooses their SMs, prepares the entry that these read, and tells each its rank.
 */
#ifndef FIRMWARE_CP_WAVE_WAVE_LAUNCH_H
#define FIRMWARE_CP_WAVE_WAVE_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/sms/availability.h"
#include "firmware/cp/task/task.h"

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

#endif /* FIRMWARE_CP_WAVE_WAVE_LAUNCH_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Issue of CGAs: sessions and commit (S1-R87, S1-R104, S1-R119…R126, S1-R133, S1-R134, S1-R192…R196).
 *
 * A session places one CGA of a task after another in the query model (cga_place.h). A CGA is launched as a whole if
 * it fits and ids and records are free for it; else nothing of it is launched. It is launched right after it was
 * placed, so the model's shadow agrees with the SMs when the next one is placed. An SM sees all packets of a session
 * at once, when all members of their CGAs are in place.
 */
#ifndef FIRMWARE_CP_CGA_CGA_H
#define FIRMWARE_CP_CGA_CGA_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

#define CGA_PATIENCE 256u /**< Patience at boot, in CTAs (cga_wait.h). */

/** Why a session ended. */
enum cga_outcome {
	CGA_LAUNCHED, /**< All CGAs are launched. */
	CGA_NO_ROOM,  /**< The next one does not fit now (S1-R126). */
	CGA_NO_ID     /**< No id, or no record, is free for it (S1-R141, S1-R205). */
};

/** Reset the room: no CGA is in flight; the ids and the patience are as at boot. */
void cga_init(void);

/** Launch CGAs of a task, each as a whole or not at all. The work of a call is bounded by the free CTA slots of the
 * SMs, each of which is taken at most once, plus one placement that fails.
 * @param task  Its shape has levels; it holds a slot.
 * @param cgas  Most top-level CGAs to launch, at most those left; may be 0.
 * @param sms   SMs that may be used, a bitmap by number; NULL for all. */
enum cga_outcome cga_issue(struct task *task, uint64_t cgas, const uint32_t *sms);

#endif /* FIRMWARE_CP_CGA_CGA_H */

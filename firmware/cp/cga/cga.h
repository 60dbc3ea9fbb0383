/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Issue of CGAs: sessions and commit (S1-R87, S1-R104, S1-R119…R126, S1-R133, S1-R134, S1-R192…R196).
 *
 * In a session, CGA after CGA of one task is placed in the query model (cga_place.h), and launched as a whole if
 * it fits and there are ids and records for it; else nothing of it is launched. A CGA is launched right after
 * it was placed, so the model's shadow and the SMs agree when the next one is placed. All packets of a session to
 * an SM become visible to it at once, when all members of their CGAs are in place.
 */
#ifndef FIRMWARE_CP_CGA_CGA_H
#define FIRMWARE_CP_CGA_CGA_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

#define CGA_PATIENCE 256u /**< Patience at boot. */

/** Why a session ended. */
enum cga_outcome {
	CGA_LAUNCHED, /**< All CGAs are launched. */
	CGA_NO_ROOM,  /**< The next one does not fit now (S1-R126). */
	CGA_NO_ID     /**< No id, or no record, is free for it (S1-R141, S1-R205). */
};

/** No CGA is in flight; all ids, and the patience, are as at boot. */
void cga_init(void);

/** Launch CGAs of a task, each as a whole or not at all. The work of a call is bounded by the free CTA slots of the
 * SMs, each of which is taken at most once, and a placement that fails.
 * @param task  Its shape has levels; it holds a slot.
 * @param cgas  At most so many top-level CGAs; at most those left. 0: none.
 * @param sms   Only on these: a bitmap by number; NULL for all. */
enum cga_outcome cga_issue(struct task *task, uint64_t cgas, const uint32_t *sms);

#endif /* FIRMWARE_CP_CGA_CGA_H */

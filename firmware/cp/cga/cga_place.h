/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Placement of CGAs: the query model (S1-R16…R18, S1-R102…R106, S1-R119…R126).
 *
 * The live model is what sm_state.h keeps of each SM. A session works on a shadow of it: the availability levels of
 * the task's class, which are up to date when the session begins. Placing a CGA lowers levels only in the shadow,
 * and the SMs that it lowered are marked as stale there. So a CGA that is not launched leaves no trace (S1-R200).
 * The launch itself subtracts the CGA from the live model, and the shadow is never copied back (S1-R203).
 *
 * The same mechanism serves any number of levels: the parts of a CGA are placed one after the other, each in the
 * smaller domain whose speed is highest. The speed is the least number of free slots left on an SM that received a
 * CTA (S1-R64); for nested CGAs it is the speed of the slowest part.
 */
#ifndef FIRMWARE_CP_CGA_CGA_PLACE_H
#define FIRMWARE_CP_CGA_CGA_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/cga_shape.h"
#include "firmware/cp/task/task.h"
#include "firmware/cp/wave/wave_launch.h"

/** CTAs of consecutive ranks of one innermost CGA that go to one SM (S1-R54, S1-R59). */
struct cga_piece {
	uint16_t sm;  /**< Number of the SM. */
	uint8_t ctas; /**< Number of CTAs, 1 or more. */
	bool last;    /**< Whether this is the last piece of its innermost CGA. */
};

/** Begin a session: take the snapshot (S1-R119).
 * @param needs  Resources that a CTA takes.
 * @param sms    SMs that may be used, a bitmap by number; NULL for all. */
void cga_place_begin(const struct task_needs *needs, const uint32_t *sms);

/** Place one more top-level CGA in the shadow (pass I: S1-R123). What earlier calls of the session placed counts as
 * launched.
 * @param shape  Its number of levels is not 0.
 * @return       false when it does not fit; nothing of it is left in the shadow then. */
bool cga_place_next(const struct cga_shape *shape);

/** Find where cga_place_next() would place the only CGA of a task, without placing it.
 * @param shape       It has one level, and is not spread.
 * @param[out] share  What each SM gets; `ranks` is valid until the next call.
 * @return            false when it does not fit, or when its SMs do not have equally many free slots. */
bool cga_place_even(const struct cga_shape *shape, struct wave_share *share);

/** Place some CGAs, the only ones of a task, in the shadow, until cga_place_back(). They are in cga_place_pieces(), one after
 * the other.
 * @param shape       Its number of levels is 1.
 * @param cgas        Number of CGAs, 1 or more, with CP_CGA_CTAS CTAs at most.
 * @param[out] share  What each SM gets; `ranks` is valid until the next call.
 * @return            Whether they all fit, each SM got equally many CTAs of each of its CGAs, and all of these CGAs once before the first of
 *                    them got another. */
bool cga_place_in_rounds(const struct cga_shape *shape, uint32_t cgas, struct wave_share *share);

/** Take back what cga_place_in_rounds() has placed.
 * @param share  What it has found, which takes fewer steps; NULL if it found nothing. */
void cga_place_back(const struct wave_share *share);

/** The reservation of the last CGA that was placed (S1-R125): its pieces in order of rank, one innermost CGA after
 * the other.
 * @param[out] count  Number of pieces, 1 or more. */
const struct cga_piece *cga_place_pieces(uint32_t *count);

#endif /* FIRMWARE_CP_CGA_CGA_PLACE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Placement of CGAs: the query model (S1-R16…R18, S1-R102…R106, S1-R119…R126).
 *
 * The live model is what sm_state keeps of each SM. A session works on its shadow: the availability
 * levels of the task's class, brought up to date when the session begins. Placing lowers levels in
 * the shadow only; what it touched is marked as out of date there, so a CGA that is not launched
 * leaves no trace (S1-R200), and one that is launched is subtracted from the live model by the
 * launch itself, never copied back (S1-R203).
 *
 * One mechanism serves any number of levels: the parts of a CGA are placed one after the other, each
 * in that of the smaller domains whose speed is highest. Speed is the least number of free slots
 * left on an SM that received a CTA (S1-R64); of nested CGAs, that of the slowest part.
 */
#ifndef FIRMWARE_CP_CGA_CGA_PLACE_H
#define FIRMWARE_CP_CGA_CGA_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/cga_shape.h"
#include "firmware/cp/task/task.h"

/** CTAs of successive ranks of one innermost CGA that go to one SM (S1-R54, S1-R59). */
struct cga_piece {
	uint16_t sm;  /**< By number. */
	uint8_t ctas; /**< 1 or more. */
	bool last;    /**< The last piece of its innermost CGA. */
};

/** Begin a session: take the snapshot (S1-R119).
 * @param sms  Only these SMs: a bitmap by number; NULL for all. */
void cga_place_begin(const struct task_needs *needs, const uint32_t *sms);

/** Place one more top-level CGA in the shadow (pass I). What an earlier call of the session placed
 * counts as launched.
 * @param shape  levels is not 0.
 * @return       false: it does not fit; nothing of it is left in the shadow. */
bool cga_place_next(const struct cga_shape *shape);

/** The reservation of the last success (S1-R125): pieces in order of rank, innermost CGA after
 * innermost CGA, in the order of their numbers.
 * @param[out] count  Pieces, 1 or more. */
const struct cga_piece *cga_place_pieces(uint32_t *count);

#endif /* FIRMWARE_CP_CGA_CGA_PLACE_H */

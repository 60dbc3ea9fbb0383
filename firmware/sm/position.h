/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * x, y and z of a CTA from its launch position (S1-R108, S1-R111), or its items (S0-R05): divided once
 * for the first CTA of a packet, then counted up; in a grid along x alone nothing is divided. Plain C without state.
 *
 * In a plain grid the launch position is the linear number: x fastest, then y, then z (S1-R109). In a
 * grid of CGAs it counts the CTAs of one top-level CGA after the other (S1-Q16), so it is a number
 * of mixed radix: CTA in the innermost CGA, CGA in its parent up to the top level, top-level CGA in
 * the grid; each of them x, y, z.
 */
#ifndef FIRMWARE_SM_POSITION_H
#define FIRMWARE_SM_POSITION_H

#include "firmware/sm/sm.h"

/** Levels of CGAs of a task; 0 in a plain grid. The CP has checked the words. */
uint32_t position_levels(const struct gg_tmd *tmd);

/** CTAs of an innermost CGA along an axis; 1 in a plain grid. */
uint32_t position_inner(const struct gg_tmd *tmd, uint32_t axis);

/** CTAs of an innermost CGA; 1 in a plain grid. */
uint32_t position_members(const struct gg_tmd *tmd);

/** Innermost CGAs of a CGA of the second level along an axis; 1 without a second level. */
uint32_t position_outer(const struct gg_tmd *tmd, uint32_t axis);

/** Whether the CTAs of a task lie along x alone, so that no raster is needed: those of a grid of size 1 along y and z;
 * those of a queue task, of which nobody knows how many there will be; the items of an N-D range (S4-R95). Then x is
 * the low word of the launch position. `tmd`, `items` and `ranged` are valid. */
bool position_is_flat(const struct sm_task *task);

/** Bring the raster to a CTA of a task. Divides only when the raster is not there already.
 * @param task    It is not flat.
 * @param launch  Launch position, below the number of CTAs of the grid. */
void position_seek(struct sm_raster *raster, const struct sm_task *task, uint64_t launch);

/** Go on to the next CTA: add with carry, no division (S1-G1). */
void position_next(struct sm_raster *raster);

/** Linear number of the CTA in its grid: x + grid_x (y + grid_y z). */
uint64_t position_linear(const struct sm_raster *raster, const struct sm_task *task);

/** Give a CTA its launch position, its place in the grid, and its linear number.
 * @param raster  Only for a grid that is not flat; it goes on to the next CTA.
 * @param launch  As for position_seek(); in a queue the number of the CTA, in an N-D range its position. */
void position_take(struct sm_raster *raster, struct sm_cta *cta, uint64_t launch);

/** Items of the first CTA of a packet (S0-R05); all 0 in a grid. Each CTA but the last one of the packet has
 * `task->items` items. Positions count modulo a multiple of the queue's capacity. */
void position_items(const struct sm_task *task, uint32_t first, struct sm_items *items);

/** Go on to the items of the next CTA. */
void position_items_next(const struct sm_task *task, struct sm_items *items);

#endif /* FIRMWARE_SM_POSITION_H */

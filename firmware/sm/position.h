/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * x, y and z of a CTA from its linear number (S1-R108, S1-R111): divided once for the first CTA of
 * a packet, then counted up. Plain C without state.
 */
#ifndef FIRMWARE_SM_POSITION_H
#define FIRMWARE_SM_POSITION_H

#include "firmware/sm/sm.h"

/** Place of a CTA in a grid: x fastest, then y, then z (S1-R109).
 * @param linear  Below the number of CTAs of the grid. */
struct sm_position position_of(const struct gg_tmd *grid, uint64_t linear);

/** Go on to the next CTA in linear order (S1-G1). */
void position_next(const struct gg_tmd *grid, struct sm_position *position);

#endif /* FIRMWARE_SM_POSITION_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * x, y and z of a CTA from its linear number (S1-R108, S1-R111), or its items (S0-R05): divided once
 * for the first CTA of a packet, then counted up. Plain C without state.
 */
#ifndef FIRMWARE_SM_POSITION_H
#define FIRMWARE_SM_POSITION_H

#include "firmware/sm/sm.h"

/** Place of a CTA in a grid: x fastest, then y, then z (S1-R109). The CTAs of a queue task lie along
 * x, as many as there will be: x is the low word of the number.
 * @param linear  Below the number of CTAs of the grid. */
void position_of(const struct sm_task *task, uint64_t linear, struct sm_position *position);

/** Go on to the next CTA in linear order (S1-G1). */
void position_next(const struct sm_task *task, struct sm_position *position);

/** Items of the first CTA of a packet (S0-R05); all 0 in a grid. It has `task->items` of them, but
 * for the last CTA of the packet. Positions count modulo a multiple of the queue's capacity. */
void position_items(const struct sm_task *task, uint32_t first, struct sm_items *items);

/** Go on to the items of the next CTA. */
void position_items_next(const struct sm_task *task, struct sm_items *items);

#endif /* FIRMWARE_SM_POSITION_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Availability levels: how many CTAs of one class of tasks each SM can start now.
 *
 * One bitmap of SMs per level; level n holds the SMs with n free slots. The best SM is the first
 * bit of the highest level that is not empty (S0-R31), and a level is a layer of the lake into
 * which CTAs are poured (S1-R82…R93): balancing of plain grids and placement of CGAs are one
 * mechanism.
 *
 * SMs are named by *rank*, their place in the programmable SM priority list (rank 0 first), so
 * that "first set bit" is the tie-break of S0-R31. A move costs two bits; a choice, one scan of a
 * bitmap, for any number of CTAs. Written and read by the control processor alone.
 */
#ifndef FIRMWARE_CP_SMS_AVAILABILITY_H
#define FIRMWARE_CP_SMS_AVAILABILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/limits.h"

#define AVAILABILITY_LEVELS 32u /**< Levels 0 … 31; an SM has at most 31 CTA slots. */

/** Levels of all SMs for one class. All zero is "no SM has a free slot". */
struct availability {
	uint32_t filled;                                /**< Bit n: level n holds an SM (n > 0). */
	uint16_t count[AVAILABILITY_LEVELS];            /**< SMs on each level n > 0. */
	uint8_t level[CP_SMS];                          /**< Level of each rank. */
	uint32_t sms[AVAILABILITY_LEVELS][CP_SM_WORDS]; /**< Ranks of each level n > 0. */
};

/** How far the lake fills: after the fill, every SM has at most `final` free slots, but for the
 * first `extra` ranks of those at `final`, which have one less. */
struct availability_fill {
	uint32_t final; /**< Level of the water's surface, in free slots. */
	uint32_t extra; /**< SMs that take one CTA more, in order of rank. */
	uint64_t ctas;  /**< CTAs placed: all that were asked for, or all free slots. */
};

/** Put an SM on the level of its free slots.
 * @param rank   Below CP_SMS.
 * @param slots  Free slots, below AVAILABILITY_LEVELS; 0 for an SM that takes nothing. */
void availability_set(struct availability *levels, uint32_t rank, uint32_t slots);

/** The SM with the most free slots; of equals, the lowest rank (S0-R31).
 * @param[out] rank  Written only when there is one.
 * @return           false when no SM has a free slot. */
bool availability_best(const struct availability *levels, uint32_t *rank);

/** Level to which `ctas` CTAs fill the lake, poured onto the highest level first, ties by rank
 * (S1-R82…R93; the result is that of one CTA at a time, S1-T1). Changes nothing.
 * @param ctas  At least 1. */
struct availability_fill availability_pour(const struct availability *levels, uint64_t ctas);

/** Ranks of one bitmap word that stand at `level` or above; `level` 0 counts as 1. */
uint32_t availability_at_least(const struct availability *levels, uint32_t level, uint32_t word);

#endif /* FIRMWARE_CP_SMS_AVAILABILITY_H */

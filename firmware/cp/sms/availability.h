/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Availability levels: how many CTAs of one class of tasks each SM can start now.
 *
 * There is a bitmap of SMs for each level; level n holds the SMs with n free slots. The best SM is the first bit of
 * the highest level that is not empty (S0-R31). A level is also a layer of the lake into which the CTAs of a CGA are
 * poured (S1-R82…R93), so balancing of plain grids and placement of CGAs use the same mechanism.
 *
 * The bitmaps are indexed by *rank*, the SM's position in the programmable SM priority list (rank 0 is first), so
 * the first set bit is the tie-break of S0-R31. To move an SM to another level changes two bits; a choice takes one
 * scan of a bitmap, for any number of CTAs. Only the control processor reads and writes them.
 */
#ifndef FIRMWARE_CP_SMS_AVAILABILITY_H
#define FIRMWARE_CP_SMS_AVAILABILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/limits.h"

#define AVAILABILITY_LEVELS 32u /**< Levels 0 to 31: an SM has at most 31 CTA slots. */

/** Levels of all SMs for one class of tasks. All zero means that no SM has a free slot. */
struct availability {
	uint32_t filled;                                /**< Bit n: level n > 0 holds an SM. */
	uint16_t count[AVAILABILITY_LEVELS];            /**< Number of SMs on each level n > 0. */
	uint8_t level[CP_SMS];                          /**< Level of each rank. */
	uint32_t sms[AVAILABILITY_LEVELS][CP_SM_WORDS]; /**< Bitmap of ranks on each level n > 0. */
};

/** How far CTAs fill the lake. Afterwards every SM has at most `final` free slots, and the first `extra` of those
 * that would have `final` have one less. */
struct availability_fill {
	uint32_t final; /**< Level of the surface, in free slots. */
	uint32_t extra; /**< Number of SMs that take one CTA more, in order of rank. */
	uint64_t ctas;  /**< CTAs placed: those asked for, or as many as there are free slots. */
};

/** Move an SM to the level of its free slots.
 * @param rank   Below CP_SMS.
 * @param slots  Free slots, below AVAILABILITY_LEVELS; 0 for an SM that takes no CTA. */
void availability_set(struct availability *levels, uint32_t rank, uint32_t slots);

/** Find the SM with the most free slots; among equals, the one of lowest rank (S0-R31).
 * @param[out] rank  Written only when there is one.
 * @return           false when no SM has a free slot. */
bool availability_best(const struct availability *levels, uint32_t *rank);

/** Find the level to which CTAs fill the lake when each goes to the highest level, ties by rank (S1-R82…R93). The
 * result is the same as for one CTA at a time (S1-T1). Changes nothing.
 * @param ctas  At least 1. */
struct availability_fill availability_pour(const struct availability *levels, uint64_t ctas);

/** SMs of one bitmap word, by rank, on `level` or above.
 * @param level  Level 0 is treated as 1.
 * @param word   Index of the word. */
uint32_t availability_at_least(const struct availability *levels, uint32_t level, uint32_t word);

#endif /* FIRMWARE_CP_SMS_AVAILABILITY_H */

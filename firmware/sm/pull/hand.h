/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the SM has in hand of the PULL grid of a slot: the rest of its chunk, and how it gets the next one
 * (S4-R38, S4-R43…R48, S4-R62…R91); in its PULL block.
 *
 * The block tells what is not completed should the SM be lost. Each step is one word:
 *
 * - `left` decides what is in hand: the last `left` of the chunk's `items` from `first` on (`next`
 *   says the same, for those who look on). It is written last when a chunk is taken, and counts down.
 * - `running` of a unit is an item while its high word has no bit of HAND_NONE. An item is written
 *   there before `left` counts down, so for a moment it is in both: it counts once.
 *
 * What an SM that is lost between the atomic addition and the write of `left` took is in none of them.
 */
#ifndef FIRMWARE_SM_PULL_HAND_H
#define FIRMWARE_SM_PULL_HAND_H

#include "firmware/pull/chunk.h"
#include "firmware/sm/sm.h"

#define HAND_NONE \
	0x80000000u /**< In the high word of pull.running: no item. Positions have 63 bits. */

/** struct gg_hand, with the history as chunk.h has it. */
struct hand {
	uint32_t id;                  /**< Task; 0: none yet. */
	uint32_t left;                /**< Items in hand. */
	uint32_t next_lo;             /**< The first of them. */
	uint32_t next_hi;             /**< High word. */
	struct chunk_history history; /**< Of its chunks. */
	uint32_t first_lo;            /**< First item of the chunk. */
	uint32_t first_hi;            /**< High word. */
	uint32_t items;               /**< Items of the chunk. */
	uint32_t since_lo;            /**< When it was taken, in ticks. */
	uint32_t since_hi;            /**< High word. */
	uint32_t portions;            /**< Portions fetched for the GPC. */
};

/** At boot: mark all units as running nothing. */
void hand_init(struct sm *sm);

/** The hand of a slot. */
struct hand *hand_of(const struct sm *sm, uint32_t slot);

/** The first streams of a task arrive. History of another task in the same slot is forgotten. */
void hand_begin(struct sm *sm, const struct sm_task *task, struct hand *hand);

/** Put items into the hand, which is empty. */
void hand_fill(struct sm *sm, struct hand *hand, uint64_t first, uint32_t items);

/** Take the next items of a hand that has as many, and note that a unit runs them.
 * @return  The first. */
uint64_t hand_take(struct sm *sm, struct hand *hand, uint32_t unit, uint32_t items);

/** Note that a unit runs an item that was not in hand, and `follow` items after it. */
void hand_run(struct sm *sm, uint32_t unit, uint64_t item, uint32_t follow);

/** Note that a unit runs nothing. */
void hand_stop(struct sm *sm, uint32_t unit);

/** Take a chunk into the hand, which is empty. Needs a core with atomics.
 * @return  false when nothing is left for this SM. */
bool hand_chunk(struct sm *sm, struct sm_task *task, struct hand *hand);

/** Whether the CP recalls the SM: its bit in the entry is cleared. Called before each CTA. */
bool hand_is_recalled(const struct sm *sm, const struct sm_task *task);

#endif /* FIRMWARE_SM_PULL_HAND_H */

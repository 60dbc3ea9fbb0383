/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The state of slots that hold PULL grids: which SMs have streams, the slot's entry of the global queue, and its
 * local queues. Owns pull_slots_of[] and pull_in_use.
 */
#ifndef FIRMWARE_CP_PULL_PULL_SLOT_H
#define FIRMWARE_CP_PULL_PULL_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/task.h"
#include "firmware/pull/local_queue.h"
#include "firmware/pull/work_queue.h"

/** What the CP knows of a slot with a PULL grid. The bitmaps are by SM number; while the slot has no entry they are empty, because
 * an entry is closed when no SM has streams any more. */
struct pull_slot {
	struct work_seen seen;         /**< SMs that have not yet found the entry empty (S4-R49). */
	uint32_t pulling[CP_SM_WORDS]; /**< SMs with streams. */
	/** Of these, SMs with endless streams, which run more than one item each. */
	uint32_t endless[CP_SM_WORDS];
	/** Of `pulling`, SMs for which a place is in reserve since a wave. Written by pull.c. */
	uint32_t lent[CP_SM_WORDS];
	uint32_t again[CP_SM_WORDS]; /**< Of these, SMs with items of a lost SM. */
	uint32_t far;                /**< Bit g: GPC g has a local queue. */
};

extern struct pull_slot pull_slots_of[CP_SLOTS]; /**< By slot. Written by the room pull. */
extern uint32_t pull_in_use; /**< Bit s: slot s has an entry. Written by pull.c. */

/** Reset: no slot has an entry. */
void pull_slot_init(void);

/** Slots with an entry: bit s for slot s. */
static inline uint32_t pull_slots(void)
{
	return part_is_here(GG_FEATURE_PULL) ? pull_in_use : 0;
}

/** The state of a slot. */
static inline struct pull_slot *pull_slot(uint32_t slot)
{
	return &pull_slots_of[slot];
}

/** The entry of a slot in the global queue. */
static inline struct work_entry *pull_entry(uint32_t slot)
{
	return (struct work_entry *)(void *)&device.work[slot];
}

/** The local queue of a GPC and slot. */
static inline struct local_queue *pull_local(uint32_t gpc, uint32_t slot)
{
	return (struct local_queue *)(void *)&device.locals[gpc * CP_SLOTS + slot];
}

/** Whether an SM with streams of a slot's task has been told to end them. */
static inline bool pull_is_recalled(uint32_t slot, uint32_t sm)
{
	return !bits_has(pull_entry(slot)->approved, sm);
}

#endif /* FIRMWARE_CP_PULL_PULL_SLOT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Slots with PULL grids: what the CP knows of each, its entry of the global queue, and its local queues.
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

/** What the CP knows of a slot with a PULL grid. */
struct pull_slot {
	struct work_seen seen;         /**< SMs that have not come back with nothing (S4-R49). */
	uint32_t pulling[CP_SM_WORDS]; /**< SMs with streams. */
	uint32_t endless
		[CP_SM_WORDS]; /**< Of them, those whose streams run more than an item each. */
	uint32_t again[CP_SM_WORDS]; /**< Of them, those that have items of an SM that was lost. */
	uint32_t far;                /**< Bit g: GPC g has a local queue. */
};

extern struct pull_slot pull_slots_of[CP_SLOTS]; /**< By slot. Written by the room pull. */
extern uint32_t pull_in_use; /**< Bit s: slot s has an entry. Written by pull.c. */

/** No slot has an entry. */
void pull_slot_init(void);

/** Bit s: slot s has an entry. */
static inline uint32_t pull_slots(void)
{
	return part_is_here(GG_FEATURE_PULL) ? pull_in_use : 0;
}

/** What is known of a slot. */
static inline struct pull_slot *pull_slot(uint32_t slot)
{
	return &pull_slots_of[slot];
}

/** The entry of a slot. */
static inline struct work_entry *pull_entry(uint32_t slot)
{
	return (struct work_entry *)(void *)&device.work[slot];
}

/** The local queue of a GPC and slot. */
static inline struct local_queue *pull_local(uint32_t gpc, uint32_t slot)
{
	return (struct local_queue *)(void *)&device.locals[gpc * CP_SLOTS + slot];
}

/** Whether an SM with streams of the slot's task was told to end them. */
static inline bool pull_is_recalled(uint32_t slot, uint32_t sm)
{
	return !bits_has(pull_entry(slot)->approved, sm);
}

#endif /* FIRMWARE_CP_PULL_PULL_SLOT_H */

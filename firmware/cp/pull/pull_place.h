/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Placing and freeing the entries of PULL grids and the local queues of far GPCs (S4-R39, R62…R64, R71, R76, R93).
 */
#ifndef FIRMWARE_CP_PULL_PULL_PLACE_H
#define FIRMWARE_CP_PULL_PULL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/range.h"
#include "firmware/cp/pull/pull_slot.h"

/** Reset the settings: no GPC is far, and chunks may take any time. */
void pull_place_init(void);

/** Settings from CONFIG. */
struct pull_settings {
	/** GPCs with a longer latency are far, in ticks (S4-R62); 0: none is. */
	uint32_t far_ticks;
	uint32_t chunk_us; /**< Time of an adaptive chunk, in us (S4-R58); 0: any. */
	/** Per mille of a portion, 0 to 1000: the next one is fetched when no more than this is left. */
	uint32_t local_low;
	uint32_t latency[CP_GPCS]; /**< Latency of each GPC, in ticks (S4-R76). */
};

/** Use these settings for entries that are placed from now on. */
void pull_place_set(const struct pull_settings *wanted);

/** Whether no GPC is far, whichever SMs a task may use. */
bool pull_place_is_near(void);

/** Place and open the entry for a task in a slot, with local queues for far GPCs. At least one SM that the task may
 * use is enabled. */
void pull_place(struct task *task, struct pull_slot *slot);

/** Note that an SM has no stream of a task any more. If it was the last one of a far GPC, the task gets back the
 * items that are left in the GPC's local queue. */
void pull_place_gone(struct task *task, uint32_t sm);

/** Make the local queues of a slot grant nothing more. */
void pull_place_stop(uint32_t slot);

/** Close the local queues of a slot. */
void pull_place_close(uint32_t slot);

#endif /* FIRMWARE_CP_PULL_PULL_PLACE_H */

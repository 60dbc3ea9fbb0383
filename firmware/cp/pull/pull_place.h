/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Entries of PULL grids, and the local queues of far GPCs (S4-R39, R62…R64, R71, R76, R93).
 */
#ifndef FIRMWARE_CP_PULL_PULL_PLACE_H
#define FIRMWARE_CP_PULL_PULL_PLACE_H

#include <stdint.h>

#include "firmware/cp/pull/pull_range.h"
#include "firmware/cp/pull/pull_slot.h"

/** Boot values: no GPC is far, chunks of any time. */
void pull_place_init(void);

/** What CONFIG sets. */
struct pull_settings {
	uint32_t far_ticks; /**< GPCs of a longer latency are far (S4-R62); 0: none. */
	uint32_t chunk_us;  /**< Time of an adaptive chunk (S4-R58); 0: any. */
	uint32_t local_low; /**< Per mille of a portion: fetch when no more is left, 0 to 1000. */
	uint32_t latency[CP_GPCS]; /**< Of each GPC, in ticks (S4-R76). */
};

/** For entries that are placed from now on. */
void pull_place_set(const struct pull_settings *wanted);

/** Place and open the entry of a task's slot, and local queues. At least one SM that it may use is enabled. */
void pull_place(struct task *task, struct pull_slot *slot);

/** An SM has no stream any more: the last of a far GPC leaves what its local queue still has to the task. */
void pull_place_gone(struct task *task, uint32_t sm);

/** Local queues grant nothing more. */
void pull_place_stop(uint32_t slot);

/** Close the local queues of a slot. */
void pull_place_close(uint32_t slot);

#endif /* FIRMWARE_CP_PULL_PULL_PLACE_H */

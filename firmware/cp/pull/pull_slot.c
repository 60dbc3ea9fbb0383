/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/pull/pull_slot.h"

#include <stddef.h>

struct pull_slot pull_slots_of[CP_SLOTS];
uint32_t pull_in_use;

_Static_assert(sizeof(struct work_entry) == sizeof(struct gg_work_entry),
	       "the ABI has the same size");
_Static_assert(offsetof(struct work_entry, plan.policy.target_ticks) ==
		       offsetof(struct gg_work_entry, target_ticks),
	       "the ABI has the same layout");
_Static_assert(offsetof(struct work_entry, approved) == offsetof(struct gg_work_entry, approved),
	       "the ABI has the same layout");
_Static_assert(WORK_ENTRIES >= CP_SLOTS, "one entry for each slot");
_Static_assert(sizeof(struct local_queue) == sizeof(struct gg_local_queue),
	       "the ABI has the same size");
_Static_assert(offsetof(struct local_queue, plan) == offsetof(struct gg_local_queue, id),
	       "the ABI has the same layout");
_Static_assert(offsetof(struct local_queue, seen_by) == offsetof(struct gg_local_queue, seen),
	       "the ABI has the same layout");

void pull_slot_init(void)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		pull_slots_of[slot] = (struct pull_slot){ 0 };
	}
	pull_in_use = 0;
}

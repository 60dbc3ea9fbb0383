/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels in quarantine: a CTA of each was on several SMs that were lost (retry.h). No task of such a kernel is accepted,
 * on any channel, until the channel that its task came from is reset.
 */
#ifndef FIRMWARE_CP_TASK_QUARANTINE_H
#define FIRMWARE_CP_TASK_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/part.h"

#define QUARANTINE_PLACES \
	8u /**< Kernels that are known; a further one takes the place of the oldest. */

/** Kernels in quarantine. Written by quarantine.c. */
extern uint32_t quarantine_count;

/** Empty the quarantine. */
void quarantine_init(void);

/** Put a kernel into quarantine, unless it is there.
 * @param entry    Address where it starts.
 * @param channel  Of the task that ran it. */
void quarantine_add(uint64_t entry, uint32_t channel);

/** Let the kernels out that tasks of a channel ran. */
void quarantine_lift(uint32_t channel);

/** quarantine_has() when there are kernels in quarantine. */
bool quarantine_find(uint64_t entry);

/** Whether a kernel is in quarantine.
 * @param entry  Address where it starts. */
static inline bool quarantine_has(uint64_t entry)
{
	return part_is_here(GG_FEATURE_RETRIES) && quarantine_count != 0 && quarantine_find(entry);
}

#endif /* FIRMWARE_CP_TASK_QUARANTINE_H */

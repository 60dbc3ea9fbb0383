/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The control processor boots again, after a panic or when its host asks for it. Its code and its data are as at the first
 * start; what it does not own stays: the heap, the words of channels, completions, and the records of panics and faults.
 * Nothing that was in the device completes any more, which `cap.resets` tells the host.
 */
#ifndef FIRMWARE_CP_BASE_RESTART_H
#define FIRMWARE_CP_BASE_RESTART_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/part.h"

/** CONFIG.restarts at boot: panics in a minute after which the CP boots again. */
#define RESTARTS (part_is_here(GG_FEATURE_RESTARTS) ? 3u : 0u)

#define RESTARTS_MOST (part_is_here(GG_FEATURE_RESTARTS) ? 1000u : 0u) /**< Its largest value. */

/** For restart_is_warm(). */
bool restart_has_been(void);

/** Whether this boot is one that was asked for here, and not the first after power on. The compiler removes code that is
 * guarded by this where the part is missing. */
static inline bool restart_is_warm(void)
{
	return part_is_here(GG_FEATURE_RESTARTS) && restart_has_been();
}

/** Initialize after power on. */
void restart_init(void);

/** Set after how many panics in a minute the CP boots again.
 * @param most  Up to RESTARTS_MOST. */
void restart_set(uint32_t most);

/** What restart_set() has set. */
uint32_t restart_most(void);

/** Count a panic.
 * @return  Whether the CP is to boot again: the device was ready, and there were not too many in this minute. */
bool restart_is_due(void);

/** Boot again. */
_Noreturn void restart_now(void);

#endif /* FIRMWARE_CP_BASE_RESTART_H */

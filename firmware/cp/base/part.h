/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The parts of the control processor that a board may leave out. Most calls of a part stand behind
 * part_is_here(), so they vanish with it; the few others find an `absent.c` in the part's folder. A TMD that
 * needs a part which is not there is refused.
 */
#ifndef FIRMWARE_CP_BASE_PART_H
#define FIRMWARE_CP_BASE_PART_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/limits.h"

/** Whether a part is there, GG_FEATURE_CLUSTERS to GG_FEATURE_TRACE: a constant. */
#define PART_IS_HERE(part) ((CP_PARTS >> (part)&1u) != 0)

/** The same as a function. Calls behind it vanish when the part is not there. */
static inline bool part_is_here(enum gg_feature part)
{
	return PART_IS_HERE(part);
}

#endif /* FIRMWARE_CP_BASE_PART_H */

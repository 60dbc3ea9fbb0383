/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The optional parts of the control processor, which a board may leave out. Most calls into a part are guarded by
 * part_is_here(), so the compiler removes them when the part is absent; for the few others the part's folder has an
 * `absent.c` with stand-ins. A TMD that needs an absent part is refused.
 */
#ifndef FIRMWARE_CP_BASE_PART_H
#define FIRMWARE_CP_BASE_PART_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/limits.h"

/** Whether a part is linked, as a constant expression.
 * @param part  GG_FEATURE_CLUSTERS to GG_FEATURE_PARKS. */
#define PART_IS_HERE(part) ((CP_PARTS >> (part)&1u) != 0)

/** Whether a part is linked. The compiler removes code that is guarded by this when it is not. */
static inline bool part_is_here(enum gg_feature part)
{
	return PART_IS_HERE(part);
}

/** Whether there is code that does nothing but save time. Small devices, which keep few TMDs, go without it. */
#define PART_FAST (CP_KEPT > 2)

#endif /* FIRMWARE_CP_BASE_PART_H */

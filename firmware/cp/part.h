/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The parts of the control processor that a board may leave out. A part that is left out is replaced
 * by its file of firmware/cp/none, which costs nothing; a TMD that needs it is refused.
 */
#ifndef FIRMWARE_CP_PART_H
#define FIRMWARE_CP_PART_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/limits.h"

/** Whether a part is there: known when the firmware is built.
 * @param part  GG_FEATURE_CLUSTERS to GG_FEATURE_TRACE. */
static inline bool part_is_here(enum gg_feature part)
{
	return (CP_PARTS >> part & 1u) != 0;
}

#endif /* FIRMWARE_CP_PART_H */

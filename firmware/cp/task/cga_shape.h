/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Shape of a task's CGAs: how many levels there are, and what one of each level is made of (S1-R35…R37).
 */
#ifndef FIRMWARE_CP_TASK_CGA_SHAPE_H
#define FIRMWARE_CP_TASK_CGA_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/limits.h"

/** Level 0 is the innermost. All zero: the task is not one of CGAs. */
struct cga_shape {
	uint8_t levels; /**< 0 to CP_CGA_LEVELS. */
	uint8_t domain
		[CP_CGA_LEVELS]; /**< enum gg_domain in which a CGA of the level lies, as a whole;
					    strictly larger from level to level. */
	bool spread;             /**< MULTI_CAST: at most one CTA of an innermost CGA on an SM. */
	uint16_t parts[CP_CGA_LEVELS]; /**< Level 0: CTAs; above: CGAs of the level below. */
};

/** CTAs of a top-level CGA; 1 when the task is not one of CGAs.
 * @param shape  Checked: the product is at most CP_CGA_CTAS. */
static inline uint32_t cga_shape_ctas(const struct cga_shape *shape)
{
	uint32_t ctas = 1;

	for (uint32_t level = 0; level < shape->levels; level++) {
		ctas *= shape->parts[level];
	}
	return ctas;
}

#endif /* FIRMWARE_CP_TASK_CGA_SHAPE_H */

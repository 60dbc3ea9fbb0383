/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The shape of a task's CGAs: how many levels there are, and what a CGA of each level is made of (S1-R35…R37).
 */
#ifndef FIRMWARE_CP_TASK_CGA_SHAPE_H
#define FIRMWARE_CP_TASK_CGA_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/limits.h"

/** Shape of CGAs; level 0 is the innermost. All fields are zero for a task without CGAs. */
struct cga_shape {
	uint8_t levels; /**< Number of levels, 0 to CP_CGA_LEVELS. */
	/** enum gg_domain that holds a whole CGA of the level; strictly larger from level to level. */
	uint8_t domain[CP_CGA_LEVELS];
	bool spread; /**< MULTI_CAST: an SM gets at most one CTA of an innermost CGA. */
	/** Level 0: CTAs of a CGA; above: CGAs of the level below. */
	uint16_t parts[CP_CGA_LEVELS];
};

/** Number of CTAs in a top-level CGA; 1 for a task without CGAs.
 * @param shape  Already checked: the product is at most CP_CGA_CTAS. */
static inline uint32_t cga_shape_ctas(const struct cga_shape *shape)
{
	uint32_t ctas = 1;

	for (uint32_t level = 0; level < shape->levels; level++) {
		ctas *= shape->parts[level];
	}
	return ctas;
}

/** Whether two shapes are the same. */
bool cga_shape_is(const struct cga_shape *shape, const struct cga_shape *other);

#endif /* FIRMWARE_CP_TASK_CGA_SHAPE_H */

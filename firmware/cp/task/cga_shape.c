/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/cga_shape.h"

bool cga_shape_is(const struct cga_shape *shape, const struct cga_shape *other)
{
	bool same = shape->levels == other->levels && shape->spread == other->spread;

	for (uint32_t level = 0; same && level < other->levels; level++) {
		same = shape->domain[level] == other->domain[level] &&
		       shape->parts[level] == other->parts[level];
	}
	return same;
}

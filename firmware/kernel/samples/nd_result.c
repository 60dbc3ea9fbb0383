/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Items with several results each: a block of them, in dispatch order (S4-R37, S4-R109).
 */
#include "ganger_kernel.h"

/**
 * The sum of the index and its products with 1 … many.
 * @param results  `many` for each item.
 * @param many     Results of an item (M).
 */
kernel void nd_result(global uint64_t *results, uint many)
{
	uint64_t *result = ganger_nd_result(results, many * sizeof(*result));
	uint64_t sum = 0;

	for (uint dimension = 0; dimension < ganger_nd_dimensions(); dimension++) {
		sum += ganger_nd_id(dimension) - ganger_nd_offset(dimension);
	}
	for (uint at = (uint)get_local_linear_id(); at < many;
	     at += (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2)) {
		result[at] = sum * (at + 1);
	}
}

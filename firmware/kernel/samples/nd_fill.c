/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Each item of a work set writes its index (S4-R105, S4-R107).
 */
#include "ganger_kernel.h"

#define DIMENSIONS 8u

/** One row of an item. */
struct nd_row {
	uint64_t index[DIMENSIONS]; /**< 0 past the last dimension. */
	uint32_t runs;              /**< Times that the item ran. */
	uint32_t shape;             /**< Dimensions. */
};

/**
 * @param rows   One for each item, in dispatch order.
 * @param items  Rows; items beyond are left out.
 */
kernel void nd_fill(global struct nd_row *rows, uint items)
{
	struct nd_row *row = ganger_nd_result(rows, sizeof(*row));

	if (ganger_nd_position() >= items || get_local_linear_id() != 0) {
		return;
	}
	for (uint dimension = 0; dimension < DIMENSIONS; dimension++) {
		row->index[dimension] = ganger_nd_id(dimension);
	}
	row->runs++;
	row->shape = ganger_nd_dimensions();
}

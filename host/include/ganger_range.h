/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger: work sets of 1 to 8 dimensions for PULL grids (S4-R95 to S4-R110). The rules of
 * ganger.h hold; nothing here needs a device.
 *
 * An item is a CTA. Its index is one number a dimension; its position, from 0, is its place in the
 * order in which items are dispatched.
 */
#ifndef HOST_INCLUDE_GANGER_RANGE_H
#define HOST_INCLUDE_GANGER_RANGE_H

#include "host/include/ganger_device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GG_RANGE_DIMENSIONS 8          /* Most dimensions. */
#define GG_RANGE_ROWS_MAX   (1u << 20) /* Most rows of a range that a task has. */

/**
 * A work set. With rows it is asymmetric (S4-R98): row r has the items 0 to
 * rows[r + 1] - rows[r] - 1 of the fastest dimension; rows are numbered by the other dimensions in
 * order. Rows of 8 and 6 items: sizes 8, 2, and the rows 0, 8, 14.
 */
struct gg_range {
	uint32_t dimensions;                   /**< 1 to 8. */
	uint32_t descending;                   /**< 1: the last item is dispatched first. */
	uint64_t sizes[GG_RANGE_DIMENSIONS];   /**< Items of each dimension, 1 to 2^32. */
	uint64_t offsets[GG_RANGE_DIMENSIONS]; /**< Added to the index of each dimension. */
	/** Dimensions, the one that varies fastest first; all zero: 0, 1, 2, …. */
	uint32_t order[GG_RANGE_DIMENSIONS];
	const uint64_t *rows; /**< row_count + 1 values, or NULL: all rows are alike. */
	uint64_t row_count;   /**< Product of the sizes but the fastest; without rows 0. */
};

/**
 * Number of items, less than 2^63: the product of the sizes, less what rows leave out. Checks all
 * of the range, rows included; the other functions look at no more rows than they need.
 * @return GG_ERR_RANGE: a size of 0, no item in any row, a size above 2^32, 2^63 items or more, an
 * index that with its offset has no 64 bits, order or rows. gg_error_last() has field and value.
 */
GG_CHECKED enum gg_status gg_range_items(const struct gg_range *range, uint64_t *items);

/** Index of a position, with offset (S4-R106). @return GG_ERR_ARGUMENT: no such position; …. */
GG_CHECKED enum gg_status gg_range_index(const struct gg_range *range, uint64_t position,
					 uint64_t index[GG_RANGE_DIMENSIONS]);

/** Position of an index. @return GG_ERR_ARGUMENT: outside of the range, or left out; …. */
GG_CHECKED enum gg_status gg_range_position(const struct gg_range *range,
					    const uint64_t index[GG_RANGE_DIMENSIONS],
					    uint64_t *position);

/**
 * Puts results in dispatch order where they belong in N dimensions (S4-R105, R107): the output is an
 * array of all sizes, dimension 0 contiguous, as a grid that is not pulled would write it (S4-R110).
 * May be called for any parts in any order; places that rows leave out stay as they are.
 * @param first, count  Positions of the items that `results` are of.
 * @param results       count * item_bytes bytes.
 * @param item_bytes    Of all results of an item, not 0: M times those of one when there are M
 *                      (S4-R109).
 * @param output_bytes  Product of the sizes, times item_bytes.
 * @return GG_ERR_ARGUMENT: positions or bytes, or as above; nothing was written, but for
 * GG_ERR_RANGE in the middle of wrong rows.
 */
GG_CHECKED enum gg_status gg_range_recompose(const struct gg_range *range, uint64_t first,
					     uint64_t count, const void *results,
					     uint64_t item_bytes, void *output,
					     uint64_t output_bytes);

#ifdef __cplusplus
}
#endif

#endif /* HOST_INCLUDE_GANGER_RANGE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Sets of items in 1 to 8 dimensions, and their numbers in one sequence (S4-R95…R100, R103, R106).
 *
 * An item is a CTA. Its *index* is one number per dimension; its *position*, 0 … items - 1, is its
 * place in the order in which items are dispatched, which is the same for all SMs and all chunks
 * (S4-R99). The sequence counts the dimensions as an odometer does: the dimension order[0] varies
 * fastest (S4-R106, C2), and descending sets start with the last item.
 *
 * An asymmetric set (S4-R98) has rows of different lengths: items of the fastest dimension lie at
 * its low end, so a hole is what is past the end of a row, and is never an index that is handed
 * out. With rows of equal length everything is arithmetic; else a row is found by halving.
 *
 * No function writes the range. Values are checked once, by nd_range_check(); rows that change
 * after that give wrong indices, but never an access outside of the rows.
 */
#ifndef FIRMWARE_PULL_ND_RANGE_H
#define FIRMWARE_PULL_ND_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define ND_DIMENSIONS 8u                  /**< Most dimensions. */
#define ND_SIZE_MOST  ((uint64_t)1 << 32) /**< Largest size of a dimension. */

/** The index format of a set (S4-R35, C3): what a position is turned into an index with. */
struct nd_range {
	uint32_t dimensions;            /**< 1 … ND_DIMENSIONS. */
	uint8_t order[ND_DIMENSIONS];   /**< Dimensions, fastest first (S4-C2). */
	bool descending;                /**< The last item is dispatched first (S4-R99). */
	uint64_t size[ND_DIMENSIONS];   /**< Items of each dimension, 1 … 2^32. */
	uint64_t offset[ND_DIMENSIONS]; /**< Added to the index of each dimension. */
	/** NULL, or where each row starts in the (ascending) sequence, and after the last the number
	 * of items: nd_range_rows() + 1 values. Rows are numbered by the other dimensions, in order. */
	const uint64_t *rows;
};

/** What nd_range_check() speaks of. */
enum nd_field {
	ND_FIELD_DIMENSIONS = 0,
	ND_FIELD_ORDER = 1,
	ND_FIELD_SIZE = 2,
	ND_FIELD_OFFSET = 3,
	ND_FIELD_ROWS = 4,
};

/** Why a range is refused. */
struct nd_refusal {
	enum nd_field field; /**< Which field. */
	uint64_t at;         /**< Which element of it. */
	uint64_t value;      /**< What it is. */
};

/** A place in a range: a position and its index. */
struct nd_cursor {
	uint64_t position;             /**< Place in dispatch order. */
	uint64_t row;                  /**< Row of the index, when the range has rows. */
	uint64_t index[ND_DIMENSIONS]; /**< With offset; 0 past the last dimension. */
};

/** Check everything but the rows: they may be read only where memory is.
 * @param[out] refusal  Written when the status is an error.
 * @return  GG_ERR_GRID_ZERO: a size is 0; GG_ERR_GRID_OVERFLOW: a size is above 2^32, there are 2^63
 *          items or more, or an index with its offset has no 64 bits; GG_ERR_ARGUMENT: number or
 *          order of the dimensions. */
__attribute__((warn_unused_result)) enum gg_status nd_range_check(const struct nd_range *range,
								  struct nd_refusal *refusal);

/** Check some of the rows, so that a caller can go on with others later.
 * @param first, count  Rows to check; both ends are within the range.
 * @return  GG_ERR_ARGUMENT: the first does not start at 0, or a row is longer than the size of the
 *          fastest dimension, or of negative length; GG_ERR_GRID_ZERO: the last, and no row has an
 *          item. */
__attribute__((warn_unused_result)) enum gg_status nd_range_check_rows(const struct nd_range *range,
								       uint64_t first,
								       uint64_t count,
								       struct nd_refusal *refusal);

/** Rows of a checked range: the product of all sizes but that of the fastest dimension. */
uint64_t nd_range_rows(const struct nd_range *range);

/** Items of a checked range: the product of the sizes, less the holes (S4-R96, R98, C4). */
uint64_t nd_range_items(const struct nd_range *range);

/** Index of a position (S4-R106). One dimension, ascending, without rows: no arithmetic but the
 * offset (S4-R95).
 * @param position    Below nd_range_items().
 * @param[out] index  ND_DIMENSIONS values, with offset. */
void nd_range_index(const struct nd_range *range, uint64_t position, uint64_t *index);

/** Position of an index: where a result belongs (S4-R105, R107, C7).
 * @param[out] position  Written when there is such an item.
 * @return               false when the index is outside of the range or a hole. */
bool nd_range_position(const struct nd_range *range, const uint64_t *index, uint64_t *position);

/** Go to a position. */
void nd_range_seek(const struct nd_range *range, uint64_t position, struct nd_cursor *cursor);

/** Go to the next position, which the caller knows to be below nd_range_items(): an addition and a
 * compare for each dimension that turns, no division. */
void nd_range_next(const struct nd_range *range, struct nd_cursor *cursor);

#endif /* FIRMWARE_PULL_ND_RANGE_H */

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/pull/nd_range.h"

#include <stddef.h>

#define LOW32      0xffffffffu
#define ITEMS_HIGH 0x80000000u /* 2^63 items are too many; this is the upper word of that number. */

/* Quotient and remainder. A division of 64 bits is a library call on rv32, so it is done only when it must be. */
static uint64_t divide(uint64_t value, uint64_t by, uint64_t *rest)
{
	/* Sizes of 1 are frequent. A size of 0 occurs only when somebody has written it since the check; it counts
	 * as 1. */
	if (by <= 1u) {
		*rest = 0;
		return value;
	}
	if (value < by) {
		*rest = value;
		return 0;
	}
	if (value <= LOW32) {
		const uint32_t quotient = (uint32_t)value / (uint32_t)by;

		*rest = (uint32_t)value - quotient * (uint32_t)by;
		return quotient;
	}
	const uint64_t quotient = value / by;

	*rest = value - quotient * by;
	return quotient;
}

/* product * size, for a product below 2^63 and a size up to 2^32: from the words of the product, so
 * that nothing overflows before it is seen. */
static bool multiply(uint64_t *product, uint64_t size)
{
	const uint64_t high = (*product >> 32) * size + ((*product & LOW32) * size >> 32);

	if (high >= ITEMS_HIGH) {
		return false;
	}
	*product *= size;
	return true;
}

static enum gg_status refuse(struct nd_refusal *refusal, enum gg_status status, enum nd_field field,
			     uint64_t at, uint64_t value)
{
	*refusal = (struct nd_refusal){ .field = field, .at = at, .value = value };
	return status;
}

static enum gg_status check_order(const struct nd_range *range, struct nd_refusal *refusal)
{
	uint32_t seen = 0;

	if (range->dimensions == 0 || range->dimensions > ND_DIMENSIONS) {
		return refuse(refusal, GG_ERR_ARGUMENT, ND_FIELD_DIMENSIONS, 0, range->dimensions);
	}
	for (uint32_t at = 0; at < range->dimensions; at++) {
		const uint32_t dimension = range->order[at];

		if (dimension >= range->dimensions || (seen >> dimension & 1u) != 0) {
			return refuse(refusal, GG_ERR_ARGUMENT, ND_FIELD_ORDER, at, dimension);
		}
		seen |= 1u << dimension;
	}
	return GG_OK;
}

static enum gg_status check_sizes(const struct nd_range *range, struct nd_refusal *refusal)
{
	uint64_t items = 1;

	/* A size of zero is the error that is reported first, even if the other sizes overflow. */
	for (uint32_t at = 0; at < range->dimensions; at++) {
		if (range->size[at] == 0) {
			return refuse(refusal, GG_ERR_GRID_ZERO, ND_FIELD_SIZE, at, 0);
		}
	}
	for (uint32_t at = 0; at < range->dimensions; at++) {
		const uint64_t size = range->size[at], offset = range->offset[at];

		if (size > ND_SIZE_MOST || !multiply(&items, size)) {
			return refuse(refusal, GG_ERR_GRID_OVERFLOW, ND_FIELD_SIZE, at, size);
		}
		if (offset > UINT64_MAX - (size - 1u)) {
			return refuse(refusal, GG_ERR_GRID_OVERFLOW, ND_FIELD_OFFSET, at, offset);
		}
	}
	return GG_OK;
}

enum gg_status nd_range_check(const struct nd_range *range, struct nd_refusal *refusal)
{
	const enum gg_status status = check_order(range, refusal);

	return status != GG_OK ? status : check_sizes(range, refusal);
}

enum gg_status nd_range_check_rows(const struct nd_range *range, uint64_t first, uint64_t count,
				   struct nd_refusal *refusal)
{
	const uint64_t longest = range->size[range->order[0]], all = nd_range_rows(range);

	if (first == 0 && range->rows[0] != 0) {
		return refuse(refusal, GG_ERR_ARGUMENT, ND_FIELD_ROWS, 0, range->rows[0]);
	}
	for (uint64_t row = first; row < first + count; row++) {
		const uint64_t start = range->rows[row], end = range->rows[row + 1u];

		if (end < start || end - start > longest) {
			return refuse(refusal, GG_ERR_ARGUMENT, ND_FIELD_ROWS, row + 1u, end);
		}
	}
	if (first + count == all && range->rows[all] == 0) {
		return refuse(refusal, GG_ERR_GRID_ZERO, ND_FIELD_ROWS, all, 0);
	}
	return GG_OK;
}

uint64_t nd_range_rows(const struct nd_range *range)
{
	uint64_t rows = 1;

	for (uint32_t at = 1; at < range->dimensions; at++) {
		rows *= range->size[range->order[at]];
	}
	return rows;
}

uint64_t nd_range_items(const struct nd_range *range)
{
	const uint64_t rows = nd_range_rows(range);

	return range->rows != NULL ? range->rows[rows] : rows * range->size[range->order[0]];
}

/* Place in the ascending sequence of a place in dispatch order, and back: it is its own inverse. */
static uint64_t turned(const struct nd_range *range, uint64_t position)
{
	return range->descending ? nd_range_items(range) - 1u - position : position;
}

/* The row that holds an item of the ascending sequence: the last one that starts at or before it. */
static uint64_t find_row(const struct nd_range *range, uint64_t item)
{
	uint64_t low = 0, high = nd_range_rows(range);

	while (high - low > 1u) {
		const uint64_t middle = low + (high - low) / 2u;

		if (range->rows[middle] <= item) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* The index of the dimensions from `at` on, from their number in sequence. The slowest takes what is
 * left without a division. */
static void spread(const struct nd_range *range, uint32_t at, uint64_t number, uint64_t *index)
{
	for (; at + 1u < range->dimensions; at++) {
		const uint32_t dimension = range->order[at];
		uint64_t rest;

		number = divide(number, range->size[dimension], &rest);
		index[dimension] = range->offset[dimension] + rest;
	}
	if (at < range->dimensions) {
		index[range->order[at]] = range->offset[range->order[at]] + number;
	}
}

void nd_range_seek(const struct nd_range *range, uint64_t position, struct nd_cursor *cursor)
{
	const uint64_t item = turned(range, position);

	*cursor = (struct nd_cursor){ .position = position };
	if (range->rows == NULL) {
		spread(range, 0, item, cursor->index);
		return;
	}
	const uint32_t fastest = range->order[0];

	cursor->row = find_row(range, item);
	cursor->index[fastest] = range->offset[fastest] + (item - range->rows[cursor->row]);
	spread(range, 1, cursor->row, cursor->index);
}

void nd_range_index(const struct nd_range *range, uint64_t position, uint64_t *index)
{
	struct nd_cursor cursor;

	nd_range_seek(range, position, &cursor);
	for (uint32_t at = 0; at < ND_DIMENSIONS; at++) {
		index[at] = cursor.index[at];
	}
}

/* Number in sequence of the dimensions from `at` on. */
static bool gather(const struct nd_range *range, uint32_t at, const uint64_t *index,
		   uint64_t *number)
{
	*number = 0;
	for (uint32_t next = range->dimensions; next > at; next--) {
		const uint32_t dimension = range->order[next - 1u];
		const uint64_t digit = index[dimension] - range->offset[dimension];

		/* An index below the offset becomes a very large number here. */
		if (digit >= range->size[dimension]) {
			return false;
		}
		*number = *number * range->size[dimension] + digit;
	}
	return true;
}

bool nd_range_position(const struct nd_range *range, const uint64_t *index, uint64_t *position)
{
	uint64_t item;

	if (!gather(range, range->rows != NULL ? 1 : 0, index, &item)) {
		return false;
	}
	if (range->rows != NULL) {
		const uint64_t row = item,
			       digit = index[range->order[0]] - range->offset[range->order[0]];

		if (digit >= range->rows[row + 1u] - range->rows[row]) {
			return false;
		}
		item = range->rows[row] + digit;
	}
	*position = turned(range, item);
	return true;
}

/* One step of the odometer from the dimension `at` on. */
static void turn(const struct nd_range *range, uint32_t at, uint64_t *index)
{
	for (; at < range->dimensions; at++) {
		const uint32_t dimension = range->order[at];
		const uint64_t first = range->offset[dimension];
		const uint64_t last = first + (range->size[dimension] - 1u);

		if (index[dimension] != (range->descending ? first : last)) {
			index[dimension] += range->descending ? UINT64_MAX : 1u;
			return;
		}
		index[dimension] = range->descending ? last : first;
	}
}

void nd_range_next(const struct nd_range *range, struct nd_cursor *cursor)
{
	const uint32_t fastest = range->order[0];
	const uint64_t *rows = range->rows;

	cursor->position++;
	if (rows == NULL) {
		turn(range, 0, cursor->index);
		return;
	}
	const uint64_t item = turned(range, cursor->position), all = nd_range_rows(range);

	/* Rows without items are passed over. */
	while ((item < rows[cursor->row] || item >= rows[cursor->row + 1u]) &&
	       (range->descending ? cursor->row > 0 : cursor->row + 1u < all)) {
		cursor->row += range->descending ? UINT64_MAX : 1u;
		turn(range, 1, cursor->index);
	}
	cursor->index[fastest] = range->offset[fastest] + (item - rows[cursor->row]);
}

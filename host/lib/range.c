/* SPDX-License-Identifier: Apache-2.0 */
/* Positions and indices: the firmware's own arithmetic, so that both sides agree (S4-R105). */
#include "host/include/ganger_range.h"

#include <string.h>

#include "firmware/pull/nd_range.h"
#include "host/lib/failure.h"

_Static_assert(GG_RANGE_DIMENSIONS == ND_DIMENSIONS, "the same arrays");

static enum gg_status refuse(enum gg_status status, enum gg_field field, uint64_t value)
{
	return failure_done(status, field, value, 0, 0);
}

static enum gg_status refuse_argument(const char *name, uint64_t value, const char *text)
{
	return failure_set(GG_ERR_ARGUMENT, name, value, "%s (%s = %llu)", text, name,
			   (unsigned long long)value);
}

/** A refusal of the firmware's as the device tells it, too. */
static enum gg_status refused(const struct nd_refusal *refusal)
{
	static const enum gg_field fields[] = {
		[ND_FIELD_DIMENSIONS] = GG_FIELD_ND_RANGE_DIMENSIONS,
		[ND_FIELD_ORDER] = GG_FIELD_ND_RANGE_ORDER,
		[ND_FIELD_SIZE] = GG_FIELD_ND_RANGE_SIZES,
		[ND_FIELD_OFFSET] = GG_FIELD_ND_RANGE_OFFSETS,
		[ND_FIELD_ROWS] = GG_FIELD_ND_RANGE_ROWS,
	};

	return refuse(GG_ERR_RANGE, fields[refusal->field], refusal->value);
}

/** The firmware's form, as far as it can hold what the caller gives. */
static enum gg_status convert(const struct gg_range *range, struct nd_range *made)
{
	uint32_t named = 0;

	*made = (struct nd_range){
		.dimensions = range->dimensions,
		.descending = range->descending != 0,
		.rows = range->rows,
	};
	if (range->dimensions == 0 || range->dimensions > ND_DIMENSIONS)
		return refuse(GG_ERR_RANGE, GG_FIELD_ND_RANGE_DIMENSIONS, range->dimensions);
	if (range->descending > 1)
		return refuse(GG_ERR_RANGE, GG_FIELD_ND_RANGE_DESCENDING, range->descending);
	for (uint32_t at = 0; at < range->dimensions; at++) {
		if (range->order[at] >= range->dimensions)
			return refuse(GG_ERR_RANGE, GG_FIELD_ND_RANGE_ORDER, range->order[at]);
		named |= range->order[at];
	}
	for (uint32_t at = 0; at < range->dimensions; at++) {
		made->order[at] = (uint8_t)(named ? range->order[at] : at);
		made->size[at] = range->sizes[at];
		made->offset[at] = range->offsets[at];
	}
	return GG_OK;
}

/** Everything but the rows themselves. */
static enum gg_status check_shape(const struct gg_range *range, struct nd_range *made)
{
	enum gg_status status = convert(range, made);
	struct nd_refusal refusal;
	uint64_t rows;

	if (status != GG_OK)
		return status;
	if (nd_range_check(made, &refusal) != GG_OK)
		return refused(&refusal);
	rows = range->rows ? nd_range_rows(made) : 0;
	if (range->row_count != rows)
		return failure_set(GG_ERR_RANGE, "nd_range.rows", range->row_count,
				   "The range has %llu rows, but %llu are given",
				   (unsigned long long)rows, (unsigned long long)range->row_count);
	return GG_OK;
}

enum gg_status gg_range_items(const struct gg_range *range, uint64_t *items)
{
	struct nd_range made;
	struct nd_refusal refusal;
	enum gg_status status = check_shape(range, &made);

	if (status != GG_OK)
		return status;
	if (range->rows && nd_range_check_rows(&made, 0, range->row_count, &refusal) != GG_OK)
		return refused(&refusal);
	*items = nd_range_items(&made);
	return GG_OK;
}

enum gg_status gg_range_index(const struct gg_range *range, uint64_t position,
			      uint64_t index[GG_RANGE_DIMENSIONS])
{
	struct nd_range made;
	enum gg_status status = check_shape(range, &made);

	if (status != GG_OK)
		return status;
	if (position >= nd_range_items(&made))
		return refuse_argument("position", position, "The range has no such position");
	nd_range_index(&made, position, index);
	return GG_OK;
}

enum gg_status gg_range_position(const struct gg_range *range,
				 const uint64_t index[GG_RANGE_DIMENSIONS], uint64_t *position)
{
	struct nd_range made;
	enum gg_status status = check_shape(range, &made);

	if (status != GG_OK)
		return status;
	if (!nd_range_position(&made, index, position))
		return refuse_argument("index", index[0], "The range has no such index");
	return GG_OK;
}

/** Number of an item's place in the output. @return GG_ERR_RANGE: rows were not checked. */
static enum gg_status place_of(const struct nd_range *range, const uint64_t *index, uint64_t *place)
{
	*place = 0;
	for (uint32_t at = range->dimensions; at-- > 0;) {
		uint64_t digit = index[at] - range->offset[at];

		if (digit >= range->size[at])
			return refuse(GG_ERR_RANGE, GG_FIELD_ND_RANGE_ROWS, digit);
		*place = *place * range->size[at] + digit;
	}
	return GG_OK;
}

static enum gg_status check_parts(const struct nd_range *range, uint64_t first, uint64_t count)
{
	uint64_t items = nd_range_items(range);

	if (first > items)
		return refuse_argument("first", first, "The range has no such position");
	if (count > items - first)
		return refuse_argument("count", count, "The range has fewer items from there on");
	return GG_OK;
}

static enum gg_status check_bytes(const struct nd_range *range, uint64_t item_bytes, uint64_t bytes)
{
	uint64_t places = 1;

	for (uint32_t at = 0; at < range->dimensions; at++)
		places *= range->size[at];
	if (item_bytes == 0)
		return refuse_argument("item_bytes", 0, "An item has results");
	if (bytes % item_bytes != 0 || bytes / item_bytes != places)
		return refuse_argument("output_bytes", bytes,
				       "The output has all sizes times the bytes of an item");
	return GG_OK;
}

enum gg_status gg_range_recompose(const struct gg_range *range, uint64_t first, uint64_t count,
				  const void *results, uint64_t item_bytes, void *output,
				  uint64_t output_bytes)
{
	const uint8_t *from = results;
	struct nd_cursor cursor;
	struct nd_range made;
	enum gg_status status = check_shape(range, &made);

	if (status == GG_OK)
		status = check_parts(&made, first, count);
	if (status == GG_OK)
		status = check_bytes(&made, item_bytes, output_bytes);
	if (status == GG_OK && count > 0)
		nd_range_seek(&made, first, &cursor);
	for (uint64_t done = 0; status == GG_OK && done < count; done++) {
		uint64_t place;

		status = place_of(&made, cursor.index, &place);
		if (status != GG_OK)
			return status;
		memcpy((uint8_t *)output + place * item_bytes, from + done * item_bytes,
		       item_bytes);
		if (done + 1 < count)
			nd_range_next(&made, &cursor);
	}
	return status;
}

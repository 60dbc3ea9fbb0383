/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/range_shape.h"

#include "host/lib/core/failure.h"

_Static_assert(GG_RANGE_DIMENSIONS == ND_DIMENSIONS, "the same arrays");

static enum gg_status refuse(enum gg_status status, enum gg_field field, uint64_t value)
{
	return failure_done(status, field, value, 0, 0);
}

/** Sets the failure to a refusal of the firmware's code, with the fields that a device names. */
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

/** Converts a range to the firmware's form. Refuses what that form cannot hold. */
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

enum gg_status range_shape(const struct gg_range *range, struct nd_range *made)
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

enum gg_status range_items(const struct gg_range *range, uint64_t *items)
{
	struct nd_range made;
	struct nd_refusal refusal;
	enum gg_status status = range_shape(range, &made);

	if (status != GG_OK)
		return status;
	if (range->rows && nd_range_check_rows(&made, 0, range->row_count, &refusal) != GG_OK)
		return refused(&refusal);
	*items = nd_range_items(&made);
	return GG_OK;
}

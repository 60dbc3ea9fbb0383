/* SPDX-License-Identifier: Apache-2.0 */
#include "host/include/ganger_range.h"

#include <string.h>

#include "firmware/pull/nd_range.h"
#include "host/lib/core/failure.h"
#include "host/lib/work/range_shape.h"

static enum gg_status refuse_argument(const char *name, uint64_t value, const char *text)
{
	return failure_set(GG_ERR_ARGUMENT, name, value, "%s (%s = %llu)", text, name,
			   (unsigned long long)value);
}

enum gg_status gg_range_items(const struct gg_range *range, uint64_t *items)
{
	NEEDS(range, items);

	return range_items(range, items);
}

enum gg_status gg_range_index(const struct gg_range *range, uint64_t position,
			      uint64_t index[GG_RANGE_DIMENSIONS])
{
	NEEDS(range, index);

	struct nd_range made;
	enum gg_status status = range_shape(range, &made);

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
	NEEDS(range, index, position);

	struct nd_range made;
	enum gg_status status = range_shape(range, &made);

	if (status != GG_OK)
		return status;
	if (!nd_range_position(&made, index, position))
		return refuse_argument("index", index[0], "The range has no such index");
	return GG_OK;
}

/** Number of an item's place in the output. @return GG_ERR_RANGE: the rows are wrong. */
static enum gg_status place_of(const struct nd_range *range, const uint64_t *index, uint64_t *place)
{
	*place = 0;
	for (uint32_t at = range->dimensions; at-- > 0;) {
		uint64_t digit = index[at] - range->offset[at];

		if (digit >= range->size[at])
			return failure_done(GG_ERR_RANGE, GG_FIELD_ND_RANGE_ROWS, digit, 0, 0);
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
		return refuse_argument("item_bytes", 0, "item_bytes is 0");
	if (bytes % item_bytes != 0 || bytes / item_bytes != places)
		return refuse_argument(
			"output_bytes", bytes,
			"The output is not the product of the sizes, times item_bytes");
	return GG_OK;
}

enum gg_status gg_range_recompose(const struct gg_range *range, uint64_t first, uint64_t count,
				  const void *results, uint64_t item_bytes, void *output,
				  uint64_t output_bytes)
{
	NEEDS(range);
	NEEDS_FOR(count > 0, results, output);

	const uint8_t *from = results;
	struct nd_cursor cursor;
	struct nd_range made;
	enum gg_status status = range_shape(range, &made);

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

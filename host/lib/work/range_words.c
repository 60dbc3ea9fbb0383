/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/range_words.h"

#include <stdbool.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/work/range_shape.h"

#define ORDER_BITS 4u

_Static_assert(sizeof(struct gg_nd_range) % sizeof(uint64_t) == 0, "rows are aligned");

/** Items of a grid of three dimensions; 0: a size is 0, and the device will refuse it. */
static uint64_t grid_items(const struct gg_work *work)
{
	uint64_t plane = (uint64_t)work->grid[0] * (work->grid[1] & UINT16_MAX);

	return plane * (work->grid[2] & UINT16_MAX);
}

static bool is_zero(const uint32_t words[3])
{
	return (words[0] | words[1] | words[2]) == 0;
}

/** Refuses what a range cannot be combined with. */
static enum gg_status check_company(const struct gg_work *work)
{
	if (!is_zero(work->cluster))
		return failure_done(GG_ERR_CLUSTER, GG_FIELD_TMD_CLUSTER_X, work->cluster[0], 0, 0);
	if (work->type != GG_TASK_TYPE_GRID)
		return failure_done(GG_ERR_TMD_TYPE, GG_FIELD_TMD_TYPE, work->type, 0, 0);
	for (uint32_t axis = 0; axis < 3; axis++) {
		if (work->grid[axis] > 1)
			return failure_set(GG_ERR_ARGUMENT, "grid", work->grid[axis],
					   "The work has a range, so it has no grid");
	}
	return GG_OK;
}

static enum gg_status check_chunk(const struct gg_work *work, uint64_t items)
{
	if (work->chunk <= items)
		return GG_OK;
	return failure_done(GG_ERR_CHUNK, GG_FIELD_TMD_CHUNK, work->chunk, 0, 0);
}

static enum gg_status check_range(const struct gg_work *work)
{
	enum gg_status status = check_company(work);
	uint64_t items;

	if (status == GG_OK)
		status = range_items(work->range, &items);
	if (status != GG_OK)
		return status;
	if (work->range->row_count > GG_RANGE_ROWS_MAX)
		return failure_set(GG_ERR_RANGE, "nd_range.rows", work->range->row_count,
				   "A task's range has at most %u rows", GG_RANGE_ROWS_MAX);
	return check_chunk(work, items);
}

enum gg_status range_check(const struct gg_work *work)
{
	uint64_t items;

	if (work->mode != GG_TASK_MODE_PULL && work->range)
		return failure_set(GG_ERR_MODE, "tmd.mode", work->mode,
				   "Only work of mode PULL has a range");
	if (work->mode != GG_TASK_MODE_PULL && work->chunk)
		return failure_set(GG_ERR_CHUNK, "tmd.chunk", work->chunk,
				   "Only work of mode PULL has chunks");
	if (work->range)
		return check_range(work);
	items = grid_items(work);
	return work->type == GG_TASK_TYPE_GRID && items > 0 ? check_chunk(work, items) : GG_OK;
}

static uint32_t rows_bytes(const struct gg_range *range)
{
	return range->rows ? ((uint32_t)range->row_count + 1) * (uint32_t)sizeof(uint64_t) : 0;
}

uint32_t range_bytes(const struct gg_work *work)
{
	return work->range ? (uint32_t)sizeof(struct gg_nd_range) + rows_bytes(work->range) : 0;
}

static bool is_plain(const struct gg_range *range)
{
	uint32_t all = 0;

	for (uint32_t at = 0; at < range->dimensions; at++)
		all |= range->order[at];
	return all == 0;
}

void range_write(const struct gg_work *work, void *to, uint64_t address)
{
	const struct gg_range *range = work->range;
	struct gg_nd_range words = { 0 };

	words.shape = gg_put(GG_ND_RANGE_DIMENSIONS, range->dimensions) |
		      gg_put(GG_ND_RANGE_DESCENDING, range->descending != 0);
	for (uint32_t at = 0; at < range->dimensions; at++) {
		uint32_t dimension = is_plain(range) ? at : range->order[at];

		words.order |= dimension << ORDER_BITS * at;
		gg_split(&words.sizes[2 * at], &words.sizes[2 * at + 1], range->sizes[at]);
		gg_split(&words.offsets[2 * at], &words.offsets[2 * at + 1], range->offsets[at]);
	}
	if (range->rows) {
		gg_split(&words.rows_lo, &words.rows_hi, address + sizeof(words));
		memcpy((uint8_t *)to + sizeof(words), range->rows, rows_bytes(range));
	}
	memcpy(to, &words, sizeof(words));
}

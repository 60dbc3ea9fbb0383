/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/group/share.h"

#include "host/include/ganger_range.h"
#include "host/lib/core/failure.h"

static uint64_t at_least_one(uint32_t size)
{
	return size != 0 ? size : 1;
}

/** Product of numbers below 2^32. @return false: it has no 63 bits. */
static bool multiply(uint64_t *product, uint32_t factor)
{
	if (factor != 0 && *product > (UINT64_MAX >> 1) / factor)
		return false;
	*product *= factor;
	return true;
}

enum gg_status share_shape(const struct gg_work *work, bool split, struct share_shape *shape)
{
	uint32_t slowest = 0;
	uint64_t cga = 1, cga_slowest = 1;

	*shape = (struct share_shape){ .ctas = 1, .grain = 1, .layer = 1 };
	if (work->range != NULL)
		return gg_range_items(work->range, &shape->ctas);
	for (uint32_t axis = 0; axis < 3; axis++) {
		if (work->grid[axis] == 0)
			return failure_set(GG_ERR_GRID_ZERO, "grid", axis, "%s",
					   gg_status_text(GG_ERR_GRID_ZERO));
		if (!multiply(&shape->ctas, work->grid[axis]))
			return failure_set(GG_ERR_GRID_OVERFLOW, "grid", axis, "%s",
					   gg_status_text(GG_ERR_GRID_OVERFLOW));
		slowest = work->grid[axis] > 1 ? axis : slowest;
	}
	for (uint32_t axis = 0; axis < 3; axis++) {
		const uint64_t size = at_least_one(work->cluster[axis]) *
				      at_least_one(work->outer[axis]) *
				      at_least_one(work->top[axis]);

		cga *= size;
		cga_slowest = axis == slowest ? size : cga_slowest;
		if (axis < slowest)
			shape->layer *= work->grid[axis];
	}
	shape->grain = split ? shape->layer * cga_slowest : cga;
	return GG_OK;
}

void share_cut(struct share part, uint64_t grain, const uint32_t *weights, uint32_t count,
	       struct share *parts)
{
	const uint64_t units = part.ctas / grain + (part.ctas % grain != 0);
	uint64_t total = 0, weight = 0, begin = 0;

	for (uint32_t at = 0; at < count; at++)
		total += weights[at];
	for (uint32_t at = 0; at < count; at++) {
		uint64_t end, first, last;

		weight += weights[at];
		end = units / total * weight + units % total * weight / total;
		first = begin * grain;
		last = end >= units ? part.ctas : end * grain;
		parts[at] = (struct share){ part.first + first, last > first ? last - first : 0 };
		begin = end;
	}
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

struct share_bytes share_bytes(const struct gg_group_buffer *buffer,
			       const struct share_shape *shape, struct share part)
{
	const uint64_t count = buffer->bytes / buffer->entry_bytes;
	const uint64_t layers = count / buffer->cta_entries + 1; /* more have no entries */
	const uint64_t first =
		smaller(count, smaller(part.first / shape->layer, layers) * buffer->cta_entries);
	const uint64_t end =
		smaller(count, smaller((part.first + part.ctas) / shape->layer, layers) *
				       buffer->cta_entries);
	const uint64_t low = first - smaller(first, buffer->halo);
	const uint64_t high = end + smaller(count - end, buffer->halo);

	return (struct share_bytes){ low * buffer->entry_bytes, high * buffer->entry_bytes,
				     first * buffer->entry_bytes, end * buffer->entry_bytes };
}

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The built-ins of ganger_nd.h: firmware/pull/nd_range.c over the descriptor that the CTA block names.
 *
 * The index is kept in shared memory for all threads of the CTA, which run one after the other. What
 * the host writes into the descriptor leads to wrong numbers at worst, or to addresses that are not the
 * kernel's: it runs in user mode.
 */
#include "firmware/kernel/ganger_nd.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/runtime/stub.h"
#include "firmware/pull/nd_range.h"

#define DIGIT_BITS 4u
#define DIGIT_MASK \
	(ND_DIMENSIONS - 1u) /* larger digits are wrong, and must not lead out of the arrays */

/* Valid while gg_cta.nd_known is 1. */
static _Thread_local uint64_t known[ND_DIMENSIONS];

/* NULL in a grid without one: queue tasks have a capacity. */
static const struct gg_nd_range *descriptor(void)
{
	const struct gg_cta *cta = ganger_cta();

	return cta->queue_capacity == 0 ? (const struct gg_nd_range *)cta->queue : NULL;
}

static uint32_t dimensions_of(const struct gg_nd_range *from)
{
	const uint32_t dimensions = gg_get(from->shape, GG_ND_RANGE_DIMENSIONS);

	return dimensions <= ND_DIMENSIONS ? dimensions : ND_DIMENSIONS;
}

static void decode(const struct gg_nd_range *from, struct nd_range *range)
{
	range->dimensions = dimensions_of(from);
	range->descending = (from->shape & GG_ND_RANGE_DESCENDING) != 0;
	range->rows = (const uint64_t *)(uintptr_t)gg_join(from->rows_lo, from->rows_hi);
	for (uint32_t at = 0; at < ND_DIMENSIONS; at++) {
		range->order[at] = (uint8_t)(from->order >> at * DIGIT_BITS & DIGIT_MASK);
		range->size[at] = gg_join(from->sizes[2u * at], from->sizes[2u * at + 1u]);
		range->offset[at] = gg_join(from->offsets[2u * at], from->offsets[2u * at + 1u]);
	}
}

unsigned int ganger_nd_dimensions(void)
{
	const struct gg_nd_range *from = descriptor();

	return from != NULL ? dimensions_of(from) : get_work_dim();
}

uint64_t ganger_nd_id(unsigned int dimension)
{
	const struct gg_nd_range *from = descriptor();
	struct gg_cta *cta = ganger_block();

	if (from == NULL) {
		return get_group_id(dimension);
	}
	if (dimension >= ND_DIMENSIONS) {
		return 0;
	}
	if (cta->nd_known == 0) {
		struct nd_range range;

		decode(from, &range);
		nd_range_index(&range, cta->cta_linear, known);
		cta->nd_known = 1;
	}
	return known[dimension];
}

uint64_t ganger_nd_size(unsigned int dimension)
{
	const struct gg_nd_range *from = descriptor();

	if (from == NULL) {
		return get_num_groups(dimension);
	}
	return dimension < dimensions_of(from)
		       ? gg_join(from->sizes[2u * dimension], from->sizes[2u * dimension + 1u])
		       : 1;
}

uint64_t ganger_nd_offset(unsigned int dimension)
{
	const struct gg_nd_range *from = descriptor();

	if (from == NULL || dimension >= dimensions_of(from)) {
		return 0;
	}
	return gg_join(from->offsets[2u * dimension], from->offsets[2u * dimension + 1u]);
}

uint64_t ganger_nd_items(void)
{
	const struct gg_nd_range *from = descriptor();
	struct nd_range range;

	if (from == NULL) {
		return get_num_groups(0) * (uint64_t)get_num_groups(1) * get_num_groups(2);
	}
	decode(from, &range);
	return nd_range_items(&range);
}

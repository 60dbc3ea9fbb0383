/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How the CTAs of a grid are shared out among devices, and which entries of a split buffer go with them. Nothing here
 * needs a device.
 */
#ifndef HOST_LIB_GROUP_SHARE_H
#define HOST_LIB_GROUP_SHARE_H

#include <stdbool.h>

#include "host/include/ganger_group.h"

/** CTAs of a grid, in linear order. */
struct share {
	uint64_t first;
	uint64_t ctas;
};

/** What a grid is cut by. */
struct share_shape {
	uint64_t ctas;  /**< All of it. */
	uint64_t grain; /**< A part has a multiple of so many CTAs. */
	uint64_t layer; /**< CTAs that work on the same entries of split buffers. */
};

/** Bytes of a buffer: those that a part may read, and among them those that it writes. */
struct share_bytes {
	uint64_t low, high;
	uint64_t first, end;
};

/** The shape of some work. split: it has a split buffer, so parts are whole layers. Sets the failure.
 * @return GG_ERR_GRID_ZERO, _GRID_OVERFLOW; _RANGE, ... as gg_range_items(). */
enum gg_status share_shape(const struct gg_work *work, bool split, struct share_shape *shape);

/** Cuts a part in proportion to `count` weights, in order; some of `parts` may get no CTAs. Their sum is not 0. */
void share_cut(struct share part, uint64_t grain, const uint32_t *weights, uint32_t count,
	       struct share *parts);

/** Bytes of a split buffer that go with a part. */
struct share_bytes share_bytes(const struct gg_group_buffer *buffer,
			       const struct share_shape *shape, struct share part);

#endif /* HOST_LIB_GROUP_SHARE_H */

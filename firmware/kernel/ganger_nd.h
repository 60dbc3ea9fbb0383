/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernel built-ins: where a CTA lies in a work set of 1 to 8 dimensions (S4-R35, S4-R95…R100), and where its
 * result belongs (S4-R37, S4-R105, S4-R107, S4-R109). Included by ganger_kernel.h.
 *
 * A PULL grid may have an `nd_range` in the heap; its items are the CTAs. Their *position*, 0 to items - 1,
 * is their place in the order of dispatch; the built-ins turn it into an index. In a grid without a
 * range they tell of x, y and z. get_group_id() and its like are for grids without a range.
 *
 * The index is found once for each CTA, with a division of 64 bits for each dimension but one. A
 * range that the host changes while its task runs gives wrong indices, or a fault of the kernel.
 */
#ifndef FIRMWARE_KERNEL_GANGER_ND_H
#define FIRMWARE_KERNEL_GANGER_ND_H

#include <stdint.h>

#include "ganger_ids.h"

/** Dimensions: 1 to 8; of a plain grid as get_work_dim(). */
unsigned int ganger_nd_dimensions(void);

/** Index of the CTA along a dimension, with the offset; 0 past the last dimension. */
uint64_t ganger_nd_id(unsigned int dimension);

/** Items along a dimension, of the longest row; 1 past the last dimension. */
uint64_t ganger_nd_size(unsigned int dimension);

/** What is added to the index of a dimension; 0 past the last. */
uint64_t ganger_nd_offset(unsigned int dimension);

/** Items of the set, without holes: CTAs of the task. */
uint64_t ganger_nd_items(void);

/** Position of the CTA in dispatch order. */
static inline uint64_t ganger_nd_position(void)
{
	return ganger_cta()->cta_linear;
}

/** Where the result of this CTA belongs in an array of results in dispatch order: at the same place, whoever
 * runs it and whenever it ends.
 * @param base   The array.
 * @param bytes  Of the result of an item: M times its size when an item has M results (S4-R109). */
static inline void *ganger_nd_result(void *base, size_t bytes)
{
	return (char *)base + (size_t)ganger_nd_position() * bytes;
}

#endif /* FIRMWARE_KERNEL_GANGER_ND_H */

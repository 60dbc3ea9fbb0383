/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The caller's N-D ranges in the firmware's form, checked by the firmware's own arithmetic, so that
 * both sides agree (S4-R105).
 */
#ifndef HOST_LIB_WORK_RANGE_SHAPE_H
#define HOST_LIB_WORK_RANGE_SHAPE_H

#include "firmware/pull/nd_range.h"
#include "host/include/ganger_range.h"

/** Converts a range and checks everything but the rows themselves. Sets the failure.
 * @return GG_ERR_RANGE. */
enum gg_status range_shape(const struct gg_range *range, struct nd_range *made);

/** Checks all of a range and counts its items, as gg_range_items(). */
enum gg_status range_items(const struct gg_range *range, uint64_t *items);

#endif /* HOST_LIB_WORK_RANGE_SHAPE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * N-D ranges of PULL grids: the words that a host writes for them (S4-R35, S4-R95).
 */
#ifndef HOST_LIB_WORK_RANGE_WORDS_H
#define HOST_LIB_WORK_RANGE_WORDS_H

#include "host/include/ganger_work.h"

/** Refuses chunks and ranges for work that is not a PULL grid, wrong ranges, and chunks that are
 * larger than the set. The device checks the rest. Sets the failure. @return GG_ERR_CHUNK,
 * GG_ERR_MODE, GG_ERR_TMD_TYPE, GG_ERR_CLUSTER, GG_ERR_ARGUMENT, or as gg_range_items(). */
enum gg_status range_check(const struct gg_work *work);

/** Bytes of the descriptor and the rows of checked work; 0: it has no range. */
uint32_t range_bytes(const struct gg_work *work);

/** Writes descriptor and rows. @param address  Their device address, a multiple of 8. */
void range_write(const struct gg_work *work, void *to, uint64_t address);

#endif /* HOST_LIB_WORK_RANGE_WORDS_H */

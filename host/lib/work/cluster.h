/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The words of a TMD that say what CGAs its grid is made of (S1-R35 to S1-R37).
 */
#ifndef HOST_LIB_WORK_CLUSTER_H
#define HOST_LIB_WORK_CLUSTER_H

#include <stdint.h>

#include "host/include/ganger_work.h"

/** Task type for the TMD: work of type GRID that names a cluster is a grid of CGAs. */
uint32_t cluster_type(const struct gg_work *work);

/** Refuses numbers that do not fit the words, and CGAs for work that is not a grid. The device
 * checks the rest. Sets the failure. @return GG_ERR_CLUSTER, with field and value. */
enum gg_status cluster_check(const struct gg_work *work);

/** Writes the words of a TMD for work that was checked. */
void cluster_fill(struct gg_tmd *tmd, const struct gg_work *work);

#endif /* HOST_LIB_WORK_CLUSTER_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The words of a TMD that say what CGAs its grid is made of (S1-R35 to S1-R37).
 */
#ifndef HOST_LIB_WORK_CLUSTER_H
#define HOST_LIB_WORK_CLUSTER_H

#include <stdint.h>

#include "host/include/ganger_work.h"

/** Type that goes into the TMD: a GRID that names a cluster is one of CGAs. */
uint32_t cluster_type(const struct gg_work *work);

/**
 * Refuses what the words cannot hold, and CGAs of what is no grid; the rest is the device's to
 * judge. Sets the failure. @return GG_ERR_CLUSTER, with field and value.
 */
enum gg_status cluster_check(const struct gg_work *work);

/** Writes the words of a TMD. The work was checked. */
void cluster_fill(struct gg_tmd *tmd, const struct gg_work *work);

#endif /* HOST_LIB_WORK_CLUSTER_H */

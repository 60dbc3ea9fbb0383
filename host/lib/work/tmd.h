/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes the TMD of some work, without addresses of what lies in device memory.
 */
#ifndef HOST_LIB_WORK_TMD_H
#define HOST_LIB_WORK_TMD_H

#include "host/lib/work/request.h"

/** Fills a TMD. Refuses only what its fields cannot hold, and blocks that the kernel was not
 * compiled for. The device checks the rest. `kernel` is NULL for work without one. Sets the
 * failure. @return GG_ERR_GRID_OVERFLOW, GG_ERR_BLOCK_TOO_LARGE, GG_ERR_PRIORITY, GG_ERR_MODE,
 * GG_ERR_CLUSTER, GG_ERR_TMD_TYPE, GG_ERR_QUEUE, GG_ERR_ARGUMENT. */
enum gg_status tmd_fill(struct gg_tmd *tmd, const struct request *request,
			const struct kernel *kernel, uint32_t shared_bytes);

/** Marks a complete TMD as short if it is, and if the device's ABI has short ones. */
void tmd_shorten(struct gg_tmd *tmd, const struct gg_cap *cap);

#endif /* HOST_LIB_WORK_TMD_H */

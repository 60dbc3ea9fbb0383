/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Passes of task graphs that move bytes: copies of boxes, and fills with patterns.
 */
#ifndef HOST_OPENCL_MOVES_H
#define HOST_OPENCL_MOVES_H

#include "host/opencl/fill.h"
#include "host/opencl/transfer.h"

/** Adds the command of a pass that copies between two places of the device's memory; the pass is not ended.
 * @param to, from  Where the first bytes of the box are.
 * @param transfer  Its sizes and pitches. All sizes are below 4 GiB, and the box has fewer than 2^32 rows.
 * @return as gg_graph_dispatch(), or GG_ERR_IMAGE_MISSING. */
enum gg_status moves_copy(struct gg_task_graph *graph, cl_device_id device, uint64_t to,
			  uint64_t from, const struct transfer *transfer);

/** Adds the command of a pass that fills memory of the device with the fill's pattern.
 * @param to  The first byte. @return as moves_copy(). */
enum gg_status moves_fill(struct gg_task_graph *graph, cl_device_id device, uint64_t to,
			  const struct fill *fill);

#endif /* HOST_OPENCL_MOVES_H */

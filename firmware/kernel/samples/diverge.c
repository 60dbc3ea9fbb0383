/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * An error on purpose: one thread returns while the others wait at a barrier.
 */
#include "ganger_kernel.h"

/**
 * @param leaver  Linear number of the thread that returns; of none if it is past the block.
 * @param out     Each work-item that comes through the barrier increments its element.
 */
kernel void diverge(uint leaver, global uint *out)
{
	if (get_local_linear_id() == leaver) {
		return;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_linear_id()]++;
}

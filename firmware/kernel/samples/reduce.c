/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Sum of a vector, one partial sum per work-group: a tree in shared memory.
 */
#include "ganger_kernel.h"

#define MOST_THREADS 1024

/**
 * @param data  n elements.
 * @param sums  One element per work-group: the sum of the elements of its work-items.
 * @param n     Elements; the grid may have more work-items. Any block size, in one dimension.
 */
kernel void reduce(global const int *data, global int *sums, uint n)
{
	local int partial[MOST_THREADS];
	size_t thread = get_local_id(0), count = get_local_size(0);
	size_t i = get_global_id(0);

	partial[thread] = i < n ? data[i] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	while (count > 1) {
		size_t half = (count + 1) / 2;

		if (thread + half < count) {
			partial[thread] += partial[thread + half];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		count = half;
	}
	if (thread == 0) {
		sums[get_group_id(0)] = partial[0];
	}
}

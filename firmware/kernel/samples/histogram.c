/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How often each of 256 values occurs: each work-group counts in shared memory, then adds its
 * counts to those of all.
 */
#include "ganger_kernel.h"

#define BINS 256

/**
 * @param data  n bytes. The work-items share them: with fewer than n each takes several.
 * @param bins  256 counts, which the host clears before.
 * @param n     Bytes.
 */
kernel void histogram(global const uchar *data, global uint *bins, uint n)
{
	local uint counts[BINS];
	size_t thread = get_local_id(0), threads = get_local_size(0);

	for (size_t i = thread; i < BINS; i += threads) {
		counts[i] = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
		atomic_inc(&counts[data[i]]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t i = thread; i < BINS; i += threads) {
		atomic_add(&bins[i], counts[i]);
	}
}

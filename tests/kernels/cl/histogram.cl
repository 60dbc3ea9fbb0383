/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of byte values: local atomics first, then global ones. */
#define BINS 256

__kernel void histogram(__global const uchar *data, uint n, __global uint *bins)
{
	__local uint mine[BINS];

	for (uint b = get_local_id(0); b < BINS; b += get_local_size(0)) {
		mine[b] = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
		atomic_inc(&mine[data[i]]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint b = get_local_id(0); b < BINS; b += get_local_size(0)) {
		atomic_add(&bins[b], mine[b]);
	}
}

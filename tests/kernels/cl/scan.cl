/* SPDX-License-Identifier: Apache-2.0 */
/* Inclusive prefix sums of a work-group (Hillis and Steele), and compaction by such sums. */
int scan_of_group(__local int *buffer, int value)
{
	const int me = get_local_id(0);

	buffer[me] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 1; step < (int)get_local_size(0); step <<= 1) {
		int before = me >= step ? buffer[me - step] : 0;

		barrier(CLK_LOCAL_MEM_FENCE);
		buffer[me] += before;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	return buffer[me];
}

__kernel void scan(__global const int *in, __global int *out, __local int *buffer)
{
	out[get_global_id(0)] = scan_of_group(buffer, in[get_global_id(0)]);
}

/* The positive numbers of each group, without gaps. */
__kernel void compact(__global const int *in, __global int *out, __global int *counts,
		      __local int *buffer)
{
	const size_t first = get_group_id(0) * get_local_size(0);
	int value = in[get_global_id(0)];
	int keep = value > 0;
	int place = scan_of_group(buffer, keep);

	if (keep) {
		out[first + place - 1] = value;
	}
	if (get_local_id(0) == get_local_size(0) - 1) {
		counts[get_group_id(0)] = place;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A step of a radix sort: counts of a digit, and the places of the keys of one work-group. */
#define DIGITS 16

__kernel void radix_step(__global const uint *in, __global uint *out, uint shift)
{
	__local uint count[DIGITS], start[DIGITS];
	uint me = get_local_id(0), size = get_local_size(0), base = get_group_id(0) * size;
	uint digit = in[base + me] >> shift & (DIGITS - 1), before = 0;

	for (uint d = me; d < DIGITS; d += size) {
		count[d] = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&count[digit]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (me == 0) {
		uint sum = 0;

		for (uint d = 0; d < DIGITS; d++) {
			start[d] = sum;
			sum += count[d];
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = 0; i < me; i++) {
		before += (in[base + i] >> shift & (DIGITS - 1)) == digit;
	}
	out[base + start[digit] + before] = in[base + me];
}

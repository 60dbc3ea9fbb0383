/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a linear congruential generator in a quarter of a circle; sums by a global atomic. */
__kernel void pi(uint points, uint seed, __global uint *inside)
{
	uint state = seed + 7919 * get_global_id(0), hits = 0;

	for (uint i = 0; i < points; i++) {
		ulong x, y;

		state = 1664525 * state + 1013904223;
		x = state >> 8;
		state = 1664525 * state + 1013904223;
		y = state >> 8;
		hits += x * x + y * y < (1ul << 48);
	}
	atomic_add(inside, hits);
}

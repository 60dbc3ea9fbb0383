/* SPDX-License-Identifier: Apache-2.0 */
/* Bitonic sort of a power of two: the host calls it for each stage and pass. */
__kernel void bitonic(__global uint *data, const uint stage, const uint pass, const uint descending)
{
	uint i = get_global_id(0);
	uint distance = 1u << (stage - pass);
	uint left = (i % distance) + (i / distance) * 2 * distance;
	uint right = left + distance;
	uint a = data[left], b = data[right];
	uint down = ((i >> stage) & 1u) ^ descending;
	uint low = min(a, b), high = max(a, b);

	data[left] = down ? high : low;
	data[right] = down ? low : high;
}

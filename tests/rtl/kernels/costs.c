/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels whose cycles are estimated and then measured: they use other mixes of instructions than the loops of classes.c.
 */

/** Sorts the 24 words of each work-item by insertion. */
kernel void sort(global uint *words)
{
	global uint *mine = words + 24 * get_global_linear_id();

	for (uint i = 1; i < 24; i++) {
		const uint one = mine[i];
		uint at = i;

		for (; at > 0 && mine[at - 1] > one; at--) {
			mine[at] = mine[at - 1];
		}
		mine[at] = one;
	}
}

/** The greatest common divisor of two words of each work-item, by division. */
kernel void divisor(global const uint *words, global uint *out)
{
	const size_t i = get_global_linear_id();
	uint one = words[2 * i], other = words[2 * i + 1];

	while (other != 0) {
		const uint rest = one % other;

		one = other;
		other = rest;
	}
	out[i] = one;
}

/** The CRC-32 of 16 words of each work-item, bit by bit. */
kernel void crc(global const uint *words, global uint *out)
{
	const size_t i = get_global_linear_id();
	uint sum = ~0u;

	for (uint word = 0; word < 16; word++) {
		sum ^= words[16 * i + word];
		for (uint bit = 0; bit < 32; bit++) {
			sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
		}
	}
	out[i] = ~sum;
}

/** Of 16 x 16 words the weighted sum of a row for each of 16 work-items, times that of the next row: a barrier is between. */
kernel void both(global const uint *words, global uint *out)
{
	local uint rows[16];
	const size_t me = get_local_id(0);
	uint sum = 0;

	for (uint at = 0; at < 16; at++) {
		sum += words[16 * me + at] * (at + 1);
	}
	rows[me] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_linear_id()] = rows[me] * rows[(me + 1) % 16];
}

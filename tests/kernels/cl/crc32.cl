/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32 of equal parts of a text, with a table that the work-group makes in local memory. */
__kernel void crc32(__global const uchar *text, uint part, __global uint *sums)
{
	__local uint table[256];

	for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) {
		uint value = i;

		for (int bit = 0; bit < 8; bit++) {
			value = value & 1 ? 0xedb88320u ^ (value >> 1) : value >> 1;
		}
		table[i] = value;
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	uint sum = ~0u;
	__global const uchar *from = text + get_global_id(0) * part;

	for (uint i = 0; i < part; i++) {
		sum = table[(sum ^ from[i]) & 0xff] ^ (sum >> 8);
	}
	sums[get_global_id(0)] = ~sum;
}

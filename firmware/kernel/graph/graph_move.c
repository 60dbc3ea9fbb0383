/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What task graphs copy and fill with (S2-R29): GRAPH_MOVE_BYTES a CTA, any block. Words where both
 * sides are aligned, the rest byte by byte.
 */
#include "ganger_kernel.h"

#define GRAPH_MOVE_BYTES 4096u /* CTAs are counted as the control processor counts them. */

/** The bytes of this CTA, from `*first` on. Returns their number, 0 behind the end. */
static uint part_of(uint bytes, uint *first)
{
	size_t group = get_group_id(0);

	if (group >= (bytes + GRAPH_MOVE_BYTES - 1) / GRAPH_MOVE_BYTES)
		return 0;
	*first = (uint)group * GRAPH_MOVE_BYTES;
	return bytes - *first < GRAPH_MOVE_BYTES ? bytes - *first : GRAPH_MOVE_BYTES;
}

/**
 * Copies; the two do not overlap.
 * @param to, from  Any addresses.
 * @param bytes     Bytes.
 */
kernel void graph_copy(global uchar *to, global const uchar *from, uint bytes)
{
	uint first = 0;
	uint count = part_of(bytes, &first);
	uint words = (((uintptr_t)to | (uintptr_t)from) & 3u) == 0 ? count / 4 : 0;
	global uint *words_to = (global uint *)(void *)(to + first);
	global const uint *words_from = (global const uint *)(const void *)(from + first);
	uint step = (uint)get_local_size(0);

	for (uint i = (uint)get_local_id(0); i < words; i += step)
		words_to[i] = words_from[i];
	for (uint i = 4 * words + (uint)get_local_id(0); i < count; i += step)
		to[first + i] = from[first + i];
}

/**
 * Fills with words of one value; the last one may be cut.
 * @param to     Any address.
 * @param value  The word, little endian.
 * @param bytes  Bytes.
 */
kernel void graph_fill(global uchar *to, uint value, uint bytes)
{
	uint first = 0;
	uint count = part_of(bytes, &first);
	uint words = ((uintptr_t)to & 3u) == 0 ? count / 4 : 0;
	global uint *words_to = (global uint *)(void *)(to + first);
	uint step = (uint)get_local_size(0);

	for (uint i = (uint)get_local_id(0); i < words; i += step)
		words_to[i] = value;
	for (uint i = 4 * words + (uint)get_local_id(0); i < count; i += step)
		to[first + i] = (uchar)(value >> 8 * (i % 4));
}

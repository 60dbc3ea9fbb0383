/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What command buffers of OpenCL copy boxes of bytes with, and fill with patterns of more than a word. A CTA moves about
 * BOX_MOVE_BYTES; any block.
 */
#include "ganger_kernel.h"

#define BOX_MOVE_BYTES 4096u

/** Where the rows of a box begin: bytes from one to the next. */
struct box_pitch {
	ulong row;
	ulong slice;
};

/** A pattern, from its first byte on. */
struct box_pattern {
	uint words[32];
};

/** Copies a part of a row. All work-items of the CTA take part. */
static void copy_part(global uchar *to, global const uchar *from, uint bytes)
{
	uint words = (((uintptr_t)to | (uintptr_t)from) & 3u) == 0 ? bytes / 4 : 0;
	global uint *words_to = (global uint *)(void *)to;
	global const uint *words_from = (global const uint *)(const void *)from;
	uint step = (uint)get_local_size(0);

	for (uint i = (uint)get_local_id(0); i < words; i += step)
		words_to[i] = words_from[i];
	for (uint i = 4 * words + (uint)get_local_id(0); i < bytes; i += step)
		to[i] = from[i];
}

/**
 * Copies a box; the two do not overlap. A CTA copies `each` rows, or one of `parts` parts of a row: one of both numbers
 * is 1.
 * @param to, from              First bytes, any addresses.
 * @param to_pitch, from_pitch  Where the rows are.
 * @param bytes                 Bytes of a row.
 * @param rows                  Rows of a slice.
 * @param count                 Rows of all slices.
 * @param parts                 CTAs for each row.
 * @param each                  Rows for each CTA.
 */
kernel void box_copy(global uchar *to, global const uchar *from, struct box_pitch to_pitch,
		     struct box_pitch from_pitch, uint bytes, uint rows, uint count, uint parts,
		     uint each)
{
	uint group = (uint)get_group_id(0);
	uint first = group % parts * BOX_MOVE_BYTES;
	uint left = bytes - first;
	uint part = parts > 1 && left > BOX_MOVE_BYTES ? BOX_MOVE_BYTES : left;
	uint row = group / parts * each;

	for (uint end = count - row < each ? count : row + each; row < end; row++) {
		ulong x = row % rows, y = row / rows;

		copy_part(to + x * to_pitch.row + y * to_pitch.slice + first,
			  from + x * from_pitch.row + y * from_pitch.slice + first, part);
	}
}

/**
 * Fills with a pattern.
 * @param to       A multiple of 4.
 * @param words    Words to fill.
 * @param length   Words of the pattern: a power of 2 up to 32.
 * @param pattern  Its bytes.
 */
kernel void box_fill(global uint *to, ulong words, uint length, struct box_pattern pattern)
{
	ulong first = (ulong)get_group_id(0) * (BOX_MOVE_BYTES / 4);
	ulong end = words - first < BOX_MOVE_BYTES / 4 ? words : first + BOX_MOVE_BYTES / 4;

	for (ulong i = first + get_local_id(0); i < end; i += get_local_size(0))
		to[i] = pattern.words[i & (length - 1)];
}

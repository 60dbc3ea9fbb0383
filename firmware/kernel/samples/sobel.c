/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Edges of a grey picture by Sobel's operator, edges of the picture repeated.
 */
#include "ganger_kernel.h"

/** Nearest position inside of 0 … size - 1. */
static int clamp_to(int position, int size)
{
	return position < 0 ? 0 : position < size ? position : size - 1;
}

/**
 * One work-item per pixel, x along the rows.
 * @param in      width x height pixels of 8 bits, row by row.
 * @param out     The same size; |horizontal| + |vertical| gradient, at most 255.
 * @param width   Pixels in a row.
 * @param height  Rows.
 */
kernel void sobel(global const uchar *in, global uchar *out, int width, int height)
{
	int x = (int)get_global_id(0), y = (int)get_global_id(1);
	int across = 0, down = 0;

	if (x >= width || y >= height) {
		return;
	}
	for (int d = -1; d <= 1; d++) {
		int weight = d == 0 ? 2 : 1;
		global const uchar *row = in + clamp_to(y + d, height) * width;
		int column = clamp_to(x + d, width);

		across += weight * (row[clamp_to(x + 1, width)] - row[clamp_to(x - 1, width)]);
		down += weight * (in[clamp_to(y + 1, height) * width + column] -
				  in[clamp_to(y - 1, height) * width + column]);
	}
	across = across < 0 ? -across : across;
	down = down < 0 ? -down : down;
	out[y * width + x] = (uchar)(across + down > 255 ? 255 : across + down);
}

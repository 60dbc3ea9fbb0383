/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Blurs a grey picture: the mean of the 3 x 3 pixels around each, edges repeated.
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
 * @param out     The same size; each pixel is the sum of nine, plus 4, divided by 9.
 * @param width   Pixels in a row.
 * @param height  Rows.
 */
kernel void blur(global const uchar *in, global uchar *out, int width, int height)
{
	int x = (int)get_global_id(0), y = (int)get_global_id(1);
	int sum = 4;

	if (x >= width || y >= height) {
		return;
	}
	for (int dy = -1; dy <= 1; dy++) {
		for (int dx = -1; dx <= 1; dx++) {
			sum += in[clamp_to(y + dy, height) * width + clamp_to(x + dx, width)];
		}
	}
	out[y * width + x] = (uchar)(sum / 9);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Convolution of a picture with a mask in constant memory. */
__kernel void convolve(__global const uchar *in, __global uchar *out, __constant int *mask,
		       int radius, int divisor)
{
	const int x = get_global_id(0), y = get_global_id(1);
	const int width = get_global_size(0), height = get_global_size(1);
	int sum = 0;

	for (int dy = -radius; dy <= radius; dy++) {
		for (int dx = -radius; dx <= radius; dx++) {
			int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);

			sum += in[sy * width + sx] *
			       mask[(dy + radius) * (2 * radius + 1) + dx + radius];
		}
	}
	out[y * width + x] = convert_uchar_sat(sum / divisor);
}

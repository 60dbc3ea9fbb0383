/* SPDX-License-Identifier: Apache-2.0 */
/* Transpose with a padded tile in local memory. */
#define TILE 8

__kernel void transpose(__global float *out, __global const float *in, int width, int height,
			__local float *tile)
{
	int x = get_global_id(0), y = get_global_id(1);
	int lx = get_local_id(0), ly = get_local_id(1);

	if (x < width && y < height) {
		tile[ly * (TILE + 1) + lx] = in[y * width + x];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	x = get_group_id(1) * TILE + lx;
	y = get_group_id(0) * TILE + ly;
	if (x < height && y < width) {
		out[y * height + x] = tile[lx * (TILE + 1) + ly];
	}
}

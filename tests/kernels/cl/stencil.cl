/* SPDX-License-Identifier: Apache-2.0 */
/* Averages of neighbours: 5 points of a plane with a halo in local memory, 7 points of a space. */
#define W 8
#define H 4

__kernel void stencil2d(__global const int *in, __global int *out, int width, int height)
{
	__local int tile[H + 2][W + 2];
	int gx = get_global_id(0), gy = get_global_id(1);
	int left = get_group_id(0) * W - 1, top = get_group_id(1) * H - 1;

	for (int i = get_local_id(1) * W + get_local_id(0); i < (W + 2) * (H + 2); i += W * H) {
		int x = clamp(left + i % (W + 2), 0, width - 1);
		int y = clamp(top + i / (W + 2), 0, height - 1);

		tile[i / (W + 2)][i % (W + 2)] = in[y * width + x];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (gx < width && gy < height) {
		int x = get_local_id(0) + 1, y = get_local_id(1) + 1;

		out[gy * width + gx] = 4 * tile[y][x] - tile[y - 1][x] - tile[y + 1][x] -
				       tile[y][x - 1] - tile[y][x + 1];
	}
}

__kernel void stencil3d(__global const int *in, __global int *out)
{
	const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
	const size_t nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2);
	const size_t i = (z * ny + y) * nx + x;

	if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
		out[i] = in[i];
		return;
	}
	out[i] = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] +
		 in[i + nx * ny] - 6 * in[i];
}

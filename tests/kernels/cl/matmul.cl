/* SPDX-License-Identifier: Apache-2.0 */
/* Product of square matrices, a tile of both at a time in local memory. */
#ifndef TILE
#define TILE 8
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(const int n, __global const float *a, __global const float *b, __global float *c)
{
	__local float tile_a[TILE][TILE];
	__local float tile_b[TILE][TILE];
	const int x = get_local_id(0), y = get_local_id(1);
	const int column = get_global_id(0), row = get_global_id(1);
	float sum = 0.0f;

	for (int t = 0; t < n; t += TILE) {
		tile_a[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0.0f;
		tile_b[y][x] = column < n && t + y < n ? b[(t + y) * n + column] : 0.0f;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++) {
			sum += tile_a[y][k] * tile_b[k][x];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (row < n && column < n) {
		c[row * n + column] = sum;
	}
}

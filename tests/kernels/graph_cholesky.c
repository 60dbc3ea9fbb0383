/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Cholesky factorisation in tiles of TILE by TILE floats, row by row
 * (tests/system/test_graph_workloads.py): A = L L^T. One CTA a tile; its work-items share the rows,
 * or, where rows depend on each other, meet after each column.
 */

#define TILE 8

/** Tile (row, column) of a matrix of n by n, to or from a buffer of its own. */
kernel void tile_get(global const float *matrix, global float *tile, uint row, uint column, uint n)
{
	for (uint i = (uint)get_local_id(0); i < TILE * TILE; i += (uint)get_local_size(0)) {
		tile[i] = matrix[(row * TILE + i / TILE) * n + column * TILE + i % TILE];
	}
}

kernel void tile_put(global const float *tile, global float *matrix, uint row, uint column, uint n)
{
	for (uint i = (uint)get_local_id(0); i < TILE * TILE; i += (uint)get_local_size(0)) {
		matrix[(row * TILE + i / TILE) * n + column * TILE + i % TILE] = tile[i];
	}
}

/** Diagonal tile: its own factor; zeros above. */
kernel void tile_factor(global float *a)
{
	const uint thread = (uint)get_local_id(0), threads = (uint)get_local_size(0);

	for (uint k = 0; k < TILE; k++) {
		if (thread == 0) {
			a[k * TILE + k] = __builtin_sqrtf(a[k * TILE + k]);
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
		for (uint i = k + 1 + thread; i < TILE; i += threads) {
			a[i * TILE + k] /= a[k * TILE + k];
			a[k * TILE + i] = 0;
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
		for (uint i = k + 1 + thread; i < TILE; i += threads) {
			for (uint j = k + 1; j <= i; j++) {
				a[i * TILE + j] -= a[i * TILE + k] * a[j * TILE + k];
			}
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
	}
}

/** Tile below it: a = a * diagonal^-T. */
kernel void tile_solve(global const float *diagonal, global float *a)
{
	for (uint row = (uint)get_local_id(0); row < TILE; row += (uint)get_local_size(0)) {
		for (uint k = 0; k < TILE; k++) {
			float value = a[row * TILE + k];

			for (uint i = 0; i < k; i++) {
				value -= a[row * TILE + i] * diagonal[k * TILE + i];
			}
			a[row * TILE + k] = value / diagonal[k * TILE + k];
		}
	}
}

/** Tile behind both: a = a - left * right^T. */
kernel void tile_update(global const float *left, global const float *right, global float *a)
{
	for (uint i = (uint)get_local_id(0); i < TILE * TILE; i += (uint)get_local_size(0)) {
		float sum = 0;

		for (uint k = 0; k < TILE; k++) {
			sum += left[i / TILE * TILE + k] * right[i % TILE * TILE + k];
		}
		a[i] -= sum;
	}
}

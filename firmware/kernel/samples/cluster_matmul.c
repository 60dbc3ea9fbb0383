/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Matrix product of 32-bit integers: the CTAs of a cluster that need the same tile read it once from device
 * memory, and the others take it from the shared memory of the one that has it.
 */
#include "ganger_kernel.h"

#define TILE 8

GANGER_BLOCK(TILE, TILE, 1);

/**
 * c = a b. A cluster of x × y CTAs computes y rows of x tiles. Of a round of tiles along the sum, each
 * member loads one of its row of `a` and one of its column of `b`.
 *
 * @param a, b, c  n × n, row by row; n is a multiple of TILE times the size of the cluster along x and y,
 *                 which are equal.
 * @param n        Rows and columns; the grid has n / TILE × n / TILE CTAs.
 */
kernel void cluster_matmul(global const int *a, global const int *b, global int *c, uint n)
{
	local int tile_a[TILE][TILE];
	local int tile_b[TILE][TILE];
	const size_t x = get_local_id(0), y = get_local_id(1);
	const size_t column = get_global_id(0), row = get_global_id(1);
	const uint side = cluster_dim(0), mine_x = cluster_ctaid(0), mine_y = cluster_ctaid(1);
	int sum = 0;

	for (uint round = 0; round < n; round += TILE * side) {
		tile_a[y][x] = a[row * n + round + TILE * mine_x + x];
		tile_b[y][x] = b[(round + TILE * mine_y + y) * n + column];
		cluster_sync();
		for (uint part = 0; part < side; part++) {
			const int *from_a = map_shared_rank(&tile_a[y][0], side * mine_y + part);
			const int *from_b = map_shared_rank(&tile_b[0][x], side * part + mine_x);

			for (uint k = 0; k < TILE; k++) {
				sum += from_a[k] * from_b[TILE * k];
			}
		}
		cluster_sync();
	}
	c[row * n + column] = sum;
}

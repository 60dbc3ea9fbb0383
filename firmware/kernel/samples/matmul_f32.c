/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Float matrix product c = a * b in tiles that go through shared memory.
 *
 * One work-item per element of c, in blocks of TILE x TILE. The grid covers c; edges that are no
 * multiple of TILE are padded with zeros.
 */
#include "ganger_kernel.h"

#define TILE 16

/**
 * Matrices lie row by row.
 * @param a        rows x inner elements.
 * @param b        inner x columns elements.
 * @param c        rows x columns elements: the result.
 * @param rows     Rows of a and c.
 * @param columns  Columns of b and c.
 * @param inner    Columns of a, rows of b.
 */
GANGER_BLOCK(TILE, TILE, 1);
kernel void matmul_f32(global const float *a, global const float *b, global float *c, uint rows,
		       uint columns, uint inner)
{
	local float tile_a[TILE][TILE], tile_b[TILE][TILE];
	size_t x = get_local_id(0), y = get_local_id(1);
	size_t column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (uint k = 0; k < inner; k += TILE) {
		tile_a[y][x] = row < rows && k + x < inner ? a[row * inner + k + x] : 0;
		tile_b[y][x] =
			column < columns && k + y < inner ? b[(k + y) * columns + column] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint i = 0; i < TILE; i++) {
			sum += tile_a[y][i] * tile_b[i][x];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (row < rows && column < columns) {
		c[row * columns + column] = sum;
	}
}

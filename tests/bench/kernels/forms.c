/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two kernels with barriers, each in two forms: NAME_stacks has barriers, and so a stack for each
 * thread; NAME_loops is the same by hand for a CTA of one thread, with a loop over the work-items
 * between the places of the barriers. The form without barriers is in loops.c.
 */
#include "loops.h"

#define TILE         16u
#define MOST_THREADS 1024u

/* One element of c for each thread; n is a multiple of TILE. Two barriers for each tile. */
GANGER_BLOCK(TILE, TILE, 1);
kernel void sgemm_stacks(global const float *a, global const float *b, global float *c, uint n)
{
	local float tile_a[TILE][TILE], tile_b[TILE][TILE];
	size_t x = get_local_id(0), y = get_local_id(1);
	size_t column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (size_t k = 0; k < n; k += TILE) {
		tile_a[y][x] = a[row * n + k + x];
		tile_b[y][x] = b[(k + y) * n + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (size_t i = 0; i < TILE; i++) {
			sum += tile_a[y][i] * tile_b[i][x];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + column] = sum;
}

GANGER_BLOCK(1, 1, 1);
kernel void sgemm_loops(global const float *a, global const float *b, global float *c, uint n)
{
	local float tile_a[TILE][TILE], tile_b[TILE][TILE], sum[TILE][TILE];
	size_t left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;

	for (size_t y = 0; y < TILE; y++) {
		for (size_t x = 0; x < TILE; x++) {
			sum[y][x] = 0;
		}
	}
	for (size_t k = 0; k < n; k += TILE) {
		for (size_t y = 0; y < TILE; y++) {
			for (size_t x = 0; x < TILE; x++) {
				tile_a[y][x] = a[(top + y) * n + k + x];
				tile_b[y][x] = b[(k + y) * n + left + x];
			}
		}
		for (size_t y = 0; y < TILE; y++) {
			for (size_t x = 0; x < TILE; x++) {
				for (size_t i = 0; i < TILE; i++) {
					sum[y][x] += tile_a[y][i] * tile_b[i][x];
				}
			}
		}
	}
	for (size_t y = 0; y < TILE; y++) {
		for (size_t x = 0; x < TILE; x++) {
			c[(top + y) * n + left + x] = sum[y][x];
		}
	}
}

/* `count` elements for each thread; then a tree in shared memory: a barrier for each level, and one
 * before. The block is a power of 2. */
kernel void sum_stacks(global const uint *data, global uint *sum, uint n, uint count)
{
	local uint partial[MOST_THREADS];
	size_t thread = get_local_id(0), begin = get_global_id(0) * count;

	partial[thread] = loops_sum(data, loops_min(begin, n), loops_min(begin + count, n));
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t half = get_local_size(0) / 2; half > 0; half /= 2) {
		if (thread < half) {
			partial[thread] += partial[thread + half];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (thread == 0) {
		atomic_add(sum, partial[0]);
	}
}

/* `threads`: work-items of the CTA. */
GANGER_BLOCK(1, 1, 1);
kernel void sum_loops(global const uint *data, global uint *sum, uint n, uint count, uint threads)
{
	local uint partial[MOST_THREADS];
	size_t first = get_group_id(0) * threads;

	for (size_t thread = 0; thread < threads; thread++) {
		size_t begin = (first + thread) * count;

		partial[thread] = loops_sum(data, loops_min(begin, n), loops_min(begin + count, n));
	}
	for (size_t half = threads / 2; half > 0; half /= 2) {
		for (size_t thread = 0; thread < threads; thread++) {
			if (thread < half) {
				partial[thread] += partial[thread + half];
			}
		}
	}
	atomic_add(sum, partial[0]);
}

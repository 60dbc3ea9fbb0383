/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Steps of a stencil without a launch for each: a cluster keeps a row of cells in its shared memory, a
 * piece in each CTA, and reads the cells at the edges of a piece from its neighbours.
 */
#include "ganger_kernel.h"

#define MOST_CELLS 256

/**
 * Each cluster works on a row of its own, a ring: `steps` times each cell becomes the sum of itself and of
 * its two neighbours.
 *
 * @param cells  Rows of the clusters, one after the other; each has a cell for each thread of the cluster.
 *               Blocks of at most 256 threads along x, clusters along x.
 * @param steps  0 or more.
 */
kernel void cluster_halo(global uint *cells, uint steps)
{
	local uint piece[2][MOST_CELLS];
	const size_t cell = get_local_id(0), last = get_local_size(0) - 1;
	const uint members = cluster_nctarank(), rank = cluster_ctarank();
	const uint *left = map_shared_rank(&piece[0][last], (rank + members - 1) % members);
	const uint *right = map_shared_rank(&piece[0][0], (rank + 1) % members);
	uint now = 0;

	piece[now][cell] = cells[get_global_id(0)];
	for (uint step = 0; step < steps; step++) {
		const uint at = now * MOST_CELLS;

		cluster_sync();
		piece[1 - now][cell] = piece[now][cell] +
				       (cell == 0 ? left[at] : piece[now][cell - 1]) +
				       (cell == last ? right[at] : piece[now][cell + 1]);
		now = 1 - now;
	}
	cells[get_global_id(0)] = piece[now][cell];
	cluster_sync(); /* nobody ends while another reads here */
}

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Barriers in a loop and in a called function: ids and variables must survive them all.
 */
#include "ganger_kernel.h"

#define MOST_THREADS 1024

local uint board[MOST_THREADS];

/** Puts a value on the board and takes the neighbour's, with two barriers. */
__attribute__((noinline)) static uint exchange(uint value)
{
	size_t thread = get_local_linear_id();
	size_t threads = get_local_size(0) * get_local_size(1) * get_local_size(2);

	board[thread] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	value = board[(thread + 1) % threads];
	barrier(CLK_LOCAL_MEM_FENCE);
	return value;
}

/**
 * @param out     4 words per work-item, by global linear id: the value that came to it after
 *                `rounds` steps around its work-group, and then its ids x, y, z in there.
 * @param rounds  Steps; each has two barriers.
 */
kernel void barrier_ids(global uint *out, uint rounds)
{
	uint value = (uint)get_local_linear_id();
	global uint *own = out + 4 * get_global_linear_id();

	for (uint i = 0; i < rounds; i++) {
		value = exchange(value);
	}
	own[0] = value;
	for (uint d = 0; d < 3; d++) {
		own[1 + d] = (uint)get_local_id(d);
	}
}

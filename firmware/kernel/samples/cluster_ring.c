/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * All-reduce: the CTAs of a cluster add up their vectors around a ring, so that each has the sum and none
 * sends more than twice its vector.
 */
#include "ganger_kernel.h"

/* Add or copy part `part` of the vector into that of the next member. */
static void send(uint *mine, uint *next, uint part, uint words, int add)
{
	for (size_t i = get_local_id(0); i < words; i += get_local_size(0)) {
		const uint at = part * words + (uint)i;

		next[at] = add ? next[at] + mine[at] : mine[at];
	}
}

/**
 * @param in     A vector for each CTA, `members * words` long.
 * @param out    The same: the sum over the CTA's cluster.
 * @param vector Shared memory for one vector.
 * @param words  Of a part; a vector has one part for each member. Clusters and blocks along x.
 */
kernel void cluster_ring(global const uint *in, global uint *out, local_pointer(uint) vector,
			 uint words)
{
	const uint members = cluster_nctarank(), rank = cluster_ctarank();
	const uint length = members * words;
	const size_t base = get_group_id(0) * length;
	uint *next = map_shared_rank(vector, (rank + 1) % members);

	for (size_t i = get_local_id(0); i < length; i += get_local_size(0)) {
		vector[i] = in[base + i];
	}
	for (uint step = 0; step < 2 * (members - 1); step++) {
		const int add = step < members - 1; /* then copy what is complete */

		cluster_sync();
		send(vector, next, (rank + 2 * members - step) % members, words, add);
	}
	cluster_sync();
	for (size_t i = get_local_id(0); i < length; i += get_local_size(0)) {
		out[base + i] = vector[i];
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A histogram with more bins than one CTA has room for: the CTAs of a cluster share them out, and each
 * counts in the shared memory of whoever has the bin, by atomic operations.
 */
#include "ganger_kernel.h"

/**
 * @param data   n values; all clusters of the grid share them.
 * @param bins   Counts, which the host clears before: `share` for each member of a cluster. Values
 *               beyond are not counted.
 * @param n      Values.
 * @param counts Shared memory of `share` words.
 * @param share  Bins of a member.
 */
kernel void cluster_hist(global const uint *data, global uint *bins, uint n,
			 local_pointer(uint) counts, uint share)
{
	const size_t threads = get_local_size(0);
	const uint members = cluster_nctarank();

	for (size_t i = get_local_id(0); i < share; i += threads) {
		counts[i] = 0;
	}
	cluster_sync();
	for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
		const uint member = data[i] / share;

		if (member < members) {
			atomic_inc(map_shared_rank(&counts[data[i] % share], member));
		}
	}
	cluster_sync();
	for (size_t i = get_local_id(0); i < share; i += threads) {
		atomic_add(&bins[cluster_ctarank() * share + i], counts[i]);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters in OpenCL C. */
kernel void rotate_right(global uint *out, local uint *mine)
{
	const uint members = cluster_nctarank(), rank = cluster_ctarank();

	mine[get_local_id(0)] = 1000 * rank + get_local_id(0);
	cluster_sync();
	local uint *left = map_shared_rank(mine, (rank + members - 1) % members);

	atomic_add(&left[get_local_id(0)], 100000);
	cluster_arrive();
	out[get_global_id(0)] = query_shared_rank(left);
	cluster_wait();
	out[get_global_id(0)] = 10000000 * out[get_global_id(0)] + left[get_local_id(0)];
	cluster_sync();
}

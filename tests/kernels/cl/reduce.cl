/* SPDX-License-Identifier: Apache-2.0 */
/* Sum of each work-group as a tree in a local buffer that the host sizes. Any group size. */
kernel void reduce(global const int *in, global int *sums, uint n, local int *scratch)
{
	size_t i = get_global_id(0), me = get_local_id(0);

	scratch[me] = i < n ? in[i] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t size = get_local_size(0); size > 1; size = (size + 1) / 2) {
		size_t half_size = (size + 1) / 2;

		if (me + half_size < size) {
			scratch[me] += scratch[me + half_size];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (me == 0) {
		sums[get_group_id(0)] = scratch[0];
	}
}

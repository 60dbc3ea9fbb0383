/* SPDX-License-Identifier: Apache-2.0 */
/* What the work-item functions say. */
__kernel void work_items(__global uint *out)
{
	size_t width = get_global_size(0), height = get_global_size(1);
	size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
	__global uint *mine = out + 8 * (x + width * (y + height * z));

	mine[0] = get_work_dim() | get_global_id(3) << 8 | get_global_size(3) << 16;
	mine[1] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16;
	mine[2] = get_local_size(0) | get_local_size(1) << 8 | get_local_size(2) << 16;
	mine[3] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;
	mine[4] = get_num_groups(0) | get_num_groups(1) << 8 | get_num_groups(2) << 16;
	mine[5] = x | y << 8 | z << 16;
	mine[6] = get_global_offset(0) + get_global_offset(1) + get_global_offset(2);
	mine[7] = width | height << 8 | get_global_size(2) << 16;
}

__kernel void diverge(__global int *out, uint stay)
{
	if (get_local_id(0) >= stay)
		return;
	barrier(CLK_GLOBAL_MEM_FENCE);
	out[get_global_id(0)] = 1;
}

__kernel void nothing(void)
{
}

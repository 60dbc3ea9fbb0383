// SPDX-License-Identifier: Apache-2.0
/* Kernels with one mistake each, and the same without, for `ganger race` and for Oclgrind: also OpenCL C. */
kernel void bad_shared(global uint *out)
{
	local uint tile[64];
	uint i = (uint)get_local_id(0);

	tile[i] = i;
	out[get_global_id(0)] = tile[(i + 1) % get_local_size(0)]; /* no barrier before */
}

kernel void good_shared(global uint *out)
{
	local uint tile[64];
	uint i = (uint)get_local_id(0);

	tile[i] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = tile[(i + 1) % get_local_size(0)];
}

kernel void bad_global(global uint *out)
{
	out[get_local_id(0)] = (uint)get_group_id(0); /* all CTAs write the same words */
}

kernel void good_global(global uint *out)
{
	out[get_global_id(0)] = (uint)get_group_id(0);
}

kernel void bad_count(global uint *out)
{
	out[0] += 1;
}

kernel void good_count(global uint *out)
{
	atomic_add(out, 1u);
}

kernel void meant(global uint *out)
{
	out[0] = 1; /* race-ok: all write the same */
}

kernel void bad_outside(global uint *out)
{
	out[get_global_id(0) + 1] = 1;
}

kernel void bad_neighbour(global uint *out, global uint *other)
{
	other[get_global_id(0)] = 1;
	out[get_global_id(0) + 128] = 2; /* out has 128 words: this is another buffer */
}

kernel void bad_unwritten(global uint *out)
{
	local uint tile[64];

	if (get_local_id(0) != 3) {
		tile[get_local_id(0)] = 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = tile[get_local_id(0)];
}

kernel void bad_barrier(global uint *out)
{
	if (get_local_id(0) < 3) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = 1;
}

kernel void bad_barriers(global uint *out)
{
	if (get_local_id(0) < 3) {
		barrier(CLK_LOCAL_MEM_FENCE);
	} else {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = 1;
}

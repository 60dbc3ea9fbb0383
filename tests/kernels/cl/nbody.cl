/* SPDX-License-Identifier: Apache-2.0 */
/* A step of n bodies that attract each other; bodies come into local memory in blocks. */
__kernel void nbody(__global const float4 *position, __global float4 *velocity,
		    __global float4 *next, const int n, const float dt, const float softening,
		    __local float4 *block)
{
	const int i = get_global_id(0), me = get_local_id(0), size = get_local_size(0);
	const float4 mine = i < n ? position[i] : (float4)(0.0f);
	float4 force = (float4)(0.0f, 0.0f, 0.0f, 0.0f);

	for (int first = 0; first < n; first += size) {
		block[me] = first + me < n ? position[first + me] : (float4)(0.0f);
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < size; k++) {
			float4 r = block[k] - mine;
			float square = r.x * r.x + r.y * r.y + r.z * r.z + softening;
			float inverse = rsqrt(square);

			force.xyz += r.xyz * (block[k].w * inverse * inverse * inverse);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (i < n) {
		float4 v = velocity[i];

		v.xyz = mad(force.xyz, dt, v.xyz);
		velocity[i] = v;
		next[i] = (float4)(mine.xyz + v.xyz * dt, mine.w);
	}
}

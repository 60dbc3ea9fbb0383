/* SPDX-License-Identifier: Apache-2.0 */
/* Dot products of vectors of four, and a scaled sum of them. */
__kernel void dot4(__global const float4 *a, __global const float4 *b, __global float *c, uint n)
{
	size_t i = get_global_id(0);

	if (i < n) {
		c[i] = dot(a[i], b[i]);
	}
}

__kernel void saxpy4(__global const float4 *x, __global float4 *y, const float a, const uint n)
{
	size_t i = get_global_id(0);

	if (i >= n)
		return;
	y[i] = a * x[i] + y[i];
}

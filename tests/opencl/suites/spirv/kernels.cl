// SPDX-License-Identifier: Apache-2.0
// Kernels that test_spirv.py makes a module of: built-ins with vectors and pointers, local memory and barriers, structures
// by value, atomics, printf.

typedef struct {
	float scale;
	int shift;
} pair;

kernel void scale(global float *a, float k)
{
	a[get_global_id(0)] *= k;
}

kernel void everything(global float4 *a, global int *count, constant float *c, local float *sums, pair p, float4 v)
{
	local float own[16];
	size_t i = get_global_id(0);
	float whole;

	own[get_local_id(0)] = dot(a[i], v);
	sums[get_local_id(0)] = (float)get_local_id(0);
	barrier(CLK_LOCAL_MEM_FENCE);
	float other = own[get_local_size(0) - 1 - get_local_id(0)] + sums[get_local_size(0) - 1 - get_local_id(0)];
	float part = fract(a[i].x * 0.37f, &whole);
	float4 b = fma(a[i], v, (float4)(p.scale)) + vload4(0, c) + convert_float4(convert_int4_rte(a[i] * 3.3f));
	b = select(b, -b, isgreater(a[i], v));
	vstore4(b + other + part + whole, i, (global float *)a);
	atomic_add(count, p.shift);
	atomic_max(&count[1], (int)i);
}

kernel void say(int n)
{
	printf("n %d %5.2f %s\n", n, n / 4.0f, "end");
}

static int fibonacci(int n)
{
	int a = 0, b = 1;

	for (int i = 0; i < n; i++) {
		int next = a + b;

		a = b;
		b = next;
	}
	return a;
}

kernel void calls(global int *a, uchar n, double d)
{
	a[get_global_id(0)] = fibonacci(n) + (int)sin(d) + (int)get_global_offset(0);
}

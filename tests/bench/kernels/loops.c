/* SPDX-License-Identifier: Apache-2.0 */
/* Work split over CTAs: what bench_kernels.py compares with loops split over the harts. */
#include "loops.h"

/* One element of c for each thread. */
kernel void sgemm(global const float *a, global const float *b, global float *c, uint n)
{
	size_t column = get_global_id(0), row = get_global_id(1);

	c[row * n + column] = loops_sgemm(a, b, n, row, column);
}

/* One pixel for each thread. */
kernel void convolve(global const float *in, global const float *taps, global float *out,
		     uint width)
{
	size_t x = get_global_id(0), y = get_global_id(1);

	out[y * width + x] = loops_convolve(in, taps, width, x, y);
}

/* `count` pixels of a row for each thread. */
kernel void convolve_row(global const float *in, global const float *taps, global float *out,
			 uint width, uint count)
{
	size_t begin = get_global_id(0) * count, y = get_global_id(1);

	loops_convolve_row(in, taps, out, width, y, begin, begin + count);
}

/* `count` elements for each thread, which adds their sum to the word at `sum`. */
kernel void sum_atomic(global const uint *data, global uint *sum, uint n, uint count)
{
	size_t begin = get_global_id(0) * count;

	if (begin < n) {
		atomic_add(sum, loops_sum(data, begin, loops_min(begin + count, n)));
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The work that bench_kernels.py measures: the same inner functions for kernels (loops.c, forms.c)
 * and for the loops without firmware (tests/bench/static/static.c). Plain C.
 *
 * The functions for many elements are never inlined, so both run the same machine code.
 */
#ifndef TESTS_BENCH_KERNELS_LOOPS_H
#define TESTS_BENCH_KERNELS_LOOPS_H

#include <stddef.h>

/** A function that is compiled separately: not inlined, and not specialised for its caller. */
#ifdef __clang__
#define LOOPS_ALONE static __attribute__((noinline, unused))
#else
#define LOOPS_ALONE static __attribute__((noipa, unused))
#endif

#define LOOPS_TAPS 5u /**< Width and height of the filter of loops_convolve(). */

/** Element of a * b. Matrices of n x n, row by row. */
static inline float loops_sgemm(const float *a, const float *b, size_t n, size_t row, size_t column)
{
	float sum = 0;

	for (size_t k = 0; k < n; k++) {
		sum += a[row * n + k] * b[k * n + column];
	}
	return sum;
}

/** Elements begin … end - 1 of a row of c = a * b. */
LOOPS_ALONE void loops_sgemm_row(const float *a, const float *b, float *c, size_t n, size_t row,
				 size_t begin, size_t end)
{
	for (size_t column = begin; column < end; column++) {
		c[row * n + column] = loops_sgemm(a, b, n, row, column);
	}
}

/** Filtered pixel (x, y). `in` has LOOPS_TAPS - 1 more rows and columns than the result of `width`
 * columns, so that no pixel is at an edge. */
static inline float loops_convolve(const float *in, const float *taps, size_t width, size_t x,
				   size_t y)
{
	const size_t pitch = width + LOOPS_TAPS - 1;
	float sum = 0;

	for (size_t dy = 0; dy < LOOPS_TAPS; dy++) {
		for (size_t dx = 0; dx < LOOPS_TAPS; dx++) {
			sum += taps[dy * LOOPS_TAPS + dx] * in[(y + dy) * pitch + x + dx];
		}
	}
	return sum;
}

/** Pixels begin … end - 1 of row y of the result. */
LOOPS_ALONE void loops_convolve_row(const float *in, const float *taps, float *out, size_t width,
				    size_t y, size_t begin, size_t end)
{
	for (size_t x = begin; x < end; x++) {
		out[y * width + x] = loops_convolve(in, taps, width, x, y);
	}
}

/** Sum of the elements begin … end - 1, modulo 2^32. */
LOOPS_ALONE unsigned int loops_sum(const unsigned int *data, size_t begin, size_t end)
{
	unsigned int sum = 0;

	for (size_t i = begin; i < end; i++) {
		sum += data[i];
	}
	return sum;
}

/** The lesser of two numbers. */
static inline size_t loops_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

#endif /* TESTS_BENCH_KERNELS_LOOPS_H */

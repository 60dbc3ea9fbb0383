/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Sum of two vectors: c[i] = a[i] + b[i]. One work-item per element.
 */
#include "ganger_kernel.h"

/**
 * @param a, b  Vectors of n elements.
 * @param c     Result, n elements.
 * @param n     Elements; work-items beyond have nothing to do.
 */
kernel void vecadd(global const int *a, global const int *b, global int *c, uint n)
{
	size_t i = get_global_id(0);

	if (i < n) {
		c[i] = a[i] + b[i];
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * y = a * x + y for vectors x and y.
 */
#include "ganger_kernel.h"

/**
 * @param n  Elements.
 * @param a  Any float.
 * @param x  n elements.
 * @param y  n elements; also the result.
 */
kernel void saxpy(uint n, float a, global const float *x, global float *y)
{
	size_t i = get_global_id(0);

	if (i < n) {
		y[i] = a * x[i] + y[i];
	}
}

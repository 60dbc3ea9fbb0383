/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Product of a vector and a number, in place.
 */
#include "ganger_kernel.h"

/**
 * @param data    n elements; each is multiplied by the factor.
 * @param factor  Any float.
 * @param n       Elements.
 */
kernel void scale(global float *data, float factor, uint n)
{
	size_t i = get_global_id(0);

	if (i < n) {
		data[i] *= factor;
	}
}

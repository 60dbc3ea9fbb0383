/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Sets every element of a vector.
 */
#include "ganger_kernel.h"

/**
 * @param data   n elements.
 * @param value  What each becomes.
 * @param n      Elements.
 */
kernel void fill(global uint *data, uint value, uint n)
{
	size_t i = get_global_id(0);

	if (i < n) {
		data[i] = value;
	}
}

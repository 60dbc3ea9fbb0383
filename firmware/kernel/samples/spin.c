/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Work of a chosen length, for tests of time limits and of priorities.
 */
#include "ganger_kernel.h"

/**
 * @param iterations  Of a loop of a few instructions, in each work-item; 0: forever.
 * @param done        Incremented by each work-item at its end; or null.
 */
kernel void spin(uint iterations, global uint *done)
{
	for (uint i = 0; iterations == 0 || i < iterations; i++) {
		__asm__ volatile("" : : : "memory"); /* so that the loop stays */
	}
	if (done) {
		atomic_inc(done);
	}
}

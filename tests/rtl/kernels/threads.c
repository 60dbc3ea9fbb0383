/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What threads cost that have stacks of their own: built with -fno-loops.
 */

kernel void empty(void)
{
}

/** Only barriers. */
kernel void barriers(uint count)
{
	for (uint i = 0; i < count; i++) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

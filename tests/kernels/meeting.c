/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A kernel that becomes loops over its work-items, and in whose loops no fault could come from anywhere.
 */

/** Threads that meet forever. */
kernel void endless_loops(void)
{
	for (;;) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

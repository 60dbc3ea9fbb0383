/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels that log in which order their work-items run. `log[0]` counts the entries that
 * follow: place in bits 31:16, thread in 15:0.
 */

enum place {
	START = 1,
	ARRIVE = 2, /* before the first barrier */
	RESUME = 3, /* after it */
	ARRIVE_AGAIN = 4,
	RESUME_AGAIN = 5,
	END = 6,
};

static void note(global uint *log, enum place place)
{
	log[1 + atomic_inc(log)] = (uint)place << 16 | (uint)get_local_linear_id();
}

kernel void order_plain(global uint *log)
{
	note(log, START);
	note(log, END);
}

kernel void order_one(global uint *log)
{
	note(log, START);
	note(log, ARRIVE);
	barrier(CLK_LOCAL_MEM_FENCE);
	note(log, RESUME);
	note(log, END);
}

kernel void order_two(global uint *log)
{
	note(log, START);
	note(log, ARRIVE);
	barrier(CLK_LOCAL_MEM_FENCE);
	note(log, RESUME);
	note(log, ARRIVE_AGAIN);
	barrier(CLK_LOCAL_MEM_FENCE);
	note(log, RESUME_AGAIN);
	note(log, END);
}

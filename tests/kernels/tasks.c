/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Single calls of the built-ins for tasks, right and wrong; `status` gets what they returned.
 */

/** Launches any address, whether there is a TMD or not. */
kernel void launch_it(global const struct gg_tmd *tmd, global int *status)
{
	*status = ganger_launch(tmd);
}

/** The same with a generation that the caller chooses. */
kernel void call_it(uint call, uint64_t address, uint generation, uint64_t source, uint count,
		    global int *status)
{
	register uintptr_t a0 __asm__("a0") = (uintptr_t)address;
	register uintptr_t a1 __asm__("a1") = generation;
	register uintptr_t a2 __asm__("a2") = (uintptr_t)source;
	register uintptr_t a3 __asm__("a3") = count;
	register uintptr_t a7 __asm__("a7") = call;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
	*status = (int)a0;
}

/** Pushes from any address; a count of 0 and a null source, too. */
kernel void push_it(global const struct gg_tmd *queue, uint64_t source, uint count,
		    global int *status)
{
	*status = ganger_queue_push(queue, (const void *)(uintptr_t)source, count);
}

/** Pushes words from shared memory and from the stack: 10, 11, … and 20, 21, … */
kernel void push_own(global const struct gg_tmd *queue, global int *status)
{
	local uint shared[4];
	uint stack[4];

	for (uint i = 0; i < 4; i++) {
		shared[i] = 10 + i;
		stack[i] = 20 + i;
	}
	status[0] = ganger_queue_push(queue, shared, 4);
	status[1] = ganger_queue_push(queue, stack, 4);
}

/** Pushes one word more than its own memory has: from `bytes` before the end of the CTA's window. */
kernel void push_past(global const struct gg_tmd *queue, uint64_t end, uint bytes,
		      global int *status)
{
	*status = ganger_queue_push(queue, (const void *)(uintptr_t)(end - bytes), bytes / 4 + 1);
}

/** Closes a queue. */
kernel void close_it(global const struct gg_tmd *queue, global int *status)
{
	*status = ganger_queue_close(queue);
}

/** Each CTA of a grid closes a queue `calls` times, which has to return `status`, and the others run
 * meanwhile. `wrong` counts other answers, and registers that were not kept. */
kernel void keep(global const struct gg_tmd *queue, uint calls, int status, global uint *wrong)
{
	uintptr_t sum = ganger_cta_linear_id() != 0 ? 7 : 3;
	float scale = 1.5f + (float)get_group_id(0);
	const float before = scale;
	uintptr_t expected = sum;

	for (uint i = 0; i < calls; i++) {
		__asm__ volatile("" : "+r"(sum), "+r"(scale));
		if (ganger_queue_close(queue) != status) {
			atomic_inc(wrong);
		}
		sum += i;
		expected += i;
		__asm__ volatile("" : "+r"(sum), "+r"(scale));
	}
	if (sum != expected || scale != before) {
		atomic_inc(wrong);
	}
}

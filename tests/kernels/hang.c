/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels that hang on purpose, each in its own way. Compiled with -fno-loops: each work-item has a stack.
 */

/* Waits for a word that nobody writes. */
__attribute__((noinline)) static void await(volatile global uint *word)
{
	while (*word == 0) { /* spins here */
	}
}

/** Half of the CTA comes to a barrier; the other half waits for what never happens. */
kernel void half_barrier(volatile global uint *word)
{
	if (get_local_id(0) >= get_local_size(0) / 2) {
		await(word);
	}
	barrier(CLK_LOCAL_MEM_FENCE); /* half of them wait here */
}

/** A spin on memory that nobody writes. */
kernel void spin(volatile global uint *word)
{
	await(word);
}

/** Prints for ever. */
kernel void print_endless(uint value)
{
	for (;;) {
		printf("%u\n", value); /* prints here */
	}
}

/** A queue whose every item makes the next one. */
kernel void feed_itself(global const struct gg_tmd *queue, global uint *counts)
{
	const uint next = atomic_inc(counts);

	while (ganger_queue_push(queue, &next, 1) != 0) { /* pushes here */
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Barriers: reductions, in loops, in called functions, with values that must survive; and kernels
 * whose threads do not agree.
 */
#include <stdbool.h>

#define RING 1024u

static uint mixed(uint left, uint right)
{
	return left * 2654435761u ^ right * 40503u;
}

/** Sum of mixed(group, thread) over a CTA, any block size; `scratch` has a word a thread. */
kernel void reduce(global uint *sums, local_pointer(uint) scratch)
{
	const uint thread = (uint)get_local_linear_id();
	const uint group = (uint)ganger_cta_linear_id();
	uint left = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));

	scratch[thread] = mixed(group, thread);
	barrier(CLK_LOCAL_MEM_FENCE);
	while (left > 1) {
		const uint half = (left + 1) / 2;

		if (thread < left / 2) {
			scratch[thread] += scratch[thread + half];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		left = half;
	}
	if (thread == 0) {
		sums[group] = scratch[0];
	}
}

/** In each round every thread takes its neighbour's word and adds one to it. */
kernel void rotate(global uint *out, uint rounds)
{
	local uint ring[RING];
	const uint threads = (uint)get_local_size(0);
	const uint thread = (uint)get_local_id(0);

	ring[thread] = 3 * thread + (uint)get_group_id(0);
	for (uint round = 0; round < rounds; round++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		const uint taken = ring[(thread + 1) % threads];

		barrier(CLK_LOCAL_MEM_FENCE);
		ring[thread] = taken + 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = ring[thread];
}

local uint exchanged[RING];

__attribute__((noinline)) static uint from_above(uint value)
{
	const uint threads = (uint)get_local_size(0);
	const uint thread = (uint)get_local_id(0);

	exchanged[thread] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	value = exchanged[(thread + 1) % threads];
	barrier(CLK_LOCAL_MEM_FENCE);
	return value;
}

__attribute__((noinline)) static uint twice_from_above(uint value, uint keep)
{
	const uint first = from_above(value);
	const uint second = from_above(first);

	return second * 1000 + keep;
}

/** The barrier is two calls deep: out = (thread + 2) mod threads, times 1000, plus thread. */
kernel void called(global uint *out)
{
	const uint thread = (uint)get_local_id(0);

	out[get_global_id(0)] = twice_from_above(thread, thread);
}

/** Values of each kind live across three barriers; a thread that finds another one counts. */
kernel void survive(global uint *wrong, uint seed)
{
	const uint thread = (uint)get_local_id(0) + seed;
	volatile uint words[16];
	uint a = thread + 1, b = thread + 2, c = thread + 3, d = thread + 4;
	float f = (float)thread * 0.5f;
	double g = (double)thread * 0.25;

	for (uint i = 0; i < 16; i++) {
		words[i] = thread * 16 + i;
	}
	for (uint round = 0; round < 3; round++) {
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+f"(f), "+f"(g));
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	bool good = a == thread + 1 && b == thread + 2 && c == thread + 3 && d == thread + 4;

	good = good && f == (float)thread * 0.5f && g == (double)thread * 0.25;
	for (uint i = 0; i < 16; i++) {
		good = good && words[i] == thread * 16 + i;
	}
	if (!good) {
		atomic_inc(wrong);
	}
}

/** Threads from `stay` on return before the barrier: divergent unless there are none. */
kernel void leave_early(global uint *out, uint stay)
{
	atomic_inc(&out[0]);
	if (get_local_linear_id() >= stay) {
		return;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&out[1]);
}

/** Thread 0 comes to `more` barriers more than the others. */
kernel void one_more(global uint *out, uint more)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = 0; i < more && get_local_linear_id() == 0; i++) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	atomic_inc(&out[0]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Small loads for the scheduler: nothing, counting, hashing, telling where a CTA runs, waiting.
 */
#include "give_way.h"

kernel void blank(void)
{
}

/** Counts each CTA once. */
kernel void count(global uint *counts)
{
	if (get_local_linear_id() == 0) {
		atomic_inc(&counts[ganger_cta_linear_id()]);
	}
}

/** Counts each CTA once, and goes on for a while, and until the host's word is there. */
kernel void count_long(global uint *counts, uint spin, volatile global uint *go)
{
	if (get_local_linear_id() == 0) {
		atomic_inc(&counts[ganger_cta_linear_id()]);
	}
	for (uint i = 0; i < spin; i++) {
		__asm__ volatile("");
	}
	while (*go == 0) {
	}
}

/** Each work-item adds a hash of its number, so that a lost, a second or a wrong one shows. */
kernel void hash(global uint *out, uint seed, uint spin)
{
	const size_t item = get_global_linear_id();
	uint value = seed;

	for (uint i = 0; i <= spin; i++) {
		value = (value ^ (uint)item) * 16777619u + i;
	}
	atomic_add(&out[item], value);
}

/** The same of one step, after a while that ends early when the host's word is there. */
kernel void hash_late(global uint *out, uint seed, uint spin, volatile global uint *go)
{
	const size_t item = get_global_linear_id();

	for (uint i = 0; i < spin && *go == 0; i++) {
	}
	atomic_add(&out[item], (seed ^ (uint)item) * 16777619u);
}

/** The same as `hash` with a meeting of all threads in the middle. */
kernel void hash_met(global uint *out, uint seed, uint spin)
{
	const size_t item = get_global_linear_id();
	uint value = seed;

	for (uint i = 0; i <= spin; i++) {
		value = (value ^ (uint)item) * 16777619u + i;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&out[item], value);
}

/** A CTA leaves the address of its shared memory, which tells its SM, and its number in the order
 * of starting; then it waits for the host's word. Two words a CTA; `state` = {started, go}. */
kernel void where(global uint *place, volatile global uint *state)
{
	const uint cta = (uint)ganger_cta_linear_id();

	place[2 * cta] = (uint)(uintptr_t)__builtin_thread_pointer();
	place[2 * cta + 1] = atomic_inc(&state[0]);
	while (state[1] == 0) {
		give_way();
	}
}

/** All CTAs meet, by spinning: it ends only if all of them get their turn. */
kernel void meet(volatile global uint *arrived, uint ctas)
{
	if (get_local_linear_id() == 0) {
		atomic_inc(arrived);
		while (*arrived < ctas) {
		}
	}
}

/** Never ends by itself, in CTA `cta` only; the others count. */
kernel void forever(global uint *counts, uint cta)
{
	if (ganger_cta_linear_id() == cta) {
		for (;;) {
			__asm__ volatile("");
		}
	}
	atomic_inc(&counts[ganger_cta_linear_id()]);
}

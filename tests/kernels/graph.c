/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Passes of task graphs: what they write depends on all that they read, so a wrong order shows in
 * the data; and passes that tell when they ran, wait, meet, fail or launch. The host has the same
 * hash in tests/system/graph_kit.py.
 */
#include <stdlib.h>

#include "give_way.h"

static uint step(uint value, uint word)
{
	return (value ^ word) * 16777619u + 0x9e3779b9u;
}

/** out[i] of three inputs. Any grid; so the next three. */
kernel void graph_mix(global const uint *a, global const uint *b, global const uint *c,
		      global uint *out, uint words, uint seed)
{
	for (uint i = (uint)get_global_id(0); i < words; i += (uint)get_global_size(0)) {
		out[i] = step(step(step(seed + i, a[i]), b[i]), c[i]);
	}
}

/** x[i] of itself and of an input. */
kernel void graph_update(global const uint *a, global uint *x, uint words, uint seed)
{
	for (uint i = (uint)get_global_id(0); i < words; i += (uint)get_global_size(0)) {
		x[i] = step(step(seed + i, x[i]), a[i]);
	}
}

/** Words first to first + words - 1 of x: passes that SHARE it write other words each. */
kernel void graph_slice(global const uint *a, global uint *x, uint first, uint words, uint seed)
{
	for (uint i = (uint)get_global_id(0); i < words; i += (uint)get_global_size(0)) {
		x[first + i] = step(seed + first + i, a[first + i]);
	}
}

/** All of a buffer of any content. */
kernel void graph_set(global uint *out, uint words, uint seed)
{
	for (uint i = (uint)get_global_id(0); i < words; i += (uint)get_global_size(0)) {
		out[i] = step(seed, i);
	}
}

/** Ends badly before it writes anything. */
kernel void graph_fail(void)
{
	abort();
}

/** Stores where it must not. */
kernel void graph_stray(void)
{
	volatile uintptr_t where = 64;

	*(volatile uint *)where = 1;
}

/** When it ran: a count of all starts and ends so far, at its start and at its end. Two words. */
kernel void graph_mark(global uint *counter, global uint *mark, uint spin)
{
	mark[0] = atomic_inc(counter);
	for (uint i = 0; i < spin; i++) {
		__asm__ volatile("");
	}
	mark[1] = atomic_inc(counter);
}

/** Tells that it has started, and waits for the host's word. `state` = {started, go}. */
kernel void graph_hold(volatile global uint *state)
{
	atomic_inc(&state[0]);
	while (state[1] == 0) {
		give_way();
	}
}

/** Ends only when so many CTAs of any passes are there at once. */
kernel void graph_meet(volatile global uint *arrived, uint count)
{
	atomic_inc(arrived);
	while (*arrived < count) {
	}
}

/** Launches a child from a TMD that the host has made. */
kernel void graph_parent(global const struct gg_tmd *child, global int *status)
{
	*status = ganger_launch(child);
}

/** Prints its number. */
kernel void graph_print(uint number)
{
	printf("pass %u\n", number);
}

/** Counts its CTAs; those of a cluster meet. */
kernel void graph_cluster(global uint *counts, uint size)
{
	cluster_sync();
	if (cluster_nctarank() == size) {
		atomic_inc(&counts[ganger_cta_linear_id()]);
	}
}

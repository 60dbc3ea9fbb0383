/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Shared memory: each CTA has its own, and what was there before does not pass between contexts.
 */

#define WORDS 512u

/** Each CTA writes its own pattern again and again, and counts the words that are not its own. */
kernel void own(global uint *wrong, uint rounds)
{
	local uint words[WORDS];
	const uint threads = (uint)get_local_size(0);
	const uint group = (uint)ganger_cta_linear_id();

	for (uint round = 0; round < rounds; round++) {
		for (uint i = (uint)get_local_id(0); i < WORDS; i += threads) {
			words[i] = group * 7919 + i + round;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint i = (uint)get_local_id(0); i < WORDS; i += threads) {
			if (words[WORDS - 1 - i] != group * 7919 + (WORDS - 1 - i) + round) {
				atomic_inc(wrong);
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/** The same for two `local` parameters and a variable, which must not overlap. */
kernel void three(global uint *wrong, local_pointer(uint) first, local_pointer(uchar) second,
		  uint n)
{
	local uint third[64];
	const uint thread = (uint)get_local_id(0);

	for (uint i = thread; i < n; i += (uint)get_local_size(0)) {
		first[i] = 0x11110000u + i;
		second[i] = (uchar)(0xa0u + i);
		third[i % 64] = 0x33330000u + i % 64;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = 0; i < n; i++) {
		if (first[i] != 0x11110000u + i || second[i] != (uchar)(0xa0u + i) ||
		    (i < 64 && third[i] != 0x33330000u + i)) {
			atomic_inc(wrong);
		}
	}
}

/** Histogram by atomics on shared memory, added to the device's at the end. */
kernel void histogram(global const uchar *data, global uint *bins, uint bytes)
{
	local uint own_bins[256];
	const uint threads = (uint)get_local_size(0);

	for (uint i = (uint)get_local_id(0); i < 256; i += threads) {
		own_bins[i] = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t i = get_global_id(0); i < bytes; i += get_global_size(0)) {
		atomic_inc(&own_bins[data[i]]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = (uint)get_local_id(0); i < 256; i += threads) {
		atomic_add(&bins[i], own_bins[i]);
	}
}

/** Fills shared memory with a secret. */
kernel void hide(uint secret, local_pointer(uint) words, uint n)
{
	for (uint i = 0; i < n; i++) {
		((volatile uint *)words)[i] = secret;
	}
}

/** Counts the words of shared memory, and of a stack below this frame, that are the secret. */
kernel void seek(uint secret, local_pointer(uint) words, uint n, global uint *found)
{
	for (uint i = 0; i < n; i++) {
		if (((volatile uint *)words)[i] == secret) {
			atomic_inc(found);
		}
	}
}

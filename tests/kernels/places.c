/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Where the memories of a kernel lie (S3-R71), and in which order its work-items run.
 */

static const uint constants[4] = { 0x636f6e73, 2, 3, 4 };

/* What a work-item leaves: addresses in its private, the shared and the constant memory. */
struct places {
	uint64_t private_at;
	uint64_t shared_at;
	uint64_t constant_at;
	uint64_t code_at;
};

kernel void where_is(global struct places *places, local_pointer(uchar) shared)
{
	volatile uint own = (uint)get_global_id(0);
	global struct places *mine = &places[get_global_linear_id()];

	shared[get_local_linear_id()] = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	mine->private_at = (uintptr_t)&own;
	mine->shared_at = (uintptr_t)shared;
	mine->constant_at = (uintptr_t)constants;
	mine->code_at = (uintptr_t)&where_is;
	own++;
}

/* The same without a barrier: one stack. */
kernel void where_is_plain(global struct places *places)
{
	volatile uint own = (uint)get_global_id(0);

	places[get_global_linear_id()].private_at = (uintptr_t)&own;
}

/* Items in the order in which they start and end: `log[0]` counts, bit 31 is an end. A subset is a
 * CTA. */
kernel void in_subsets(global uint *log, uint n)
{
	const uint item = (uint)get_global_id(0);

	if (item < n) {
		log[1 + atomic_inc(log)] = item;
		log[1 + atomic_inc(log)] = item | 1u << 31;
	}
}

/* Many barriers. */
kernel void meetings(global uint *counts, uint rounds)
{
	for (uint i = 0; i < rounds; i++) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	counts[get_global_linear_id()] = rounds;
}

/* Where the shared memory of each CTA lies. The first two CTAs wait for each other, so they must run at once. */
kernel void meet(global uint *met, global uint64_t *shared_at, local_pointer(uchar) shared)
{
	const uint cta = (uint)ganger_cta_linear_id();

	shared[0] = 1;
	shared_at[cta] = (uintptr_t)shared;
	if (cta < 2) {
		atomic_inc(met);
		while (atomic_add(met, 0) < 2) {
		}
	}
}

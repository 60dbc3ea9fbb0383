/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CTAs of PULL grids that are so short that an SM runs many of them without a trap between them. `place[0]` counts CTAs that were
 * not the last of their run, so that a test knows that there were such runs.
 */
#include <stdlib.h>

#include "firmware/kernel/gg_cta.h"

static void note(global uint *place, uint cta)
{
	const struct gg_cta *block = (const struct gg_cta *)__builtin_thread_pointer() - 1;

	place[1 + cta]++;
	if ((block->flags & GG_CTA_FLAG_RUN) != 0 && block->last != (uint)block->cta_linear) {
		atomic_inc(place);
	}
}

/* Counts itself, and leaves other rounding and flags than it found; these are counted in `seen`. */
kernel void rounding(global uint *place, global uint *seen)
{
	note(place, (uint)get_group_id(0));
#ifdef __riscv_flen
	uintptr_t state;

	__asm__ volatile("frcsr %0" : "=r"(state));
	__asm__ volatile("fscsr %0" : : "r"(0x5f));
	if (state != 0) {
		atomic_inc(seen);
	}
#else
	(void)seen;
#endif
}

/* One of them fails. */
kernel void fails(global uint *place, uint at)
{
	const uint cta = (uint)get_group_id(0);

	note(place, cta);
	if (cta == at) {
		abort();
	}
}

/* Some of them ask for something, and wait for the answer. */
kernel void prints(global uint *place, uint each)
{
	const uint cta = (uint)get_group_id(0);

	note(place, cta);
	if (cta % each == 0) {
		printf("[%u]", cta);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/tmd_copy.h"

#include <stddef.h>

#include "hal/mmio.h"

/* Bit of a word of a TMD. */
#define WORD(name) ((uint64_t)1 << offsetof(struct gg_tmd, name) / 4)

/* The words that are zero in the TMD of a plain grid. */
#define RARE                                                                                       \
	(WORD(cluster_xy) | WORD(cluster_z) | WORD(gpc_mask) | WORD(affinity_lo) |                 \
	 WORD(affinity_hi) | WORD(quota) | WORD(retry_limit) | WORD(chunk) | WORD(queue_lo) |      \
	 WORD(queue_hi) | WORD(queue_capacity) | WORD(queue_item_bytes) | WORD(queue_items) |      \
	 WORD(coalesce_us) | WORD(queue_outstanding) | WORD(semaphore0_op) | WORD(semaphore1_op) | \
	 WORD(resume_lo) | WORD(resume_hi) | WORD(windows_lo) | WORD(windows_hi) |                 \
	 WORD(window_count) | WORD(print_lo) | WORD(print_hi) | WORD(print_bytes) | WORD(outer) |  \
	 WORD(top))

/* The bits of word `at` of a TMD, seen as words of this processor, that belong to a set of the TMD's own words. */
#define BITS(words, at)                                               \
	((uintptr_t)(sizeof(uintptr_t) == 4                           \
			     ? 0 - ((words) >> (at)&1)                \
			     : ((words) >> 2 * (at)&1) * UINT32_MAX | \
				       ((words) >> (2 * (at) + 1) & 1) * UINT32_MAX << 32))

_Static_assert(BITS((uint64_t)7, 0) == UINTPTR_MAX, "all bits of a word, on both widths");

/* The words that say what kernel is run and how: a program that launches a kernel many times changes none of them. */
#define KERNEL                                                                              \
	(WORD(header) | WORD(entry_lo) | WORD(entry_hi) | WORD(code_lo) | WORD(code_hi) |   \
	 WORD(code_bytes) | WORD(grid_x) | WORD(grid_yz) | WORD(block_xy) | WORD(block_z) | \
	 WORD(shared_bytes) | WORD(private_bytes) | WORD(registers) | WORD(heap_lo) |       \
	 WORD(time_limit_us) | WORD(heap_hi) | WORD(heap_bytes_lo) | WORD(heap_bytes_hi))

/* The words of dependences, which are zero for most tasks. */
#define LISTS                                                                   \
	(WORD(dependence_count) | WORD(dependent_count) | WORD(dependents_lo) | \
	 WORD(dependents_hi) | WORD(after_count) | WORD(after_lo) | WORD(after_hi))

/* Words of a TMD, seen as words of this processor. */
#define WORDS (sizeof(struct gg_tmd) / sizeof(uintptr_t))

/* On a board that is compiled for size only the loop of the short way is unrolled. */
#ifdef __OPTIMIZE_SIZE__
enum {
	UNROLL = 1
};
#else
enum {
	UNROLL = 64
};
#endif

__attribute__((noinline)) uintptr_t tmd_copy(struct gg_tmd *to, const struct gg_tmd *from)
{
	const uintptr_t *source = (const void *)from;
	uintptr_t *target = (void *)to;
	uint64_t words = RARE;
	uintptr_t rare = 0;

#pragma GCC unroll UNROLL
	for (uint32_t at = 0; at < WORDS; at++) {
		const uintptr_t word = mmio_read_word(&source[at]);

		target[at] = word;
		rare |= word & BITS(words, 0);
		words >>= sizeof(word) / 4;
	}
	return rare;
}

__attribute__((noinline)) uintptr_t tmd_copy_again(struct gg_tmd *to, const struct gg_tmd *from)
{
	const uintptr_t *source = (const void *)from;
	uintptr_t *target = (void *)to;
	uintptr_t wrong = 0;

#pragma GCC unroll 64
	for (uint32_t at = 0; at < WORDS; at++) {
		const uintptr_t word = mmio_read_word(&source[at]);

		wrong |= word & BITS(RARE | LISTS, at);
		if (BITS(KERNEL, at) != 0) {
			wrong |= (word ^ target[at]) & BITS(KERNEL, at);
		}
		if (BITS(RARE | LISTS | KERNEL, at) != UINTPTR_MAX) {
			target[at] = word;
		}
	}
	return wrong;
}

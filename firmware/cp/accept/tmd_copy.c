/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/tmd_copy.h"

#include "firmware/abi/tmd_words.h"
#include "hal/mmio.h"

/* The words that are zero in the TMD of a plain grid. */
#define RARE                                                                                       \
	(TMD_WORD(cluster_xy) | TMD_WORD(cluster_z) | TMD_WORD(gpc_mask) | TMD_WORD(affinity_lo) | \
	 TMD_WORD(affinity_hi) | TMD_WORD(quota) | TMD_WORD(retry_limit) | TMD_WORD(chunk) |       \
	 TMD_WORD(queue_lo) | TMD_WORD(queue_hi) | TMD_WORD(queue_capacity) |                      \
	 TMD_WORD(queue_item_bytes) | TMD_WORD(queue_items) | TMD_WORD(coalesce_us) |              \
	 TMD_WORD(queue_outstanding) | TMD_WORD(semaphore0_op) | TMD_WORD(semaphore1_op) |         \
	 TMD_WORD(resume_lo) | TMD_WORD(resume_hi) | TMD_WORD(windows_lo) | TMD_WORD(windows_hi) | \
	 TMD_WORD(window_count) | TMD_WORD(print_lo) | TMD_WORD(print_hi) |                        \
	 TMD_WORD(print_bytes) | TMD_WORD(outer) | TMD_WORD(top))

/* The bits of word `at` of a TMD, seen as words of this processor, that belong to a set of the TMD's own words. */
#define BITS(words, at)                                               \
	((uintptr_t)(sizeof(uintptr_t) == 4                           \
			     ? 0 - ((words) >> (at)&1)                \
			     : ((words) >> 2 * (at)&1) * UINT32_MAX | \
				       ((words) >> (2 * (at) + 1) & 1) * UINT32_MAX << 32))

_Static_assert(BITS((uint64_t)7, 0) == UINTPTR_MAX, "all bits of a word, on both widths");

_Static_assert((TMD_SHORT & RARE) == 0, "a short TMD is one of a plain grid");
_Static_assert((RARE & 3) == 0, "what is read with the header is not rare");

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

/* All but the word with the header. */
static void copy_short(uintptr_t *target, const uintptr_t *source)
{
	uint64_t words = TMD_SHORT >> sizeof(*target) / 4;

#pragma GCC unroll UNROLL
	for (uint32_t at = 1; at < WORDS; at++) {
		const uintptr_t bits = BITS(words, 0);

		target[at] = bits != 0 ? mmio_read_word(&source[at]) & bits : 0;
		words >>= sizeof(bits) / 4;
	}
}

__attribute__((noinline)) uintptr_t tmd_copy(struct gg_tmd *to, const struct gg_tmd *from)
{
	const uintptr_t *source = (const void *)from;
	uintptr_t *target = (void *)to;
	uint64_t words = RARE >> sizeof(*target) / 4;
	uintptr_t rare = 0;

	target[0] = mmio_read_word(&source[0]);
	if ((to->header & GG_TMD_SHORT) != 0) {
		copy_short(target, source);
		return 0;
	}
#pragma GCC unroll UNROLL
	for (uint32_t at = 1; at < WORDS; at++) {
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
		if (BITS(TMD_SHORT, at) == 0) {
			continue;
		}
		const uintptr_t word = mmio_read_word(&source[at]) & BITS(TMD_SHORT, at);

		if (BITS(TMD_KERNEL, at) != 0) {
			wrong |= (word ^ target[at]) & BITS(TMD_KERNEL, at);
		}
		if (BITS(TMD_SHORT & ~TMD_KERNEL, at) != 0) {
			target[at] = word;
		}
	}
	return wrong;
}

__attribute__((noinline)) uintptr_t tmd_others(const struct gg_tmd *from)
{
	const uintptr_t *source = (const void *)from;
	uintptr_t others = 0;

#pragma GCC unroll 64
	for (uint32_t at = 0; at < WORDS; at++) {
		if (BITS(~TMD_SHORT, at) != 0) {
			others |= mmio_read_word(&source[at]) & BITS(~TMD_SHORT, at);
		}
	}
	return others;
}

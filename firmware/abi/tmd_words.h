/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Sets of words of a TMD, a bit each.
 */
#ifndef FIRMWARE_ABI_TMD_WORDS_H
#define FIRMWARE_ABI_TMD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** The bit of a word. */
#define TMD_WORD(name) ((uint64_t)1 << offsetof(struct gg_tmd, name) / 4)

/** The words that say what kernel is run and how: a program that launches a kernel many times changes none of them. */
#define TMD_KERNEL                                                                         \
	(TMD_WORD(header) | TMD_WORD(entry_lo) | TMD_WORD(entry_hi) | TMD_WORD(code_lo) |  \
	 TMD_WORD(code_hi) | TMD_WORD(code_bytes) | TMD_WORD(grid_x) | TMD_WORD(grid_yz) | \
	 TMD_WORD(block_xy) | TMD_WORD(block_z) | TMD_WORD(shared_bytes) |                 \
	 TMD_WORD(private_bytes) | TMD_WORD(registers) | TMD_WORD(heap_lo) |               \
	 TMD_WORD(time_limit_us) | TMD_WORD(heap_hi) | TMD_WORD(heap_bytes_lo) |           \
	 TMD_WORD(heap_bytes_hi))

/** The words of a short TMD (GG_TMD_SHORT): those, and what differs from launch to launch. */
#define TMD_SHORT                                                                        \
	(TMD_KERNEL | TMD_WORD(generation) | TMD_WORD(correlation) | TMD_WORD(context) | \
	 TMD_WORD(args_bytes) | TMD_WORD(args_lo) | TMD_WORD(args_hi))

/** Whether a TMD has none but the words of a short one: all others are zero. */
static inline bool tmd_words_are_short(const struct gg_tmd *tmd)
{
	const uint32_t *words = (const uint32_t *)tmd;
	uint32_t others = 0;

	for (uint32_t at = 0; at < sizeof(*tmd) / 4; at++) {
		others |= (TMD_SHORT >> at & 1) != 0 ? 0 : words[at];
	}
	return others == 0;
}

#endif /* FIRMWARE_ABI_TMD_WORDS_H */

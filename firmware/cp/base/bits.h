/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Operations on the bits of a word and on bitmaps. They are written in plain C because the cores that the firmware
 * runs on may have no instructions for them. Where a board says that its cores have those of Zbb (BOARD_EXTENSIONS),
 * the compiler's own functions are one instruction each.
 */
#ifndef FIRMWARE_CP_BASE_BITS_H
#define FIRMWARE_CP_BASE_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* What always holds, but costs too much to look at in the firmware, where every CTA passes: only the tests look. */
#ifdef __riscv
#define BITS_ASSERT(condition) ((void)0)
#else
#define BITS_ASSERT(condition) assert(condition)
#endif

/** The word with only its lowest 1 bit kept; 0 when the word is 0. */
static inline uint32_t bits_isolate(uint32_t word)
{
	return word & (~word + 1u);
}

/** What bits_lowest() returns, without a product: for cores that have no multiplication, where the one of the other form takes
 * six instructions for each of 27 bits. Most words have 1 bits in their lowest bytes. */
static inline uint32_t bits_lowest_by_steps(uint32_t word)
{
	uint32_t number = 0;

	BITS_ASSERT(word != 0);
	for (; (word & 0xffu) == 0; word >>= 8) {
		number += 8;
	}
	for (; (word & 1u) == 0; word >>= 1) {
		number++;
	}
	return number;
}

/** Number of the lowest 1 bit, 0 to 31. The product with a de Bruijn sequence has a different value in its upper five
 * bits for each single bit; the compiler's own function is three times as long.
 * @param word  Not 0. */
static inline uint32_t bits_lowest(uint32_t word)
{
	BITS_ASSERT(word != 0);
#ifdef __riscv_zbb
	return (uint32_t)__builtin_ctz(word);
#elif defined(__riscv) && !defined(__riscv_mul)
	return bits_lowest_by_steps(word);
#else
	static const uint8_t numbers[32] = { 0,  1,  28, 2,  29, 14, 24, 3,  30, 22, 20,
					     15, 25, 17, 4,  8,  31, 27, 13, 23, 21, 19,
					     16, 7,  26, 12, 18, 6,  11, 5,  10, 9 };

	return numbers[bits_isolate(word) * 0x077cb531u >> 27];
#endif
}

/** Number of the highest 1 bit, 0 to 31. All bits below it are set first; then a de Bruijn sequence gives the number.
 * The compiler's own function needs a table of 256 bytes.
 * @param word  Not 0. */
static inline uint32_t bits_highest(uint32_t word)
{
	BITS_ASSERT(word != 0);
#ifdef __riscv_zbb
	return 31u - (uint32_t)__builtin_clz(word);
#else
	static const uint8_t numbers[32] = { 0,  9,  1,  10, 13, 21, 2,  29, 11, 14, 16,
					     18, 22, 25, 3,  30, 8,  12, 20, 28, 15, 17,
					     24, 7,  19, 27, 23, 6,  26, 5,  4,  31 };

	word |= word >> 1;
	word |= word >> 2;
	word |= word >> 4;
	word |= word >> 8;
	word |= word >> 16;
	return numbers[word * 0x07c4acddu >> 27];
#endif
}

/** Number of 1 bits in a word, 0 to 32. */
static inline uint32_t bits_count(uint32_t word)
{
#ifdef __riscv_zbb
	return (uint32_t)__builtin_popcount(word);
#else
	word -= word >> 1 & 0x55555555u;
	word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
	word = (word + (word >> 4)) & 0x0f0f0f0fu;
	word += word >> 8;
	return (word + (word >> 16)) & 0x3fu;
#endif
}

/** A word whose lowest `count` bits are 1.
 * @param count  0 to 32. */
static inline uint32_t bits_ones(uint32_t count)
{
	return (uint32_t)(((uint64_t)1 << count) - 1u);
}

/** Find runs of `length` consecutive 1 bits that do not overlap, from the lowest bit up. The function first finds
 * every bit at which such a run starts, and then picks starts from the lowest up.
 * @param length  1 to 32.
 * @param limit   Most runs to return.
 * @return        A word with the lowest bit of each run. */
static inline uint32_t bits_runs(uint32_t word, uint32_t length, uint32_t limit)
{
	const uint32_t run = bits_ones(length);
	uint32_t begins = word;
	uint32_t starts = 0;

	for (uint32_t have = 1; have < length;) {
		const uint32_t more = have < length - have ? have : length - have;

		begins &= begins >> more;
		have += more;
	}
	while (begins != 0 && limit-- > 0) {
		const uint32_t start = bits_isolate(begins);

		starts |= start;
		begins &= ~(start * run);
	}
	return starts;
}

/** Whether a bit of a bitmap is 1. */
static inline __attribute__((always_inline)) bool bits_has(const uint32_t *bitmap, uint32_t at)
{
	return (bitmap[at / 32] >> at % 32 & 1u) != 0;
}

/** Set a bit of a bitmap. */
static inline __attribute__((always_inline)) void bits_set(uint32_t *bitmap, uint32_t at)
{
	bitmap[at / 32] |= 1u << at % 32;
}

/** Clear a bit of a bitmap. */
static inline __attribute__((always_inline)) void bits_clear(uint32_t *bitmap, uint32_t at)
{
	bitmap[at / 32] &= ~(1u << at % 32);
}

/** Number of 1 bits of a bitmap.
 * @param words  Words of the bitmap. */
static inline uint32_t bits_count_all(const uint32_t *bitmap, uint32_t words)
{
	uint32_t count = 0;

	for (uint32_t word = 0; word < words; word++) {
		count += bits_count(bitmap[word]);
	}
	return count;
}

/** Find the first 1 bit of a bitmap at or after a position. This loop visits all of them in order: for (uint32_t at =
 * 0; bits_next(bitmap, words, &at); at++)
 * @param words       Words of the bitmap.
 * @param[in,out] at  Position to start from; then the position of the bit that was found.
 * @return            false when there is none; `at` is then past the end. */
static inline bool bits_next(const uint32_t *bitmap, uint32_t words, uint32_t *at)
{
	uint32_t word = *at / 32;
	uint32_t ones = word < words ? bitmap[word] & ~bits_ones(*at % 32) : 0;

	while (ones == 0 && word + 1 < words) {
		ones = bitmap[++word];
	}
	*at = ones != 0 ? word * 32 + bits_lowest(ones) : words * 32;
	return ones != 0;
}

#endif /* FIRMWARE_CP_BASE_BITS_H */

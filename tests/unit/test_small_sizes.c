/* SPDX-License-Identifier: Apache-2.0 */
/* Pure functions with every input of small sizes, against definitions that are easy to see through.
 * sources: firmware/cp/sms/availability.c firmware/pull/nd_range.c hal/drivers/pmp_encode.c firmware/link/frame.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/sms/availability.h"
#include "firmware/link/frame.h"
#include "firmware/pull/nd_range.h"
#include "hal/protection.h"

static void assert_word(uint32_t word)
{
	assert_int_equal(bits_count(word), __builtin_popcount(word));
	assert_int_equal(bits_isolate(word), word & -word);
	if (word != 0) {
		assert_int_equal(bits_lowest(word), __builtin_ctz(word));
		assert_int_equal(bits_highest(word), 31 - __builtin_clz(word));
	}
}

/* All words whose 1 bits, or whose 0 bits, lie within 18 neighbours. */
static void words(void **state)
{
	(void)state;
	for (uint32_t low = 0; low < 1u << 18; low++) {
		for (uint32_t shift = 0; shift <= 14; shift += 7) {
			assert_word(low << shift);
			assert_word(~(low << shift));
		}
	}
	for (uint32_t count = 0; count <= 32; count++) {
		assert_int_equal(bits_ones(count), count == 32 ? UINT32_MAX : (1u << count) - 1);
	}
}

/* Runs as one takes them by hand: at each bit from the lowest up, if enough 1 bits follow. */
static uint32_t runs(uint32_t word, uint32_t length, uint32_t limit)
{
	uint32_t starts = 0;

	for (uint32_t at = 0; at + length <= 32 && limit > 0;) {
		const uint64_t run = (((uint64_t)1 << length) - 1) << at;

		if ((word & run) == run) {
			starts |= 1u << at;
			limit--;
			at += length;
		} else {
			at++;
		}
	}
	return starts;
}

/* S0-R35: the units of CTAs: all words of 12 units at both ends, all lengths, all limits. */
static void units(void **state)
{
	(void)state;
	for (uint32_t word = 0; word < 1u << 12; word++) {
		for (uint32_t length = 1; length <= 13; length++) {
			for (uint32_t limit = 0; limit <= 13; limit++) {
				assert_int_equal(bits_runs(word, length, limit),
						 runs(word, length, limit));
				assert_int_equal(bits_runs(word << 20, length, limit),
						 runs(word << 20, length, limit));
			}
		}
		assert_int_equal(bits_runs(~word, 32, 2), word == 0 ? 1 : 0);
	}
}

/* All bitmaps of three words with at most two 1 bits, from each position on. */
static void bitmaps(void **state)
{
	(void)state;
	for (uint32_t one = 0; one < 96; one++) {
		for (uint32_t other = one; other <= 96; other++) {
			uint32_t bitmap[4] = { 0 };

			bits_set(bitmap, one);
			bits_set(bitmap, other);
			for (uint32_t from = 0; from <= 97; from++) {
				const uint32_t want = from <= one                   ? one
						      : from <= other && other < 96 ? other
										    : 96;
				uint32_t at = from;

				assert_int_equal(bits_next(bitmap, 3, &at), want < 96);
				if (want < 96) {
					assert_int_equal(at, want);
				} else {
					assert_true(at >= 96);
				}
			}
			bits_clear(bitmap, one);
			assert_int_equal(bits_has(bitmap, one), false);
			assert_int_equal(bits_has(bitmap, other), other != one);
		}
	}
}

#define SMS    4u
#define LEVELS 4u

/* S0-R31, S1-R83, S1-T1: all lakes of four SMs with up to three free slots, on both sides of a word's end, and all numbers
 * of CTAs: as if each went to the best SM. */
static void lakes(void **state)
{
	static struct availability levels, after;

	(void)state;
	for (uint32_t lake = 0; lake < LEVELS * LEVELS * LEVELS * LEVELS; lake++) {
		uint32_t slots[SMS];

		memset(&levels, 0, sizeof(levels));
		for (uint32_t sm = 0; sm < SMS; sm++) {
			slots[sm] = lake >> 2 * sm & 3u;
			availability_set(&levels, 30 + sm, slots[sm]);
		}
		after = levels;
		for (uint64_t ctas = 1; ctas <= SMS * LEVELS; ctas++) {
			const struct availability_fill fill = availability_pour(&levels, ctas);
			uint32_t rank, extra = fill.extra;
			uint64_t placed = 0;

			for (uint32_t sm = 0; sm < SMS;
			     sm++) { /* the next one of them goes to the best */
				placed += slots[sm] - after.level[30 + sm];
			}
			if (availability_best(&after, &rank)) {
				availability_set(&after, rank, after.level[rank] - 1u);
				placed++;
			}
			assert_int_equal(fill.ctas, placed);
			for (uint32_t sm = 0; sm < SMS; sm++) {
				uint32_t left = slots[sm] < fill.final ? slots[sm] : fill.final;

				if (slots[sm] >= fill.final && extra > 0) {
					left--;
					extra--;
				}
				assert_int_equal(left, after.level[30 + sm]);
			}
			for (uint32_t level = 1; level < LEVELS; level++) {
				for (uint32_t sm = 0; sm < SMS; sm++) {
					const uint32_t there = availability_at_least(
						&levels, level, (30 + sm) / 32);

					assert_int_equal(there >> (30 + sm) % 32 & 1u,
							 slots[sm] >= level);
				}
			}
		}
	}
}

static void assert_set(const struct nd_range *range)
{
	const uint64_t items = range->size[0] * range->size[1] * range->size[2];
	const uint8_t *order = range->order;
	struct nd_cursor cursor;

	assert_int_equal(nd_range_items(range), items);
	nd_range_seek(range, 0, &cursor);
	for (uint64_t at = 0; at < items; at++) {
		const uint64_t number = range->descending ? items - 1 - at : at;
		uint64_t index[ND_DIMENSIONS], place = items;
		uint64_t want[3];

		want[order[0]] = number % range->size[order[0]];
		want[order[1]] = number / range->size[order[0]] % range->size[order[1]];
		want[order[2]] = number / range->size[order[0]] / range->size[order[1]];
		nd_range_index(range, at, index);
		assert_memory_equal(index, want, sizeof(want));
		assert_memory_equal(cursor.index, want, sizeof(want));
		assert_true(nd_range_position(range, index, &place));
		assert_int_equal(place, at);
		for (uint32_t dimension = 0; dimension < 3; dimension++) {
			uint64_t beyond[ND_DIMENSIONS] = { want[0], want[1], want[2] };

			beyond[dimension] = range->size[dimension];
			assert_false(nd_range_position(range, beyond, &place));
		}
		if (at + 1 < items) {
			nd_range_next(range, &cursor);
		}
	}
}

/* S4-R96, S4-R99, S4-R106: all sets of three dimensions up to 4 x 4 x 4, in all orders and both directions. */
static void sets(void **state)
{
	static const uint8_t orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					      { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

	(void)state;
	for (uint32_t shape = 0; shape < 64 * 6 * 2; shape++) {
		struct nd_range range = { .dimensions = 3,
					  .descending = shape % 2 != 0,
					  .size = { 1 + shape / 12 % 4, 1 + shape / 48 % 4,
						    1 + shape / 192 } };

		memcpy(range.order, orders[shape / 2 % 6], 3);
		assert_set(&range);
	}
}

/* What the architecture does with a table: the first entry that matches decides. Addresses of entries are quarters. */
static uint32_t rights_at(const struct protection_table *table, uintptr_t at)
{
	for (uint32_t entry = 0; entry < table->entries; entry++) {
		const uintptr_t from = entry == 0 ? 0 : table->address[entry - 1];

		if ((table->config_byte[entry] & 0x18u) == 0x08u && from <= at >> 2 &&
		    at >> 2 < table->address[entry]) {
			return table->config_byte[entry] & 7u;
		}
	}
	return PROTECTION_NONE;
}

static void assert_region(const struct protection_limits *limits, uintptr_t base, uintptr_t bytes)
{
	const bool good = base % limits->grain == 0 && bytes % limits->grain == 0 &&
			  (bytes == 0 || base + (bytes - 1) >= base);
	struct protection_table table;

	protection_begin(limits, &table);
	const enum hal_status status =
		protection_add(limits, &table, base, bytes, PROTECTION_READ | PROTECTION_WRITE);

	if (limits->entries == 0 || bytes == 0) {
		assert_int_equal(status, HAL_OK);
		assert_int_equal(table.entries, 0);
		return;
	}
	assert_int_equal(status, !good                 ? HAL_ERR_INVALID_PARAM
				 : limits->entries < 2 ? HAL_ERR_UNSUPPORTED
						       : HAL_OK);
	for (uintptr_t at = base - 20; status == HAL_OK && at != base + bytes + 20; at++) {
		assert_int_equal(rights_at(&table, at), at - base < bytes ? 3 : 0);
	}
}

/* A region is open to its last byte and no further, at the lowest, the highest and other addresses. */
static void regions(void **state)
{
	(void)state;
	for (uint32_t shape = 0; shape < 4 * 3 * 3 * 64; shape++) {
		const struct protection_limits limits = { .entries = shape % 4,
							  .grain = 4u << shape / 4 % 3 };
		const uintptr_t from[] = { 20, 0x80000000u, (uintptr_t)0 - 64 };

		for (uintptr_t bytes = 0; bytes <= 64; bytes++) {
			assert_region(&limits, from[shape / 12 % 3] + shape / 36, bytes);
		}
	}
}

/* One body there and back. */
static void assert_frame(const uint8_t *body, uint32_t bytes)
{
	static uint8_t frame[FRAME_MAX];
	static struct frame_decoder decoder;
	uint32_t good = 0;

	memcpy(frame + FRAME_LEAD, body, bytes);
	const uint32_t sealed = frame_seal(frame, bytes);

	for (uint32_t at = 0; at < sealed; at++) {
		assert_true(frame[at] != 0 || at == 0 || at == sealed - 1);
		good += frame_take(&decoder, frame[at]) ? 1u : 0u;
	}
	assert_int_equal(good, 1);
	assert_int_equal(decoder.bytes, bytes);
	assert_memory_equal(decoder.body, body, bytes);
}

/* All bodies of eight bytes of four kinds, and of the lengths around a block's with zeros at any two places. */
static void frames(void **state)
{
	static const uint8_t kinds[] = { 0, 1, 0xfe, 0xff };
	uint8_t body[FRAME_BODY_MAX];

	(void)state;
	for (uint32_t word = 0; word < 1u << 16; word++) {
		for (uint32_t at = 0; at < 8; at++) {
			body[at] = kinds[word >> 2 * at & 3u];
		}
		assert_frame(body, 8);
	}
	for (uint32_t bytes = 248; bytes <= 258; bytes++) {
		for (uint32_t zero = 0; zero <= bytes; zero++) {
			memset(body, 7, sizeof(body));
			body[zero] = 0;
			assert_frame(body, bytes);
			body[bytes - 1] = 0;
			assert_frame(body, bytes);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),  cmocka_unit_test(units), cmocka_unit_test(bitmaps),
		cmocka_unit_test(lakes),  cmocka_unit_test(sets),  cmocka_unit_test(regions),
		cmocka_unit_test(frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

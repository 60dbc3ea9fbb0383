/* SPDX-License-Identifier: Apache-2.0 */
/* Positions and indices of sets in 1 to 8 dimensions, against nested loops.
 * sources: firmware/pull/nd_range.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/pull/nd_range.h"

#define REFERENCE_MOST 20000u

/* A set with sizes in order, the first one fastest. */
static struct nd_range plain(uint32_t dimensions, const uint64_t *sizes)
{
	struct nd_range range = { .dimensions = dimensions };

	for (uint32_t at = 0; at < dimensions; at++) {
		range.order[at] = (uint8_t)at;
		range.size[at] = sizes[at];
	}
	return range;
}

#define PLAIN(...)                                                    \
	plain(sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), \
	      (const uint64_t[]){ __VA_ARGS__ })

static void assert_index(const struct nd_range *range, uint64_t position, const uint64_t *want)
{
	uint64_t index[ND_DIMENSIONS], back = ~position;

	nd_range_index(range, position, index);
	assert_memory_equal(index, want, range->dimensions * sizeof(*want));
	assert_true(nd_range_position(range, index, &back));
	assert_int_equal(back, position);
}

/* S4-R100, S4-R106, S4-V6: worked examples, and what lies at the ends. */
static void worked_examples(void **state)
{
	const struct nd_range box = PLAIN(4, 4, 2), cube = PLAIN(3, 3, 3);

	(void)state;
	assert_int_equal(nd_range_items(&box), 32);
	assert_index(&box, 22, (uint64_t[]){ 2, 1, 1 });
	assert_int_equal(nd_range_items(&cube), 27);
	assert_index(&cube, 0, (uint64_t[]){ 0, 0, 0 });
	assert_index(&cube, 26, (uint64_t[]){ 2, 2, 2 });
}

/* The set as nested loops make it: the index of each item, ascending. */
static uint32_t reference(const struct nd_range *range, uint64_t (*items)[ND_DIMENSIONS])
{
	uint64_t digits[ND_DIMENSIONS] = { 0 }, row = 0;
	uint32_t count = 0, at = 0;

	while (at < range->dimensions) {
		const uint64_t here = digits[range->order[0]];
		const bool hole =
			range->rows != NULL && here >= range->rows[row + 1] - range->rows[row];

		if (!hole) {
			for (uint32_t d = 0; d < ND_DIMENSIONS; d++) {
				items[count][d] =
					d < range->dimensions ? digits[d] + range->offset[d] : 0;
			}
			count++;
		}
		for (at = 0; at < range->dimensions; at++) {
			if (++digits[range->order[at]] < range->size[range->order[at]]) {
				break;
			}
			digits[range->order[at]] = 0;
		}
		row += at > 0 ? 1 : 0;
	}
	return count;
}

static void assert_reference(const struct nd_range *range)
{
	static uint64_t items[REFERENCE_MOST][ND_DIMENSIONS];
	const uint32_t count = reference(range, items);
	struct nd_cursor cursor, there;

	assert_int_equal(nd_range_items(range), count);
	nd_range_seek(range, 0, &cursor);
	for (uint32_t at = 0; at < count; at++) {
		const uint64_t *item = items[range->descending ? count - 1 - at : at];

		assert_index(range, at, item);
		nd_range_seek(range, at, &there);
		assert_memory_equal(&cursor, &there, sizeof(cursor));
		assert_memory_equal(cursor.index, item, sizeof(cursor.index));
		if (at + 1 < count) {
			nd_range_next(range, &cursor);
		}
	}
}

/* S4-V6, S4-R96, S4-R106, S4-C2: round trips, in each direction; another order is another map. */
static void round_trips(void **state)
{
	struct nd_range sets[] = { PLAIN(4, 4),    PLAIN(2, 8),       PLAIN(8, 2),
				   PLAIN(4, 2, 2), PLAIN(2, 3, 4, 5), PLAIN(27) };

	(void)state;
	for (uint32_t at = 0; at < sizeof(sets) / sizeof(sets[0]); at++) {
		assert_reference(&sets[at]);
		sets[at].descending = true;
		assert_reference(&sets[at]);
	}
	struct nd_range turned = PLAIN(4, 2, 2);

	turned.order[0] = 2;
	turned.order[2] = 0;
	assert_reference(&turned);
	assert_index(&turned, 1, (uint64_t[]){ 0, 0, 1 });
}

/* S4-R95: one dimension passes through, whatever its size. S4-R99: descending starts at the end. */
static void one_dimension(void **state)
{
	struct nd_range line = PLAIN((uint64_t)1 << 32);

	(void)state;
	assert_index(&line, 0xfedcba98u, (uint64_t[]){ 0xfedcba98u });
	line.descending = true;
	assert_index(&line, 0, (uint64_t[]){ 0xffffffffu });
	line.offset[0] = UINT64_MAX - 0xffffffffu;
	assert_index(&line, 0, (uint64_t[]){ UINT64_MAX });
}

/* S4-V7, S4-R98, S4-C4: rows of 8 and 6 are 14 items, and no hole is among them. */
static void rows_of_eight_and_six(void **state)
{
	const uint64_t rows[] = { 0, 8, 14 };
	struct nd_range range = PLAIN(8, 2);
	struct nd_refusal refusal;
	uint64_t position;

	(void)state;
	range.rows = rows;
	assert_int_equal(nd_range_check(&range, &refusal), GG_OK);
	assert_int_equal(nd_range_check_rows(&range, 0, 2, &refusal), GG_OK);
	assert_int_equal(nd_range_items(&range), 14);
	assert_reference(&range);
	assert_false(nd_range_position(&range, (uint64_t[ND_DIMENSIONS]){ 6, 1 }, &position));
	assert_false(nd_range_position(&range, (uint64_t[ND_DIMENSIONS]){ 8, 0 }, &position));
	assert_false(nd_range_position(&range, (uint64_t[ND_DIMENSIONS]){ 0, 2 }, &position));
}

static uint64_t random_below(uint64_t below)
{
	return (uint64_t)rand() % below;
}

static void random_shape(struct nd_range *range)
{
	uint64_t left = REFERENCE_MOST / 10;

	*range = (struct nd_range){ .descending = random_below(2) != 0 };
	range->dimensions = 1 + (uint32_t)random_below(ND_DIMENSIONS);
	for (uint32_t at = 0; at < range->dimensions; at++) {
		const uint32_t other = (uint32_t)random_below(at + 1);

		range->order[at] = range->order[other];
		range->order[other] = (uint8_t)at;
		range->size[at] = 1 + random_below(left < 12 ? left : 12);
		range->offset[at] = random_below(2) * random_below(1u << 30) << 20;
		left /= range->size[at];
	}
}

/* S4-R97, S4-R98, S4-R99, S4-V6, S4-V7: sets of 1 to 8 dimensions, any order, both directions,
 * with and without rows; some rows are without items. */
static void random_sets(void **state)
{
	static uint64_t rows[REFERENCE_MOST + 1];
	struct nd_refusal refusal;
	struct nd_range range;

	(void)state;
	srand(6);
	for (uint32_t round = 0; round < 1500; round++) {
		random_shape(&range);
		const uint64_t count = nd_range_rows(&range), length = range.size[range.order[0]];

		assert_int_equal(nd_range_check(&range, &refusal), GG_OK);
		if (round % 2 != 0) {
			for (uint64_t row = 0; row < count; row++) {
				rows[row + 1] =
					rows[row] +
					(random_below(3) != 0 ? random_below(length + 1) : 0);
			}
			range.rows = rows;
			if (nd_range_check_rows(&range, 0, count, &refusal) != GG_OK) {
				assert_int_equal(rows[count], 0);
				continue;
			}
		}
		assert_reference(&range);
	}
}

/* S4-R96, S4-R97: a set of nearly 2^63 items; and one of 2^62, whose size comes from the low words alone. */
static void large_sets(void **state)
{
	const struct nd_range range = PLAIN((uint64_t)1 << 32, 2147483629u, 1);
	const struct nd_range low = PLAIN(1u << 31, 1u << 31, 1);
	struct nd_refusal refusal;

	(void)state;
	assert_int_equal(nd_range_check(&low, &refusal), GG_OK);
	assert_true(nd_range_items(&low) == (uint64_t)1 << 62);
	for (uint64_t at = 0; at < 63; at++) {
		const uint64_t position = (nd_range_items(&range) - 1) >> at;
		struct nd_cursor cursor;

		assert_index(&range, position,
			     (uint64_t[]){ (uint32_t)position, position >> 32, 0 });
		nd_range_seek(&range, position / 2, &cursor);
		nd_range_next(&range, &cursor);
		assert_index(&range, position / 2 + 1, cursor.index);
	}
}

static void assert_refused(const struct nd_range *range, enum gg_status status, enum nd_field field,
			   uint64_t at, uint64_t value)
{
	struct nd_refusal refusal;

	assert_int_equal(nd_range_check(range, &refusal), status);
	assert_int_equal(refusal.field, field);
	assert_int_equal(refusal.at, at);
	assert_int_equal(refusal.value, value);
}

/* S4-R35, S4-C3: each bad value is refused with status, field and value (Q4). */
static void refusals(void **state)
{
	const uint64_t large = ND_SIZE_MOST;
	struct nd_range range = PLAIN(4, 0, 2);
	struct nd_refusal refusal;

	(void)state;
	assert_refused(&range, GG_ERR_GRID_ZERO, ND_FIELD_SIZE, 1, 0);
	range = PLAIN(large + 1, 1);
	assert_refused(&range, GG_ERR_GRID_OVERFLOW, ND_FIELD_SIZE, 0, large + 1);
	range = PLAIN(large, large / 2);
	assert_refused(&range, GG_ERR_GRID_OVERFLOW, ND_FIELD_SIZE, 1, large / 2);
	range.size[1] -= 1;
	assert_int_equal(nd_range_check(&range, &refusal), GG_OK);
	range = PLAIN(4, 4);
	range.offset[1] = UINT64_MAX - 2;
	assert_refused(&range, GG_ERR_GRID_OVERFLOW, ND_FIELD_OFFSET, 1, UINT64_MAX - 2);
	range.order[0] = 1;
	assert_refused(&range, GG_ERR_ARGUMENT, ND_FIELD_ORDER, 1, 1);
	range.order[1] = 2;
	assert_refused(&range, GG_ERR_ARGUMENT, ND_FIELD_ORDER, 1, 2);
	range.dimensions = 9;
	assert_refused(&range, GG_ERR_ARGUMENT, ND_FIELD_DIMENSIONS, 0, 9);
	range.dimensions = 0;
	assert_refused(&range, GG_ERR_ARGUMENT, ND_FIELD_DIMENSIONS, 0, 0);
}

/* S4-R98: rows that do not start at 0, shrink, are too long, or hold nothing. */
static void bad_rows(void **state)
{
	/* The last value: which element is refused. */
	static const uint64_t bad[][5] = {
		{ 1, 2, 3, 4, 0 }, { 0, 3, 2, 4, 2 }, { 0, 9, 9, 9, 1 }, { 0, 0, 0, 0, 3 }
	};
	struct nd_range range = PLAIN(8, 3);

	(void)state;
	for (uint32_t set = 0; set < 4; set++) {
		struct nd_refusal refusal;

		range.rows = bad[set];
		assert_int_equal(nd_range_check_rows(&range, 0, 3, &refusal),
				 set == 3 ? GG_ERR_GRID_ZERO : GG_ERR_ARGUMENT);
		assert_int_equal(refusal.field, ND_FIELD_ROWS);
		assert_int_equal(refusal.at, bad[set][4]);
		assert_int_equal(refusal.value, bad[set][refusal.at]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_examples), cmocka_unit_test(round_trips),
		cmocka_unit_test(one_dimension),   cmocka_unit_test(rows_of_eight_and_six),
		cmocka_unit_test(random_sets),     cmocka_unit_test(large_sets),
		cmocka_unit_test(refusals),        cmocka_unit_test(bad_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

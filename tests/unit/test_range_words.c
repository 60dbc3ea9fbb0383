/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor that a host writes for a PULL grid of up to 8 dimensions, what it refuses before it
 * sends it, and the way back of results.
 * sources: host/lib/work/range_words.c host/lib/work/range_shape.c host/lib/core/failure.c host/lib/core/names.c host/lib/api/device/error.c
 * host/lib/api/range.c firmware/pull/nd_range.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/include/ganger_range.h"
#include "host/lib/work/range_words.h"

#define ADDRESS 0x123456780ull
#define MOST    ((uint64_t)1 << 32)

static struct gg_range box(void)
{
	return (struct gg_range){ .dimensions = 3, .sizes = { 4, 4, 2 } };
}

static struct gg_work pulled(const struct gg_range *range)
{
	return (struct gg_work){ .mode = GG_TASK_MODE_PULL, .range = range };
}

static void expect_refused(const struct gg_work *work, enum gg_status status, const char *name,
			   uint64_t value)
{
	struct gg_failure failure;

	assert_int_equal(range_check(work), status);
	assert_int_equal(gg_error_last(&failure), GG_OK);
	assert_int_equal(failure.status, status);
	assert_string_equal(failure.name, name);
	assert_int_equal(failure.value, value);
}

static void expect_bad_range(struct gg_range range, enum gg_status status, const char *name,
			     uint64_t value)
{
	struct gg_work work = pulled(&range);

	expect_refused(&work, status, name, value);
}

/* S4-R35, S4-C2, S4-C3: every number is in its word, and rows follow the descriptor. */
static void descriptor(void **state)
{
	const uint64_t rows[] = { 0, 3, 3, 8 };
	struct gg_range range = {
		.dimensions = 2,
		.descending = 1,
		.sizes = { 3, 5 },
		.offsets = { 7, MOST + 9 },
		.order = { 1, 0 },
		.rows = rows,
		.row_count = 3,
	};
	struct gg_work work = pulled(&range);
	struct {
		struct gg_nd_range words;
		uint64_t rows[4];
		uint64_t guard;
	} image = { .guard = 0x55 };

	(void)state;
	assert_int_equal(range_check(&work), GG_OK);
	assert_int_equal(range_bytes(&work), offsetof(__typeof__(image), guard));
	range_write(&work, &image, ADDRESS);
	assert_int_equal(image.words.shape, 2u | GG_ND_RANGE_DESCENDING);
	assert_int_equal(image.words.order, 0x01u);
	assert_int_equal(image.words.rows_lo, (uint32_t)(ADDRESS + sizeof(image.words)));
	assert_int_equal(image.words.rows_hi, 1);
	assert_memory_equal(image.words.sizes, ((uint32_t[16]){ 3, 0, 5 }), 64);
	assert_memory_equal(image.words.offsets, ((uint32_t[16]){ 7, 0, 9, 1 }), 64);
	assert_memory_equal(image.rows, rows, sizeof(rows));
	assert_int_equal(image.guard, 0x55);
}

/* S4-C2: without an order it is 0, 1, 2, …; the largest size has its high word; no rows, no address. */
static void plain_order(void **state)
{
	struct gg_range range = { .dimensions = 8, .sizes = { 1, 1, 1, 1, 1, 1, 1, MOST } };
	struct gg_work work = pulled(&range);
	struct gg_nd_range words;

	(void)state;
	assert_int_equal(range_check(&work), GG_OK);
	assert_int_equal(range_bytes(&work), sizeof(words));
	range_write(&work, &words, ADDRESS);
	assert_int_equal(words.order, 0x76543210u);
	assert_int_equal(words.shape, 8);
	assert_int_equal(words.rows_lo | words.rows_hi, 0);
	assert_int_equal(words.sizes[14], 0);
	assert_int_equal(words.sizes[15], 1);
}

/* S4-R95, S4-R97: zeros, overflows and orders, each with its field and value. */
static void bad_shapes(void **state)
{
	struct gg_range range = box();

	(void)state;
	range.dimensions = 0;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.dimensions", 0);
	range.dimensions = 9;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.dimensions", 9);
	range = box();
	range.descending = 2;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.descending", 2);
	range = box();
	range.order[1] = range.order[2] = 2;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.order", 2);
	range.order[1] = 257; /* Not cut to a byte. */
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.order", 257);
	range = box();
	range.sizes[1] = 0;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.sizes", 0);
	range.sizes[1] = MOST + 1;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.sizes", MOST + 1);
	range.sizes[1] = range.sizes[2] = MOST;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.sizes", MOST);
	range = box();
	range.offsets[0] = UINT64_MAX - 2;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.offsets", UINT64_MAX - 2);
}

/* S4-R98: rows that are not those of the set. */
static void bad_rows(void **state)
{
	static uint64_t many[GG_RANGE_ROWS_MAX + 2];
	struct gg_range range = { .dimensions = 2, .sizes = { 8, 2 }, .row_count = 2 };

	(void)state;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.rows", 2);
	range.rows = (const uint64_t[]){ 1, 8, 14 };
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.rows", 1);
	range.rows = (const uint64_t[]){ 0, 9, 14 };
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.rows", 9);
	range.rows = (const uint64_t[]){ 0, 8, 7 };
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.rows", 7);
	range.rows = (const uint64_t[]){ 0, 0, 0 };
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.rows", 0);
	range.row_count = 3;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.rows", 3);
	range.sizes[1] = range.row_count = GG_RANGE_ROWS_MAX + 1;
	range.rows = many;
	many[GG_RANGE_ROWS_MAX + 1] = 1;
	expect_bad_range(range, GG_ERR_RANGE, "nd_range.rows", GG_RANGE_ROWS_MAX + 1);
}

/* S4-R57, S4-R95: what chunks and ranges go with, and the largest chunk. */
static void company(void **state)
{
	const struct gg_range range = box();
	struct gg_work work = pulled(&range);

	(void)state;
	work.chunk = 32;
	assert_int_equal(range_check(&work), GG_OK);
	work.chunk = 33;
	expect_refused(&work, GG_ERR_CHUNK, "tmd.chunk", 33);
	work.chunk = 0;
	work.grid[2] = 2;
	expect_refused(&work, GG_ERR_ARGUMENT, "grid", 2);
	work.grid[2] = 1;
	work.cluster[0] = 3;
	expect_refused(&work, GG_ERR_CLUSTER, "tmd.cluster_x", 3);
	work.cluster[0] = 0;
	work.type = GG_TASK_TYPE_QUEUE;
	expect_refused(&work, GG_ERR_TMD_TYPE, "tmd.type", GG_TASK_TYPE_QUEUE);
	work.mode = GG_TASK_MODE_DEVICE;
	expect_refused(&work, GG_ERR_MODE, "tmd.mode", GG_TASK_MODE_DEVICE);
	work = (struct gg_work){ .mode = GG_TASK_MODE_PULL, .grid = { 5, 4, 3 }, .chunk = 60 };
	assert_int_equal(range_check(&work), GG_OK);
	assert_int_equal(range_bytes(&work), 0);
	work.chunk = 61;
	expect_refused(&work, GG_ERR_CHUNK, "tmd.chunk", 61);
	work.mode = GG_TASK_MODE_LOAD_BALANCING;
	work.chunk = 1;
	expect_refused(&work, GG_ERR_CHUNK, "tmd.chunk", 1);
	work.chunk = 0;
	assert_int_equal(range_check(&work), GG_OK);
}

/* S4-R100, S4-R106, S4-V6: item 22 of 4 x 4 x 2, there and back; what is outside is refused. */
static void positions(void **state)
{
	const struct gg_range range = box();
	uint64_t index[GG_RANGE_DIMENSIONS], position = 0, items = 0;

	(void)state;
	assert_int_equal(gg_range_items(&range, &items), GG_OK);
	assert_int_equal(items, 32);
	assert_int_equal(gg_range_index(&range, 22, index), GG_OK);
	assert_memory_equal(index, ((uint64_t[]){ 2, 1, 1 }), 24);
	assert_int_equal(gg_range_position(&range, index, &position), GG_OK);
	assert_int_equal(position, 22);
	assert_int_equal(gg_range_index(&range, 32, index), GG_ERR_ARGUMENT);
	index[0] = 4;
	assert_int_equal(gg_range_position(&range, index, &position), GG_ERR_ARGUMENT);
}

/* S4-R105, S4-R107, S4-R109, S4-R110, S4-C7: parts in any order; two results an item; what rows leave
 * out is not written. */
static void recomposition(void **state)
{
	const uint64_t rows[] = { 0, 2, 3 };
	const struct gg_range range = {
		.dimensions = 2, .sizes = { 2, 2 }, .order = { 1, 0 }, .rows = rows, .row_count = 2
	};
	char grid[] = "........";

	(void)state;
	assert_int_equal(gg_range_recompose(&range, 1, 2, "BbCc", 2, grid, 8), GG_OK);
	assert_string_equal(grid, "..CcBb..");
	assert_int_equal(gg_range_recompose(&range, 0, 1, "Aa", 2, grid, 8), GG_OK);
	assert_string_equal(grid, "AaCcBb..");
	assert_int_equal(gg_range_recompose(&range, 3, 0, "", 2, grid, 8), GG_OK);
	assert_int_equal(gg_range_recompose(&range, 4, 0, "", 2, grid, 8), GG_ERR_ARGUMENT);
	assert_int_equal(gg_range_recompose(&range, 2, 2, "XxYy", 2, grid, 8), GG_ERR_ARGUMENT);
	assert_int_equal(gg_range_recompose(&range, 0, 1, "Xx", 2, grid, 9), GG_ERR_ARGUMENT);
	assert_int_equal(gg_range_recompose(&range, 0, 1, "Xx", 2, grid, 6), GG_ERR_ARGUMENT);
	assert_int_equal(gg_range_recompose(&range, 0, 1, "Xx", 0, grid, 8), GG_ERR_ARGUMENT);
	assert_string_equal(grid, "AaCcBb..");
}

/* S4-R98: rows that nobody checked cost no memory: the output is never left. */
static void wrong_rows_stay_inside(void **state)
{
	const uint64_t rows[] = { 0, 3, 4 };
	const struct gg_range range = {
		.dimensions = 2, .sizes = { 2, 2 }, .rows = rows, .row_count = 2
	};
	char grid[] = "....";

	(void)state;
	assert_int_equal(gg_range_recompose(&range, 0, 4, "ABCD", 1, grid, 4), GG_ERR_RANGE);
	assert_string_equal(grid, "AB..");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptor),    cmocka_unit_test(plain_order),
		cmocka_unit_test(bad_shapes),    cmocka_unit_test(bad_rows),
		cmocka_unit_test(company),       cmocka_unit_test(positions),
		cmocka_unit_test(recomposition), cmocka_unit_test(wrong_rows_stay_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

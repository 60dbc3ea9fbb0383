/* SPDX-License-Identifier: Apache-2.0 */
/* What a TMD of a PULL grid may say, and how it is refused.
 * sources: room:accept device tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/tmd.h"
#include "firmware/cp/pull/nd_check.h"
#include "firmware/cp/pull/pull.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

/* What is refused was never accepted: it is not a task that has failed. */
static void expect_refused(const struct gg_tmd *tmd, enum gg_status status, uint32_t field,
			   uint64_t value)
{
	const struct task_name name = { .address = fake_run(1, tmd) };
	const struct gg_completion done = fake_expect(1, status);
	struct task *task = task_take();

	assert_int_equal(done.field, field);
	assert_int_equal(gg_join(done.value_lo, done.value_hi), value);
	assert_false(tmd_take(task, name));
	task_give(task);
}

/* An N-D range in the heap, of 8 x 6 x 4 items, x fastest. */
static struct gg_nd_range *put_range(struct gg_tmd *tmd)
{
	const uint64_t address = fake_alloc(sizeof(struct gg_nd_range));
	struct gg_nd_range *range = fake_at(address);

	*tmd = fake_own(fake_pull_grid(1, 0));
	tmd->queue_lo = gg_low(address);
	*range = (struct gg_nd_range){ .shape = 3, .order = 0x210 };
	range->sizes[0] = 8;
	range->sizes[2] = 6;
	range->sizes[4] = 4;
	return range;
}

/* S4-R57, R60: a chunk is at most the grid, and at most what can be taken at once. */
static void chunks(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	struct gg_tmd tmd = fake_pull_grid(100, 101);

	expect_refused(&tmd, GG_ERR_CHUNK, GG_FIELD_TMD_CHUNK, 101);
	tmd = fake_pull_grid(4000000, CHUNK_MOST + 1);
	expect_refused(&tmd, GG_ERR_CHUNK, GG_FIELD_TMD_CHUNK, CHUNK_MOST + 1);
	tmd = fake_tmd(100);
	tmd.chunk = 1;
	expect_refused(&tmd, GG_ERR_CHUNK, GG_FIELD_TMD_CHUNK, 1);
	tmd = fake_pull_grid(100, 100);
	fake_run(2, &tmd);
	fake_pull_finish();
	fake_expect(2, GG_OK);
}

/* A PULL grid has no order, no quota, no throttle mode; CGAs and queues are not pulled. */
static void modes(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	struct gg_tmd tmd = fake_pull_grid(100, 0);

	tmd.header |= GG_TMD_SEQUENTIAL;
	expect_refused(&tmd, GG_ERR_MODE, GG_FIELD_TMD_SEQUENTIAL, 1);
	tmd = fake_pull_grid(100, 0);
	tmd.header |= GG_TMD_THROTTLE;
	expect_refused(&tmd, GG_ERR_MODE, GG_FIELD_TMD_THROTTLE, 1);
	tmd = fake_pull_grid(100, 0);
	tmd.header |= GG_TMD_QUOTA_ENABLE;
	tmd.quota = 4;
	expect_refused(&tmd, GG_ERR_MODE, GG_FIELD_TMD_QUOTA_ENABLE, 1);
	tmd.args_lo = 1; /* what comes first of two is told */
	tmd.args_bytes = 16;
	expect_refused(&tmd, GG_ERR_MODE, GG_FIELD_TMD_QUOTA_ENABLE, 1);
	tmd = fake_with_mode(fake_queue(8, 1), GG_TASK_MODE_PULL);
	expect_refused(&tmd, GG_ERR_MODE, GG_FIELD_TMD_MODE, 3);
	tmd = fake_with_type(fake_pull_grid(8, 0), GG_TASK_TYPE_GPC_CGA);
	expect_refused(&tmd, GG_ERR_MODE, GG_FIELD_TMD_MODE, 3);
}

/* S4-R35, R95, R96: the number of items is that of the range. */
static void a_range_says_how_many(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	struct gg_tmd tmd;

	put_range(&tmd)->offsets[0] = UINT32_MAX; /* indices may be larger */
	tmd.chunk = 192;
	fake_run(1, &tmd);
	fake_pull_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 192);
	fake_pull_expect_once(192);
	tmd.chunk = 193;
	expect_refused(&tmd, GG_ERR_CHUNK, GG_FIELD_TMD_CHUNK, 193);
}

/* S4-R98: rows of 8 and 6 are 14 items. */
static void rows_of_their_own_length(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	struct gg_tmd tmd;
	struct gg_nd_range *range = put_range(&tmd);
	const uint64_t address = fake_alloc(24);
	uint64_t *rows = fake_at(address);

	range->shape = 2;
	range->order = 0x10;
	range->sizes[2] = 2;
	range->rows_lo = gg_low(address);
	rows[1] = 8;
	rows[2] = 14;
	fake_run(1, &tmd);
	fake_pull_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 14);
	rows[2] = 17; /* longer than 8 */
	expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_ND_RANGE_ROWS, 17);
	rows[0] = 1;
	expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_ND_RANGE_ROWS, 1);
	memset(rows, 0, 24); /* no item at all */
	fake_run(1, &tmd);
	assert_int_equal(fake_expect(1, GG_ERR_RANGE).field, GG_FIELD_ND_RANGE_ROWS);
	range->rows_lo += 4;
	expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_ND_RANGE_ROWS, address + 4);
	range->rows_lo = FAKE_HEAP + FAKE_HEAP_SIZE - 16; /* three do not fit */
	expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_ND_RANGE_ROWS, range->rows_lo);
	range->rows_hi = 0xffffffffu;
	range->rows_lo = 0xfffffff8u;
	expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_ND_RANGE_ROWS, UINT64_MAX - 7);
}

/* S4-R98: of up to ND_CHECK_ROWS rows each is checked, of more as many at both ends. */
static void many_rows(void **state)
{
	static const struct {
		uint32_t rows, wrong;
	} cases[] = {
		{ ND_CHECK_ROWS - 1, ND_CHECK_ROWS / 2 - 1 },
		{ ND_CHECK_ROWS, 0 },
		{ ND_CHECK_ROWS, ND_CHECK_ROWS / 2 - 1 },
		{ ND_CHECK_ROWS, ND_CHECK_ROWS / 2 },
		{ ND_CHECK_ROWS, ND_CHECK_ROWS - 1 },
		{ ND_CHECK_ROWS + 900, ND_CHECK_ROWS / 2 - 1 },
		{ ND_CHECK_ROWS + 900, ND_CHECK_ROWS / 2 + 900 },
		{ ND_CHECK_ROWS + 900, ND_CHECK_ROWS + 899 },
	};

	(void)state;
	for (uint32_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		fake_pull_init(2, true);
		const uint32_t count = cases[at].rows, wrong = cases[at].wrong;
		const uint64_t address = fake_alloc((count + 1) * 8);
		uint64_t *rows = fake_at(address);
		struct gg_tmd tmd;
		struct gg_nd_range *range = put_range(&tmd);

		range->shape = 2;
		range->order = 0x10;
		range->sizes[2] = count;
		range->rows_lo = gg_low(address);
		for (uint32_t row = 0; row <= count; row++) {
			rows[row] = 8 * row + (row > wrong ? 1 : 0);
		}
		expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_ND_RANGE_ROWS, rows[wrong + 1]);
	}
}

/* S4-R35: each field of a range, and where it is. */
static void bad_ranges(void **state)
{
	(void)state;
	static const struct {
		uint32_t word; /* of the range */
		uint32_t value;
		uint32_t field;
		uint64_t shown;
	} bad[] = {
		{ 0, 0, GG_FIELD_ND_RANGE_DIMENSIONS, 0 },
		{ 0, 9, GG_FIELD_ND_RANGE_DIMENSIONS, 9 },
		{ 0, 3 | 1u << 5, GG_FIELD_ND_RANGE_RANGE_RESERVED, 1 },
		{ 1, 0x220, GG_FIELD_ND_RANGE_ORDER, 2 },
		{ 1, 0x310, GG_FIELD_ND_RANGE_ORDER, 3 },
		{ 1, 0x3210, GG_FIELD_ND_RANGE_ORDER, 0x3210 },
		{ 4, 0, GG_FIELD_ND_RANGE_SIZES, 0 },
		{ 5, 1, GG_FIELD_ND_RANGE_SIZES, (uint64_t)1 << 32 | 8 },
		{ 21, 0xffffffffu, GG_FIELD_ND_RANGE_OFFSETS, 0 },
	};

	fake_pull_init(2, true);
	for (uint32_t at = 0; at < sizeof(bad) / sizeof(bad[0]); at++) {
		struct gg_tmd tmd;
		struct gg_nd_range *range = put_range(&tmd);

		((uint32_t *)range)[bad[at].word] = bad[at].value;
		if (bad[at].word == 21) {
			range->offsets[0] = 0xffffffffu; /* an index without 64 bits */
			fake_run(1, &tmd);
			assert_int_equal(fake_expect(1, GG_ERR_RANGE).field, bad[at].field);
			continue;
		}
		expect_refused(&tmd, GG_ERR_RANGE, bad[at].field, bad[at].shown);
	}
}

/* The range is in the heap; the grid is one CTA then; granules stay small enough for a packet. */
static void where_and_how_large(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	struct gg_tmd tmd;
	struct gg_nd_range *range = put_range(&tmd);

	tmd.grid_x = 2;
	expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_TMD_GRID_X, 2);
	tmd.grid_x = 1;
	range->sizes[0] = 1u << 30;
	range->sizes[2] = 1u << 18;
	expect_refused(&tmd, GG_ERR_GRID_OVERFLOW, GG_FIELD_ND_RANGE_SIZES, PULL_GRID_MOST);
	tmd.queue_lo += 2;
	expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_TMD_QUEUE, tmd.queue_lo);
	tmd.queue_lo = FAKE_HEAP + FAKE_HEAP_SIZE - 140;
	expect_refused(&tmd, GG_ERR_RANGE, GG_FIELD_TMD_QUEUE, tmd.queue_lo);
	tmd.queue_lo = 0;
	tmd.queue_items = 2; /* more CTAs than there are */
	expect_refused(&tmd, GG_ERR_RESUME, GG_FIELD_TMD_QUEUE_ITEMS, 2);
}

/* CONFIG, part PULL: what is refused changes nothing. */
static void settings(void **state)
{
	(void)state;
	fake_pull_init(2, true);
	device.config->local_low = 1001;
	assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_ERR_CONFIG);
	device.config->local_low = 1000;
	device.config->latency[31] = 0x80000000u;
	assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_ERR_CONFIG);
	device.config->latency[31] = 0x7fffffffu;
	device.config->chunk_us = 7;
	assert_int_equal(fake_config(GG_CONFIG_PART_PULL), GG_OK);
	const struct gg_tmd tmd = fake_pull_grid(1000, 0);

	fake_run(1, &tmd);
	assert_int_equal(device.work[0].target_ticks, 7 * FAKE_US);
	assert_int_equal(device.work[0].units, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks),
		cmocka_unit_test(modes),
		cmocka_unit_test(a_range_says_how_many),
		cmocka_unit_test(rows_of_their_own_length),
		cmocka_unit_test(many_rows),
		cmocka_unit_test(bad_ranges),
		cmocka_unit_test(where_and_how_large),
		cmocka_unit_test(settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

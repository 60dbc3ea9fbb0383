/* SPDX-License-Identifier: Apache-2.0 */
/* What a task names of memory beside its own: windows, the buffer of its prints, offsets of its ids.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/collect/print.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define RW  (GG_WINDOW_READ | GG_WINDOW_WRITE)
#define END (FAKE_HEAP + FAKE_HEAP_SIZE)

static struct gg_window window_of(uint64_t base, uint32_t bytes, uint32_t rights)
{
	return (struct gg_window){ .base_lo = gg_low(base),
				   .base_hi = gg_high(base),
				   .bytes_lo = bytes,
				   .rights = rights };
}

static struct gg_tmd with_windows(const struct gg_window *windows, uint32_t count)
{
	struct gg_tmd tmd = fake_own(fake_tmd(1));

	tmd.windows_lo = gg_low(fake_alloc(count * sizeof(windows[0])));
	tmd.window_count = count;
	memcpy(fake_at(tmd.windows_lo), windows, count * sizeof(windows[0]));
	return tmd;
}

static struct gg_tmd with_window(struct gg_window window)
{
	return with_windows(&window, 1);
}

/* The TMD is refused, with this field and value; or it is accepted and ends. */
static void expect(const struct gg_tmd *tmd, enum gg_status status, enum gg_field field,
		   uint64_t value)
{
	fake_run(1, tmd);
	if (status == GG_OK) {
		fake_finish();
	}
	const struct gg_completion done = fake_expect(1, status);

	assert_int_equal(done.field, status != GG_OK ? field : 0);
	assert_int_equal(gg_join(done.value_lo, done.value_hi), status != GG_OK ? value : 0);
}

/* A window is whole words of device memory that may at least be read; bits without a meaning are zero. */
static void windows(void **state)
{
	static const struct {
		uint64_t base;
		uint32_t bytes, rights;
		enum gg_status status;
		enum gg_field field;
	} cases[] = {
		{ FAKE_HEAP, 4, RW, GG_OK, 0 },
		{ FAKE_HEAP, FAKE_HEAP_SIZE, GG_WINDOW_READ, GG_OK, 0 },
		{ FAKE_HEAP, FAKE_HEAP_SIZE + 4, RW, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE },
		{ FAKE_HEAP - 4, 8, RW, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE },
		{ FAKE_HEAP, 0, RW, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE },
		{ FAKE_HEAP, 4, RW | 1, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE },
		{ FAKE_HEAP + 1, 4, RW, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE },
		{ FAKE_HEAP, 6, RW, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE },
		{ FAKE_HEAP + (1ull << 32), 4, RW, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE },
		{ FAKE_HEAP, 4, GG_WINDOW_WRITE, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_READ },
		{ FAKE_HEAP, 4, RW | 1u << 18, GG_ERR_WINDOW_RANGE,
		  GG_FIELD_WINDOW_WINDOW_RESERVED },
		{ FAKE_HEAP, 4, RW | 1u << 31, GG_ERR_WINDOW_RANGE,
		  GG_FIELD_WINDOW_WINDOW_RESERVED },
	};

	(void)state;
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		fake_device_init(1);
		const struct gg_tmd tmd = with_window(
			window_of(cases[index].base, cases[index].bytes, cases[index].rights));

		expect(&tmd, cases[index].status, cases[index].field,
		       cases[index].field == GG_FIELD_WINDOW_READ              ? 0
		       : cases[index].field == GG_FIELD_WINDOW_WINDOW_RESERVED ? cases[index].rights
									       : cases[index].base);
	}
}

/* The list of windows lies in device memory, has at most as many as fit, and none without a count. */
static void lists_of_windows(void **state)
{
	struct gg_tmd tmd;

	(void)state;
	fake_device_init(1);
	tmd = with_window(window_of(FAKE_HEAP, 4, RW));
	tmd.window_count = 0;
	expect(&tmd, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOWS, tmd.windows_lo);
	tmd.window_count = TASK_WINDOWS + 1;
	expect(&tmd, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOW_COUNT, TASK_WINDOWS + 1);
	tmd.window_count = 2; /* the second one is all zero: no bytes */
	expect(&tmd, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE, 0);
	tmd.print_lo = END; /* what is wrong first is told */
	expect(&tmd, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE, 0);
	tmd.print_lo = 0;
	tmd.window_count = 1;
	tmd.windows_lo += 2;
	expect(&tmd, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOWS, tmd.windows_lo);
	tmd.windows_lo = END - 12;
	expect(&tmd, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOWS, tmd.windows_lo);
}

/* A task may have each number of windows up to the most, of which the last one counts, too. */
static void as_many_windows_as_fit(void **state)
{
	struct gg_window all[TASK_WINDOWS];

	(void)state;
	for (uint32_t count = 1; count <= TASK_WINDOWS; count++) {
		fake_device_init(1);
		for (uint32_t index = 0; index < count; index++) {
			all[index] = window_of(FAKE_HEAP + 4 * index, 4, RW);
		}
		struct gg_tmd tmd = with_windows(all, count);

		expect(&tmd, GG_OK, 0, 0);
		all[count - 1].base_lo++;
		tmd = with_windows(all, count);
		expect(&tmd, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE, all[count - 1].base_lo);
	}
}

/* What a kernel launches may have windows inside one of those of its parent, whichever, with no more rights than that one. */
static void windows_of_children(void **state)
{
	static const struct {
		uint32_t first, bytes, rights;
		enum gg_status status;
	} cases[] = {
		{ 0x100, 0x40, GG_WINDOW_READ, GG_OK },
		{ 0x104, 0x3c, GG_WINDOW_READ, GG_OK },
		{ 0x100, 0x44, GG_WINDOW_READ, GG_ERR_CONTEXT },
		{ 0x104, 0x40, GG_WINDOW_READ, GG_ERR_CONTEXT },
		{ 0xfc, 0x40, GG_WINDOW_READ, GG_ERR_CONTEXT },
		{ 0x100, 0x40, RW, GG_ERR_CONTEXT },
		{ 0x00, 0x40, RW, GG_OK },
		{ 0x80, 0x20, GG_WINDOW_READ, GG_ERR_CONTEXT },
		{ 0x00, 0x140, GG_WINDOW_READ, GG_ERR_CONTEXT },
	};
	const struct gg_window parents[] = { window_of(FAKE_HEAP, 0x40, RW),
					     window_of(FAKE_HEAP + 0x100, 0x40, GG_WINDOW_READ) };

	(void)state;
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		fake_device_init(1);
		const struct gg_tmd parent = with_windows(parents, 2);
		const struct gg_tmd child = with_window(window_of(
			FAKE_HEAP + cases[index].first, cases[index].bytes, cases[index].rights));

		fake_run(1, &parent);
		assert_int_equal(fake_take_all(), 1);
		assert_int_equal(fake_launch(0, fake_put_tmd(&child)), cases[index].status);
		fake_finish();
		fake_expect(1, GG_OK);
	}
}

/* The buffer of prints: whole words of device memory, one more for the count; not of a task that a kernel launches. */
static void print_buffers(void **state)
{
	struct gg_tmd tmd = fake_own(fake_tmd(1));

	(void)state;
	fake_device_init(1);
	tmd.print_bytes = 16;
	tmd.print_lo = END - 20;
	expect(&tmd, GG_OK, 0, 0);
	tmd.print_lo = END - 16;
	expect(&tmd, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRINT, tmd.print_lo);
	tmd.print_lo = END - 30;
	expect(&tmd, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRINT, tmd.print_lo);
	tmd.print_lo = END - 64;
	tmd.print_bytes = 18;
	expect(&tmd, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRINT, tmd.print_lo);
	tmd.print_lo = 0;
	expect(&tmd, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRINT, 0);
	tmd.print_lo = END - 64;
	tmd.print_bytes = 16;
	const struct gg_tmd parent = fake_own(fake_tmd(1));

	fake_run(1, &parent);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_launch(0, fake_put_tmd(&tmd)), GG_ERR_ARGUMENT);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* Prints are appended while there is room, and counted; those of a child are its parent's. */
static void prints_are_appended(void **state)
{
	static const uint32_t words[] = { 11, 22, 33, 44 };
	struct gg_tmd tmd = fake_own(fake_tmd(1));

	(void)state;
	fake_device_init(1);
	const uint64_t buffer = fake_alloc(64);
	const uint32_t *seen = fake_at(buffer);
	struct task child = { 0 };

	tmd.print_lo = gg_low(buffer);
	tmd.print_bytes = 20;
	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 1);
	struct task *task = task_table_holder(fake_ctas[0].slot);

	child.source.parent = task;
	assert_int_equal(print_append(task, words, 8), GG_OK);
	assert_int_equal(print_append(&child, &words[2], 8), GG_OK);
	assert_int_equal(print_append(task, words, 6), GG_ERR_ARGUMENT);
	assert_int_equal(print_append(task, words, 8), GG_ERR_PRINT_FLOOD);
	task->tmd.header |= GG_TMD_CUT_PRINTS;
	assert_int_equal(print_append(task, words, 8), GG_ERR_NO_MEMORY);
	assert_int_equal(seen[0], 16);
	assert_memory_equal(&seen[1], words, 16);
	assert_int_equal(print_append(task, words, 4), GG_OK);
	assert_int_equal(seen[0], 20);
	assert_int_equal(seen[5], 11);
	assert_int_equal(seen[6], 0);
	task->tmd.print_bytes = 0;
	assert_int_equal(print_append(task, words, 4), GG_OK); /* and goes nowhere */
	assert_int_equal(seen[0], 20);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* The largest global id of each axis is a number of the kernel's; a last CTA of its own size is smaller than the others. */
static void offsets_of_ids(void **state)
{
	struct gg_tmd tmd = fake_own(fake_tmd(4));

	(void)state;
	fake_device_init(1);
	device.size_max = UINT32_MAX;
	tmd.block_xy = 8 | 2u << 16;
	tmd.block_z = 2;
	tmd.queue_capacity = UINT32_MAX - 32;
	tmd.queue_item_bytes = UINT32_MAX - 2;
	tmd.queue_outstanding = UINT32_MAX - 2;
	expect(&tmd, GG_OK, 0, 0);
	tmd.queue_outstanding++;
	expect(&tmd, GG_ERR_GRID_OVERFLOW, GG_FIELD_TMD_QUEUE_OUTSTANDING, UINT32_MAX - 1);
	tmd.queue_item_bytes++;
	expect(&tmd, GG_ERR_GRID_OVERFLOW, GG_FIELD_TMD_QUEUE_ITEM_BYTES, UINT32_MAX - 1);
	tmd.queue_capacity++;
	expect(&tmd, GG_ERR_GRID_OVERFLOW, GG_FIELD_TMD_QUEUE_CAPACITY, UINT32_MAX - 31);
	tmd.queue_capacity = tmd.queue_item_bytes = tmd.queue_outstanding = 0;
	tmd.coalesce_us = 7 | 1u << GG_EDGE_BITS | 1u << 2 * GG_EDGE_BITS;
	expect(&tmd, GG_OK, 0, 0);
	for (uint32_t axis = 0; axis < 3; axis++) {
		tmd.coalesce_us = (axis == 0 ? 8u : 2u) << axis * GG_EDGE_BITS;
		expect(&tmd, GG_ERR_ARGUMENT, GG_FIELD_TMD_COALESCE_US, tmd.coalesce_us);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows),
		cmocka_unit_test(lists_of_windows),
		cmocka_unit_test(as_many_windows_as_fit),
		cmocka_unit_test(windows_of_children),
		cmocka_unit_test(print_buffers),
		cmocka_unit_test(prints_are_appended),
		cmocka_unit_test(offsets_of_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* TMDs: every refusal names its field and value, and changes nothing.
 * sources: room:accept device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/abi/tmd_words.h"
#include "firmware/cp/accept/tmd.h"
#include "tests/unit/fake_device.h"

#define WORD(name) (offsetof(struct gg_tmd, name) / 4)

/* A word of a good TMD is replaced; the refusal is this. */
struct damage {
	uint32_t word;
	uint32_t value;
	enum gg_status status;
	uint32_t field;
	uint64_t shown;
};

static const struct damage damages[] = {
	{ WORD(header), 2u | 5u << 16, GG_ERR_TMD_VERSION, GG_FIELD_TMD_VERSION, 2 },
	{ WORD(header), 1u | 9u << 8 | 5u << 16, GG_ERR_TMD_TYPE, GG_FIELD_TMD_TYPE, 9 },
	{ WORD(header), 1u | 8u << 8 | 5u << 16, GG_ERR_TMD_TYPE, GG_FIELD_TMD_TYPE, 8 },
	{ WORD(header), 1u | 1u << 8 | 5u << 16, GG_ERR_QUEUE, GG_FIELD_TMD_QUEUE_CAPACITY, 0 },
	{ WORD(header), 1u, GG_ERR_PRIORITY, GG_FIELD_TMD_PRIORITY, 0 },
	{ WORD(header), 1u | 11u << 16, GG_ERR_PRIORITY, GG_FIELD_TMD_PRIORITY, 11 },
	{ WORD(header), 1u | 7u << 12 | 5u << 16, GG_ERR_MODE, GG_FIELD_TMD_MODE, 7 },
	{ WORD(header), 1u | 2u << 12 | 5u << 16, GG_ERR_MODE, GG_FIELD_TMD_MODE, 2 },
	{ WORD(header), 1u | 5u << 16 | GG_TMD_QUOTA_ENABLE, GG_ERR_ARGUMENT, GG_FIELD_TMD_QUOTA,
	  0 },
	{ WORD(header), 1u | 5u << 16 | 1u << 30, GG_ERR_TMD_RESERVED, GG_FIELD_TMD_RESERVED, 4 },
	{ WORD(header), 1u | 5u << 16 | GG_TMD_CLOSED, GG_ERR_QUEUE, GG_FIELD_TMD_CLOSED, 1 },
	{ WORD(generation), 3, GG_ERR_GENERATION, GG_FIELD_TMD_GENERATION, 3 },
	{ WORD(entry_lo), FAKE_HEAP - 2, GG_ERR_ENTRY, GG_FIELD_TMD_ENTRY, FAKE_HEAP - 2 },
	{ WORD(entry_lo), FAKE_HEAP + 4096, GG_ERR_ENTRY, GG_FIELD_TMD_ENTRY, FAKE_HEAP + 4096 },
	{ WORD(entry_lo), FAKE_HEAP + 1, GG_ERR_ENTRY, GG_FIELD_TMD_ENTRY, FAKE_HEAP + 1 },
	{ WORD(entry_hi), 1, GG_ERR_ENTRY, GG_FIELD_TMD_ENTRY, 0x100000000u + FAKE_HEAP },
	{ WORD(code_bytes), 0, GG_ERR_CODE_RANGE, GG_FIELD_TMD_CODE, FAKE_HEAP },
	{ WORD(code_bytes), FAKE_HEAP_SIZE + 4, GG_ERR_CODE_RANGE, GG_FIELD_TMD_CODE, FAKE_HEAP },
	{ WORD(code_bytes), 4098, GG_ERR_CODE_RANGE, GG_FIELD_TMD_CODE, FAKE_HEAP },
	{ WORD(code_lo), FAKE_HEAP - 4096, GG_ERR_CODE_RANGE, GG_FIELD_TMD_CODE, FAKE_HEAP - 4096 },
	{ WORD(code_hi), 0xffffffff, GG_ERR_CODE_RANGE, GG_FIELD_TMD_CODE,
	  0xffffffff00000000u + FAKE_HEAP },
	{ WORD(args_bytes), 8, GG_ERR_ARGS_RANGE, GG_FIELD_TMD_ARGS, 0 },
	{ WORD(grid_x), 0, GG_ERR_GRID_ZERO, GG_FIELD_TMD_GRID_X, 0 },
	{ WORD(grid_yz), 0x00010000, GG_ERR_GRID_ZERO, GG_FIELD_TMD_GRID_Y, 0 },
	{ WORD(grid_yz), 0x00000001, GG_ERR_GRID_ZERO, GG_FIELD_TMD_GRID_Z, 0 },
	{ WORD(block_xy), 0x00010000, GG_ERR_BLOCK_ZERO, GG_FIELD_TMD_BLOCK_X, 0 },
	{ WORD(block_xy), 0x00000001, GG_ERR_BLOCK_ZERO, GG_FIELD_TMD_BLOCK_Y, 0 },
	{ WORD(block_z), 0, GG_ERR_BLOCK_ZERO, GG_FIELD_TMD_BLOCK_Z, 0 },
	{ WORD(block_xy), 0x00010000 | 1025, GG_ERR_BLOCK_TOO_LARGE, GG_FIELD_TMD_BLOCK_X, 1025 },
	{ WORD(block_xy), 0xffffffff, GG_ERR_BLOCK_TOO_LARGE, GG_FIELD_TMD_BLOCK_X, 0xfffe0001u },
	{ WORD(block_z), 0x00040001, GG_ERR_TMD_RESERVED, GG_FIELD_TMD_BLOCK_RESERVED, 1 },
	{ WORD(cluster_xy), 2, GG_ERR_CLUSTER, GG_FIELD_TMD_CLUSTER_X, 2 },
	{ WORD(cluster_xy), 3u << 16, GG_ERR_CLUSTER, GG_FIELD_TMD_CLUSTER_Y, 3 },
	{ WORD(cluster_z), 4, GG_ERR_CLUSTER, GG_FIELD_TMD_CLUSTER_Z, 4 },
	{ WORD(cluster_z), 1u << 16, GG_ERR_CLUSTER, GG_FIELD_TMD_CLUSTER_DOMAIN, 1 },
	{ WORD(cluster_z), 1u << 18, GG_ERR_TMD_RESERVED, GG_FIELD_TMD_CLUSTER_RESERVED, 1 },
	{ WORD(queue_items), 5, GG_ERR_RESUME, GG_FIELD_TMD_QUEUE_ITEMS, 5 },
	{ WORD(queue_items), 5u << 16, GG_ERR_RESUME, GG_FIELD_TMD_QUEUE_ITEMS, 5u << 16 },
	{ WORD(shared_bytes), 65537, GG_ERR_SHARED_TOO_LARGE, GG_FIELD_TMD_SHARED_BYTES, 65537 },
	{ WORD(private_bytes), 0, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRIVATE_BYTES, 0 },
	{ WORD(private_bytes), 24, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRIVATE_BYTES, 24 },
	{ WORD(private_bytes), 2097168, GG_ERR_PRIVATE_TOO_LARGE, GG_FIELD_TMD_PRIVATE_BYTES,
	  2097168 },
	{ WORD(gpc_mask), 2, GG_ERR_AFFINITY, GG_FIELD_TMD_GPC_MASK, 2 },
	{ WORD(affinity_lo), 64, GG_ERR_AFFINITY, GG_FIELD_TMD_AFFINITY, 64 },
	{ WORD(affinity_hi), 1, GG_ERR_AFFINITY, GG_FIELD_TMD_AFFINITY, 0x100000000u },
	{ WORD(quota), 1, GG_ERR_ARGUMENT, GG_FIELD_TMD_QUOTA, 1 },
	{ WORD(retry_limit), 16, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_RETRY_LIMIT, 16 },
	{ WORD(chunk), 1, GG_ERR_CHUNK, GG_FIELD_TMD_CHUNK, 1 },
	{ WORD(queue_lo), 1, GG_ERR_QUEUE, GG_FIELD_TMD_QUEUE, 1 },
	{ WORD(queue_hi), 1, GG_ERR_QUEUE, GG_FIELD_TMD_QUEUE, 0x100000000u },
	{ WORD(coalesce_us), 1, GG_ERR_ARGUMENT, GG_FIELD_TMD_COALESCE_US, 1 },
	{ WORD(coalesce_us), 1 << 10, GG_ERR_ARGUMENT, GG_FIELD_TMD_COALESCE_US, 1 << 10 },
	{ WORD(coalesce_us), 1 << 20, GG_ERR_ARGUMENT, GG_FIELD_TMD_COALESCE_US, 1 << 20 },
	{ WORD(coalesce_us), 1u << 31, GG_ERR_ARGUMENT, GG_FIELD_TMD_COALESCE_US, 1u << 31 },
	{ WORD(semaphore1_op), 8, GG_ERR_SEMAPHORE, GG_FIELD_TMD_SEMAPHORE1_OP, 8 },
	{ WORD(semaphore0_op), 1, GG_ERR_SEMAPHORE, GG_FIELD_TMD_SEMAPHORE0, 0 },
	{ WORD(resume_lo), 4, GG_ERR_RESUME, GG_FIELD_TMD_RESUME, 4 },
	{ WORD(resume_hi), 1, GG_ERR_RESUME, GG_FIELD_TMD_RESUME, 0x100000000u },
	{ WORD(heap_bytes_lo), 4096, GG_ERR_HEAP_RANGE, GG_FIELD_TMD_HEAP, 0 },
	{ WORD(window_count), 5, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOW_COUNT, 5 },
	{ WORD(outer), 1, GG_ERR_CLUSTER, GG_FIELD_TMD_OUTER_X, 1 },
	{ WORD(outer), 1u << 30, GG_ERR_CLUSTER, GG_FIELD_TMD_OUTER_DOMAIN, 1 },
	{ WORD(windows_lo), 4, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOWS, 4 },
	{ WORD(windows_hi), 1, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOWS, 0x100000000u },
	{ WORD(print_lo), 4, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRINT, 4 },
	{ WORD(print_hi), 1, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRINT, 0x100000000u },
	{ WORD(print_bytes), 4, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRINT, 0 },
	{ WORD(top), 1, GG_ERR_CLUSTER, GG_FIELD_TMD_TOP_X, 1 },
};

static struct task *host_task(void)
{
	struct task *task = task_take();

	task->source.trusted = true;
	return task;
}

static struct refusal take(const struct gg_tmd *tmd, uint32_t generation)
{
	struct task *task = host_task();

	(void)tmd_take(task, (struct task_name){ fake_put_tmd(tmd), generation });

	const struct refusal refusal = task->failure;

	task_give(task);
	return refusal;
}

/* S0-R02, S0-R03, S1-R37, S3-Q14: every bad field is refused with its status, its name and its value. */
static void every_bad_field_is_refused(void **state)
{
	(void)state;
	fake_device_init(1);
	for (size_t index = 0; index < sizeof(damages) / sizeof(damages[0]); index++) {
		const struct damage *damage = &damages[index];
		struct gg_tmd tmd = fake_tmd(4);

		((uint32_t *)&tmd)[damage->word] = damage->value;

		const struct refusal refusal = take(&tmd, 0);

		assert_int_equal(refusal.status, damage->status);
		assert_int_equal(refusal.field, damage->field);
		assert_int_equal(refusal.value, damage->shown);
	}
}

/* S0-R02: of a short TMD no other words than those that it has are read: the copy has zeros there, whatever memory has, and the
 * task is a plain one. */
static void short_tmds(void **state)
{
	struct gg_tmd tmd = fake_tmd(4);
	uint32_t *words = (uint32_t *)&tmd;

	(void)state;
	fake_device_init(1);
	for (uint32_t word = 0; word < sizeof(tmd) / 4; word++) {
		if ((TMD_SHORT >> word & 1) == 0) {
			words[word] = ~word;
		}
	}
	tmd.header |= GG_TMD_SHORT;

	struct task *task = host_task();

	assert_true(tmd_take(task, (struct task_name){ fake_put_tmd(&tmd), 0 }));
	assert_true(task->rules.plain);
	for (uint32_t word = 0; word < sizeof(tmd) / 4; word++) {
		assert_int_equal(((const uint32_t *)&task->tmd)[word],
				 (TMD_SHORT >> word & 1) != 0 ? words[word] : 0);
	}
	task_give(task);
}

/* S0-R02: the address of a TMD is a multiple of 256 inside device memory, all of it. */
static void address_is_checked(void **state)
{
	static const struct {
		uint64_t address;
		enum gg_status status;
	} cases[] = {
		{ FAKE_HEAP + 128, GG_ERR_TMD_ALIGN },
		{ FAKE_HEAP - 256, GG_ERR_TMD_RANGE },
		{ FAKE_HEAP + FAKE_HEAP_SIZE, GG_ERR_TMD_RANGE },
		{ 0, GG_ERR_TMD_RANGE },
		{ 0xffffffffffffff00u, GG_ERR_TMD_RANGE },
	};

	(void)state;
	fake_device_init(1);
	for (size_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		struct task *task = host_task();

		assert_false(tmd_take(task, (struct task_name){ cases[index].address, 0 }));
		assert_int_equal(task->failure.status, cases[index].status);
		assert_int_equal(task->failure.field, GG_FIELD_COMMAND_ADDRESS);
		assert_int_equal(task->failure.value, cases[index].address);
		task_give(task);
	}
}

/* S1-R75, S1-R183: dimensions of 32, 16 and 16 bits; what a size_t cannot number is refused. */
static void large_grids(void **state)
{
	struct gg_tmd tmd;

	(void)state;
	fake_device_init(1);
	tmd = fake_tmd(0xffffffff);
	tmd.grid_yz = 0x7fffffff;
	assert_int_equal(take(&tmd, 0).status, GG_OK);
	tmd.grid_yz = 0xffffffff;
	assert_int_equal(take(&tmd, 0).status, GG_ERR_GRID_OVERFLOW);
	device.size_max = UINT32_MAX;
	tmd = fake_tmd(0x80000000);
	tmd.block_xy = 0x00010002;
	assert_int_equal(take(&tmd, 0).status, GG_ERR_GRID_OVERFLOW);
	assert_int_equal(take(&tmd, 0).field, GG_FIELD_TMD_GRID_X);
	assert_int_equal(take(&tmd, 0).value, 0x100000000u);
}

/* S0-R13: a resume position starts the grid there, and a number of CTAs ends it; one that goes past the end is refused. */
static void parts_are_taken(void **state)
{
	static const struct {
		uint32_t position, ctas, left; /* left 0: refused */
	} parts[] = { { 9, 0, 1 },   { 9, 1, 1 }, { 3, 4, 4 }, { 0, 1, 1 },
		      { 0, 10, 10 }, { 9, 2, 0 }, { 0, 11, 0 } };

	(void)state;
	fake_device_init(1);
	for (size_t index = 0; index < sizeof(parts) / sizeof(parts[0]); index++) {
		struct task *task = host_task();
		struct gg_tmd tmd = fake_tmd(10);

		tmd.resume_lo = parts[index].position;
		tmd.queue_items = parts[index].ctas;
		assert_int_equal(tmd_take(task, (struct task_name){ fake_put_tmd(&tmd), 0 }),
				 parts[index].left != 0);
		if (parts[index].left != 0) {
			assert_int_equal(task->work.position, parts[index].position);
			assert_int_equal(task->work.left, parts[index].left);
		} else {
			assert_int_equal(task->failure.status, GG_ERR_RESUME);
			assert_int_equal(task->failure.field, GG_FIELD_TMD_QUEUE_ITEMS);
		}
		task_give(task);
	}
}

/* S0-R22, S0-R23: a grid that is plain but for one attribute has that attribute. */
static void attributes_are_taken(void **state)
{
	struct gg_tmd tmd;
	struct task *task;

	(void)state;
	fake_device_init(1);
	for (uint32_t which = 0; which < 3; which++) {
		task = host_task();
		tmd = fake_tmd(1);
		tmd.header |= which == 1 ? GG_TMD_SEQUENTIAL : which == 2 ? GG_TMD_THROTTLE : 0;
		assert_true(tmd_take(task, (struct task_name){ fake_put_tmd(&tmd), 0 }));
		assert_int_equal(task->rules.sequential, which == 1);
		assert_int_equal(task->rules.throttle, which == 2);
		task_give(task);
	}
}

/* S3-R74, S3-R75, S3-Q3: a CTA takes units for its shared memory and for one stack, or one stack
 * a thread when threads meet at barriers. */
static void needs_become_units(void **state)
{
	static const struct {
		uint32_t shared, stack, threads, barrier, units;
	} cases[] = {
		{ 0, 1024, 1, 0, 1 },        { 2048, 1024, 1, 0, 1 }, { 2049, 1024, 1, 0, 2 },
		{ 65536, 1024, 1, 0, 32 },   { 0, 1024, 1024, 0, 1 }, { 0, 1024, 1024, 1, 16 },
		{ 0, 2048, 1024, 1, 32 },    { 0, 65536, 1, 0, 1 },   { 0, 65552, 1, 0, 2 },
		{ 20480, 1024, 256, 1, 10 },
	};

	(void)state;
	fake_device_init(1);
	for (size_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		struct gg_tmd tmd = fake_tmd(1);
		struct task *task = host_task();

		tmd.shared_bytes = cases[index].shared;
		tmd.private_bytes = cases[index].stack;
		tmd.block_xy = 0x00010000 | cases[index].threads;
		tmd.header |= cases[index].barrier ? GG_TMD_BARRIER : 0;
		assert_true(tmd_take(task, (struct task_name){ fake_put_tmd(&tmd), 0 }));
		assert_int_equal(task->rules.needs.units, cases[index].units);
		assert_int_equal(task->rules.needs.warps, (cases[index].threads + 31) / 32);
		task_give(task);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bad_field_is_refused),
		cmocka_unit_test(short_tmds),
		cmocka_unit_test(address_is_checked),
		cmocka_unit_test(large_grids),
		cmocka_unit_test(parts_are_taken),
		cmocka_unit_test(attributes_are_taken),
		cmocka_unit_test(needs_become_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

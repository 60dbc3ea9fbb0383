/* SPDX-License-Identifier: Apache-2.0 */
/* What a CTA may reach, by the registers that protect it: a model of them decides as a core does.
 * sources: firmware/sm/protect.c firmware/sm/cga/absent.c firmware/sm/units.c
 *          hal/drivers/pmp.c hal/drivers/pmp_encode.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/sm/protect.h"
#include "hal/drivers/pmp.h"
#include "hal/protection.h"
#include "hal/riscv/csr.h"

#define RW     (PROTECTION_READ | PROTECTION_WRITE)
#define RX     (PROTECTION_READ | PROTECTION_EXECUTE)
#define R      PROTECTION_READ
#define NONE   PROTECTION_NONE
#define UNIT   4096u
#define UNITS  0x100000u
#define CODE   0x200000u /* in the heap, as are the arguments */
#define ARGS   0x202000u
#define HEAP   0x200000u
#define WINDOW 0x100400000u

/* The registers of a hart. */
static struct core {
	uintptr_t address[PROTECTION_ENTRIES];
	uint8_t config[PROTECTION_ENTRIES];
	uint32_t entries; /* that it has */
	uint32_t grain;   /* bytes */
	uint32_t writes;
	bool configured; /* a configuration was written, and no address since */
} core;

static struct sm sm;
static struct {
	struct gg_tmd tmd;
	struct gg_window windows[4];
} task;

uint32_t pmp_count(void)
{
	memset(core.config, 0, sizeof(core.config));
	memset(core.address, 0xff, sizeof(core.address));
	return core.entries;
}

uintptr_t fake_csr_read(const char *csr)
{
	assert_string_equal(csr, "CSR_PMPADDR0");
	return core.address[0] & ~(uintptr_t)(core.grain / 4 - 1);
}

void fake_csr_write(const char *csr, uintptr_t value)
{
	uint32_t number = 0;

	core.writes++;
	core.configured = sscanf(csr, "pmpcfg%u", &number) == 1;
	if (core.configured) {
		assert_int_equal(number % 2, 0); /* of 64 bits */
		assert_true(4 * number < core.entries);
		memcpy(&core.config[4 * number], &value, sizeof(value));
		return;
	}
	assert_int_equal(sscanf(csr, "pmpaddr%u", &number), 1);
	assert_true(number < core.entries);
	core.address[number] = value;
}

/* What user mode may do at an address: the first entry that matches decides, and a range begins where the entry
 * before ends. */
static uint32_t rights_at(uintptr_t address)
{
	for (uint32_t i = 0; i < core.entries; i++) {
		const uintptr_t from = i == 0 ? 0 : core.address[i - 1];

		assert_true((core.config[i] & 0x18u) == 0 || (core.config[i] & 0x18u) == 8);
		if ((core.config[i] & 0x18u) == 8 && address >> 2 >= from &&
		    address >> 2 < core.address[i]) {
			return core.config[i] & 7u;
		}
	}
	return NONE;
}

/* The rights in a region, and that the words before and behind it have others. */
static void assert_region(uintptr_t base, uintptr_t bytes, uint32_t rights, uint32_t before,
			  uint32_t behind)
{
	assert_int_equal(rights_at(base - 4), before);
	assert_int_equal(rights_at(base), rights);
	assert_int_equal(rights_at(base + bytes - 4), rights);
	assert_int_equal(rights_at(base + bytes), behind);
}

static void window(uint32_t number, uint64_t base, uint64_t bytes, uint32_t rights)
{
	task.windows[number] = (struct gg_window){
		(uint32_t)base,
		(uint32_t)(base >> 32),
		(uint32_t)bytes,
		gg_put(GG_WINDOW_BYTES_HI, (uint32_t)(bytes >> 32)) | GG_WINDOW_READ | rights,
	};
}

/* An SM with a task of plain CTAs that has code and arguments in its heap, on a core with so many entries. */
static void begin(uint32_t entries, uint32_t grain)
{
	memset(&core, 0, sizeof(core));
	memset(&sm, 0, sizeof(sm));
	memset(&task, 0, sizeof(task));
	core.entries = entries;
	core.grain = grain;
	protection_probe(&sm.protection);
	sm.units = UNITS;
	sm.unit_bytes = UNIT;
	task.tmd.code_lo = CODE;
	task.tmd.code_bytes = 0x1000;
	task.tmd.args_lo = ARGS;
	task.tmd.args_bytes = 20;
	task.tmd.heap_lo = HEAP;
	task.tmd.heap_bytes_lo = 0x10000;
	sm.tasks[0].tmd = &task.tmd;
	sm.tasks[0].primed = 1;
	sm.tasks[0].guard = 1;
	for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
		sm.ctas[unit].task = &sm.tasks[0];
		sm.ctas[unit].unit = (uint8_t)unit;
		sm.ctas[unit].base = UNITS + (uintptr_t)unit * UNIT;
		sm.ctas[unit].units = 1;
	}
}

/* S3-R45: its own memory, the heap, and in it code that it cannot write and arguments that it cannot write; nothing
 * else. */
static void what_a_cta_may_reach(void **state)
{
	(void)state;
	begin(16, 4);
	sm.ctas[2].units = 3;
	assert_true(protect_load(&sm, &sm.ctas[2]));
	assert_true(core.configured);
	assert_region(UNITS + 2 * UNIT, 3 * UNIT, RW, NONE, NONE);
	assert_region(CODE, 0x1000, RX, NONE, RW);
	assert_region(ARGS, 20, R, RW, RW);
	assert_region(HEAP + 0x1000, 0xf000, RW, RX, NONE);
	assert_int_equal(rights_at(0), NONE);
	assert_int_equal(rights_at(UINTPTR_MAX), NONE);
}

/* Arguments that are no multiple of the grain are protected up to the next one. */
static void arguments_of_any_size(void **state)
{
	(void)state;
	for (uint32_t bytes = 1; bytes <= 130; bytes++) {
		begin(16, 64);
		assert_int_equal(sm.protection.grain, 64);
		task.tmd.args_bytes = bytes;
		assert_true(protect_load(&sm, &sm.ctas[0]));
		assert_region(ARGS, (bytes + 63) / 64 * 64, R, RW, RW);
	}
}

/* Windows above 4 GiB, of more than 4 GiB, for reading and for writing; the heap goes before them. */
static void windows_of_a_task(void **state)
{
	(void)state;
	begin(16, 4);
	task.tmd.window_count = 4;
	window(0, WINDOW, 0x300000010, 0);
	window(1, WINDOW + 0x1000000000, 8, GG_WINDOW_WRITE);
	window(2, HEAP - 4, 12, 0); /* of the heap's code nothing */
	window(3, ARGS, 8, GG_WINDOW_WRITE);
	assert_true(protect_load(&sm, &sm.ctas[0]));
	assert_region(WINDOW, 0x300000010, R, NONE, NONE);
	assert_region(WINDOW + 0x1000000000, 8, RW, NONE, NONE);
	assert_region(HEAP - 4, 4, R, NONE, RX);
	assert_region(ARGS, 20, R, RW, RW);
	task.tmd.window_count = 1; /* the next task of the slot; registers that were used go off */
	sm.tasks[0].primed = 2;
	sm.tasks[0].guard = 2;
	sm.tasks[0].protectable = false;
	assert_true(protect_load(&sm, &sm.ctas[0]));
	assert_region(WINDOW, 0x300000010, R, NONE, NONE);
	assert_int_equal(rights_at(WINDOW + 0x1000000000), NONE);
	assert_int_equal(rights_at(HEAP - 4), NONE);
}

/* Of another CTA's memory nothing is left, and all else stays, when the hart changes between CTAs of a task. */
static void from_one_cta_to_another(void **state)
{
	(void)state;
	begin(16, 4);
	for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
		assert_true(protect_load(&sm, &sm.ctas[unit]));
		assert_true(core.configured);
		assert_region(UNITS + unit * UNIT, UNIT, RW, NONE, NONE);
		assert_region(CODE, 0x1000, RX, NONE, RW);
		assert_region(ARGS, 20, R, RW, RW);
	}
	core.writes = 0;
	assert_true(protect_load(&sm, &sm.ctas[SM_UNITS_MAX - 1])); /* it is in place */
	assert_int_equal(core.writes, 0);
}

/* A task for which the core has too few entries, or too coarse a grain, does not run, and what it has room for does. */
static void what_the_core_cannot_do(void **state)
{
	(void)state;
	begin(8, 4);
	assert_true(protect_load(&sm, &sm.ctas[0]));
	assert_region(HEAP + 0x1000, 0xf000, RW, RX, NONE);
	begin(8, 4);
	task.tmd.window_count = 1;
	window(0, WINDOW, 4, 0);
	assert_false(protect_load(&sm, &sm.ctas[0]));
	assert_int_equal(core.writes, 0);
	begin(10, 4);
	task.tmd.window_count = 1;
	window(0, WINDOW, 4, 0);
	assert_true(protect_load(&sm, &sm.ctas[0]));
	assert_region(WINDOW, 4, R, NONE, NONE);
	begin(16, 8);
	assert_int_equal(sm.protection.grain, 8);
	task.tmd.window_count = 1;
	window(0, WINDOW + 4, 8, 0);
	assert_false(protect_load(&sm, &sm.ctas[0]));
	window(0, WINDOW, 12, 0);
	assert_false(protect_load(&sm, &sm.ctas[0]));
	begin(0, 4); /* protects nothing */
	assert_true(protect_load(&sm, &sm.ctas[0]));
	assert_true(protect_load(&sm, &sm.ctas[1]));
	assert_int_equal(core.writes, 0);
}

/* Regions at the end of all addresses, and beyond. */
static void where_addresses_end(void **state)
{
	struct protection_limits limits;
	struct protection_table table;

	(void)state;
	begin(16, 4);
	protection_probe(&limits);
	assert_int_equal(limits.entries, 16);
	assert_int_equal(limits.grain, 4);
	memset(&table, 0xff, sizeof(table));
	protection_begin(&limits, &table);
	assert_int_equal(protection_add(&limits, &table, 0x1000, 0, RW), HAL_OK);
	assert_int_equal(table.entries, 0);
	assert_int_equal(protection_add(&limits, &table, 0x1000, 8, RW), HAL_OK);
	assert_int_equal(protection_add(&limits, &table, UINTPTR_MAX - 7, 8, R), HAL_OK);
	assert_int_equal(protection_add(&limits, &table, UINTPTR_MAX - 7, 12, R),
			 HAL_ERR_INVALID_PARAM);
	protection_load(&table, 0x2000, 4);
	assert_region(0x2000, 4, RW, NONE, NONE);
	assert_int_equal(rights_at(0x1000), NONE);
	assert_int_equal(rights_at(UINTPTR_MAX - 8), NONE);
	assert_int_equal(rights_at(UINTPTR_MAX - 7), R);
	assert_int_equal(rights_at(UINTPTR_MAX), R);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_cta_may_reach),
		cmocka_unit_test(arguments_of_any_size),
		cmocka_unit_test(windows_of_a_task),
		cmocka_unit_test(from_one_cta_to_another),
		cmocka_unit_test(what_the_core_cannot_do),
		cmocka_unit_test(where_addresses_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

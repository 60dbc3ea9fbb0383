/* SPDX-License-Identifier: Apache-2.0 */
/* What a hart may reach when it enters a CTA: always what the CTA's task says, whatever tasks had its slot, and the hart, before.
 * sources: firmware/sm/protect.c firmware/sm/cga/absent.c firmware/sm/units.c hal/drivers/pmp_encode.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/sm/protect.h"
#include "firmware/sm/units.h"
#include "hal/protection.h"

#define SLOTS 3u
#define CTAS  4u
#define UNIT  0x1000u

static struct sm sm;
static struct {
	struct gg_tmd tmd;
	struct gg_window windows[4];
} tmds[SLOTS];
static uint32_t units_of[SLOTS];

static struct protection_table loaded; /* as the hart has it */
static uintptr_t base, bytes;          /* of its first region */
static uint32_t loads, moves;

void protection_load(const struct protection_table *table, uintptr_t first, uintptr_t size)
{
	loaded = *table;
	base = first;
	bytes = size;
	loads++;
}

void protection_move(const struct protection_table *table, uintptr_t first, uintptr_t size)
{
	(void)table;
	base = first;
	bytes = size;
	moves++;
}

static void begin(void)
{
	memset(&sm, 0, sizeof(sm));
	memset(tmds, 0, sizeof(tmds));
	memset(&loaded, 0, sizeof(loaded));
	sm.units = 0x100000;
	sm.unit_bytes = UNIT;
	sm.protection = (struct protection_limits){ .entries = 16, .grain = 4 };
	loads = 0;
	moves = 0;
}

/* A task comes to a slot. */
static void prime(uint32_t slot, const struct gg_tmd *tmd, uint32_t units)
{
	tmds[slot].tmd = *tmd;
	sm.primes++;
	sm.tasks[slot].tmd = &tmds[slot].tmd;
	sm.tasks[slot].primed = sm.primes;
	units_of[slot] = units;
	protect_prime(&sm, &sm.tasks[slot], units);
}

/* A CTA of the task of a slot gets the hart: it has what a table that is made from nothing would give it. */
static void enter(uint32_t slot, uint32_t unit)
{
	static struct sm fresh;
	struct sm_cta *cta = &sm.ctas[unit];
	const struct gg_tmd *tmd = &tmds[slot].tmd;

	cta->task = &sm.tasks[slot];
	cta->unit = (uint8_t)unit;
	cta->base = sm.units + unit * sm.unit_bytes; /* as units_take_share() sets it */
	cta->units = (uint8_t)units_of[slot];
	assert_true(protect_load(&sm, cta));
	assert_int_equal(base, sm.units + unit * sm.unit_bytes);
	assert_int_equal(bytes, cta->units * sm.unit_bytes);

	const struct protection_table has = loaded;
	const uint32_t before[] = { loads, moves };
	struct sm_cta one = { .task = &fresh.tasks[slot], .unit = cta->unit, .units = cta->units };

	memset(&fresh, 0, sizeof(fresh));
	fresh.protection = sm.protection;
	fresh.units = sm.units;
	fresh.unit_bytes = sm.unit_bytes;
	fresh.primes = 1;
	fresh.tasks[slot].tmd = tmd;
	protect_prime(&fresh, &fresh.tasks[slot], cta->units);
	assert_true(protect_load(&fresh, &one));
	assert_int_equal(has.entries, loaded.entries);
	assert_memory_equal(has.config, loaded.config, sizeof(has.config));
	/* the first region is where it was said to be, whatever the table has there */
	assert_memory_equal(&has.address[2], &loaded.address[2],
			    (has.entries - 2) * sizeof(has.address[0]));
	loaded = has;
	base = sm.units + unit * sm.unit_bytes;
	bytes = cta->units * sm.unit_bytes;
	loads = before[0];
	moves = before[1];
}

static struct gg_tmd good(void)
{
	return (struct gg_tmd){
		.code_lo = 0x20000,
		.code_bytes = 0x400,
		.args_lo = 0x30000,
		.args_bytes = 32,
		.heap_lo = 0x20000,
		.heap_bytes_lo = 0x80000,
	};
}

/* S3-R45: a task like the one before in its slot finds what it may reach in place. */
static void again(void **state)
{
	const struct gg_tmd tmd = good();

	(void)state;
	begin();
	for (uint32_t round = 0; round < 4; round++) {
		prime(0, &tmd, 1);
		enter(0, 0);
		assert_int_equal(loads, 1);
		assert_int_equal(moves, 0);
	}
	enter(0, 1); /* another CTA */
	prime(0, &tmd, 1);
	enter(0, 1);
	enter(0, 0);
	assert_int_equal(loads, 1);
	assert_int_equal(moves, 2);
	prime(1, &tmd, 1); /* in another slot */
	enter(1, 0);
	assert_int_equal(loads, 2);
	prime(0, &tmd, 1); /* its table is kept, and is loaded anew */
	enter(0, 0);
	assert_int_equal(loads, 3);
}

/* S3-R45: whatever is different is seen: a word of the TMD, how many units a CTA takes, or where the SM's units are. */
static void otherwise(void **state)
{
	(void)state;
	for (uint32_t what = 0; what < 10; what++) {
		struct gg_tmd tmd = good();
		uint32_t *const words[] = {
			&tmd.code_lo, &tmd.code_bytes,    &tmd.args_lo,      &tmd.args_bytes,
			&tmd.heap_lo, &tmd.heap_bytes_lo, &tmd.window_count,
		};

		begin();
		prime(0, &tmd, 1);
		enter(0, 0);
		if (what < 7) {
			*words[what] += what == 6 ? 1 : 16;
		} else if (what == 8) {
			sm.units += 16 * UNIT; /* the memory of the SMs is shared out anew */
			protect_forget(&sm);
		}
		prime(0, &tmd, what == 7 ? 2 : 1);
		enter(0, 0);
		assert_int_equal(loads, what < 9 ? 2 : 1);
	}
}

/* S3-R54: windows are looked at for each task, since what they are is not in the TMD. */
static void windows(void **state)
{
	struct gg_tmd tmd = good();

	(void)state;
	begin();
	tmd.window_count = 1;
	for (uint32_t round = 0; round < 3; round++) {
		tmds[0].windows[0] = (struct gg_window){ .base_lo = 0x40000 + round * 0x1000,
							 .bytes_lo = 0x100 };
		prime(0, &tmd, 1);
		enter(0, 0);
		assert_int_equal(loads, 1 + round);
	}
}

/* S3-R45: a core without protection has none to load; one with too few entries says so each time. */
static void cores(void **state)
{
	const struct gg_tmd tmd = good();

	(void)state;
	for (uint32_t entries = 0; entries <= 4; entries += 4) {
		begin();
		sm.protection.entries = entries;
		for (uint32_t round = 0; round < 3; round++) {
			prime(0, &tmd, 1);
			sm.ctas[0].task = &sm.tasks[0];
			sm.ctas[0].units = 1;
			assert_int_equal(protect_load(&sm, &sm.ctas[0]), entries == 0);
			assert_int_equal(loads, 0);
		}
	}
}

/* S3-R45: random tasks in random slots, whose CTAs take turns. */
static void any_order(void **state)
{
	uint32_t random = 1;
	uint32_t kept = 0;

	(void)state;
	begin();
	for (uint32_t slot = 0; slot < SLOTS; slot++) {
		const struct gg_tmd tmd = good();

		prime(slot, &tmd, 1);
	}
	for (uint32_t step = 0; step < 20000; step++) {
		random = random * 1664525u + 1013904223u;
		const uint32_t slot = (random >> 8) % SLOTS, what = (random >> 12) % 16;
		struct gg_tmd tmd = good();

		if (what == 15) {
			sm.units ^= 0x100000;
			protect_forget(&sm);
			for (uint32_t other = 0; other < SLOTS; other++) {
				prime(other, &tmd, 1);
			}
		} else if (what < 6) {
			tmd.args_lo += 64 * ((random >> 16) % 2);
			tmd.window_count = (random >> 18) % 8 == 0 ? 1 : 0;
			tmds[slot].windows[0] =
				(struct gg_window){ .base_lo =
							    0x40000 + ((random >> 21) % 2) * 0x1000,
						    .bytes_lo = 0x100 };
			prime(slot, &tmd, 1 + (random >> 17) % 2);
		}
		const uint32_t before = loads;

		enter(slot, (random >> 24) % CTAS);
		kept += loads == before ? 1 : 0;
	}
	assert_in_range(kept, 4000, 19999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(again), cmocka_unit_test(otherwise), cmocka_unit_test(windows),
		cmocka_unit_test(cores), cmocka_unit_test(any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Parking: who has to give way to whom, and when; that nothing is lost; what is refused.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/park/park.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define MS    10000u /* ticks of a millisecond */
#define BOUND 10u    /* park_ms */
#define AREA  0x10u  /* pages behind the start of the heap */
#define SLACK 500u   /* ticks, because time passes whenever it is read */

static enum gg_status set(uint32_t ms, uint32_t page)
{
	device.config->park_ms = ms;
	device.config->park_page = page;
	return fake_config(GG_CONFIG_PART_PARK);
}

static void park(void)
{
	assert_int_equal(set(BOUND, (uint32_t)(device.memory_base >> 12) + AREA), GG_OK);
}

/* A device that parks. */
static void begin(uint32_t sms)
{
	fake_device_init(sms);
	park();
}

static uint64_t run(uint32_t tag, uint32_t priority, uint32_t ctas)
{
	const struct gg_tmd tmd = fake_with_priority(fake_tmd(ctas), priority);

	return fake_run(tag, &tmd);
}

/* A task with a CTA for each CTA slot of some SMs. */
static uint64_t fill(uint32_t tag, uint32_t priority, uint32_t sms)
{
	const uint64_t address = run(tag, priority, sms * device.resources.ctas);

	fake_take_all();
	assert_int_equal(fake_count(tag), sms * device.resources.ctas);
	return address;
}

/* Time passes; the CP is woken by its timer when that is due. All SMs take what they are sent. */
static void wait_ticks(uint64_t ticks)
{
	const uint64_t end = fake_hal.now + ticks + SLACK;

	while (loop_deadline() <= end) {
		fake_hal.now = loop_deadline();
		fake_take_all();
		fake_take_all();
	}
	fake_hal.now = end;
	fake_take_all();
	fake_take_all();
}

/* S0-R10, S0-R13: a task that lacks room for more than a fifth of the bound, and at most for two fifths, gets it from the CTAs of
 * a lower priority, on as many SMs as it has CTAs. These go on when there is room for them, and each CTA runs once. */
static void the_bound(void **state)
{
	(void)state;
	begin(4);
	fill(1, 9, 4);
	run(2, 1, 2);
	wait_ticks(BOUND * MS / 5);
	assert_int_equal(fake_count(2), 0);
	wait_ticks(BOUND * MS / 5);
	assert_int_equal(fake_count(2), 2);
	assert_int_equal(device.perf->ctas_parked, 2 * device.resources.ctas);
	assert_int_equal(fake_count(1) + fake_parked(), 4 * device.resources.ctas);
	assert_int_equal(fake_parked(), 2); /* the others were back at once */
	assert_int_equal(device.slots[0].tag, 1);
	assert_int_equal(device.slots[0].state, GG_SLOT_STATE_READY);
	assert_int_equal(device.slots[0].left_lo, 2);
	fake_end_tag(2, GG_OK);
	fake_end_tag(2, GG_OK);
	fake_expect(2, GG_OK);
	fake_take_all();
	assert_int_equal(fake_parked(), 0);
	assert_false(due_is(DUE_PARK | DUE_PARKED));
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 4 * device.resources.ctas);
}

/* S0-R10, S0-R35: what is urgent is launched as a wave, onto SMs that hold nothing any more. The CTAs that were parked come back in the same
 * turn, but not to units that the wave has. */
static void for_a_wave(void **state)
{
	const uint32_t ctas = 8 * device.resources.ctas;

	(void)state;
	begin(8);
	device.cap->features |= 1u << GG_FEATURE_ATOMICS; /* SMs with A: there are waves */
	fill(1, 9, 8);
	run(2, 1, 8);
	wait_ticks(BOUND * MS);
	assert_int_equal(device.perf->ctas_parked, ctas);
	assert_int_equal(fake_count(2), 8);
	assert_int_equal(fake_parked(), 8);
	assert_int_equal(fake_count(1), ctas - 8);
	for (uint32_t cta = 0; cta < 8; cta++) {
		fake_end_tag(2, GG_OK);
	}
	fake_expect(2, GG_OK);
	fake_take_all();
	assert_int_equal(fake_parked(), 0);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, ctas);
}

/* S0-R10: nobody is parked for an equal or for a lower priority, and not for a task that may not use the SM. */
static void who_stays(void **state)
{
	struct gg_tmd elsewhere = fake_with_priority(fake_tmd(1), 1);

	(void)state;
	begin(2);
	fill(1, 5, 2);
	run(2, 5, 1);
	run(3, 6, 1);
	wait_ticks(5 * BOUND * MS);
	assert_int_equal(device.perf->ctas_parked, 0);
	assert_false(due_is(DUE_PARK));
	elsewhere = fake_with_affinity(elsewhere, 1u << 1);
	fake_run(4, &elsewhere);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(4), 1);
	assert_int_equal(fake_on_sm(0), device.resources.ctas);
	assert_int_equal(device.perf->ctas_parked, device.resources.ctas);
	fake_finish();
}

/* Task 1, of priority 5, fills both SMs and is suspended until all its CTAs are parked; its address. */
static uint64_t begin_suspended(void)
{
	uint64_t address;

	begin(2);
	address = fill(1, 5, 2);
	fake_name(10, GG_OPCODE_SUSPEND, address);
	fake_expect(10, GG_OK);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_cta_count, 0);
	assert_int_equal(fake_parked(), 2 * device.resources.ctas);
	return address;
}

/* S0-R13: a task that is suspended leaves within the bound, and goes on where it was. */
static void suspended(void **state)
{
	(void)state;
	const uint64_t address = begin_suspended();

	wait_ticks(BOUND * MS);
	assert_int_equal(fake_cta_count, 0);
	fake_name(11, GG_OPCODE_RESUME, address);
	fake_expect(11, GG_OK);
	fake_take_all();
	assert_int_equal(fake_count(1), 2 * device.resources.ctas);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 2 * device.resources.ctas);
}

/* S0-R13: CTAs that were parked when their task was suspended get the room back from CTAs of a lower priority, which
 * came meanwhile, though the task has none to issue. */
static void resumed_where_others_are(void **state)
{
	(void)state;
	const uint64_t address = begin_suspended();

	fill(2, 9, 2);
	fake_name(11, GG_OPCODE_RESUME, address);
	fake_expect(11, GG_OK);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(1), 2 * device.resources.ctas);
	assert_int_equal(fake_count(2), 0);
	assert_int_equal(fake_parked(), 2 * device.resources.ctas);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 2);
}

/* S0-R13: the table is full of tasks whose CTAs are all issued: one of the lowest priority leaves, whichever slot it is in, and
 * comes back. */
static void evicted(void **state)
{
	static const uint32_t lowest[] = { 0, 7, CP_SLOTS - 1 };

	(void)state;
	for (uint32_t at = 0; at < sizeof(lowest) / sizeof(lowest[0]); at++) {
		begin(8);
		for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
			run(tag, tag == lowest[at] ? 9 : 8, 1);
		}
		fake_take_all();
		run(100, 1, 1);
		assert_int_equal(device.perf->evictions, 1);
		assert_int_equal(fake_count(100), 0);
		wait_ticks(BOUND * MS);
		assert_int_equal(fake_count(100), 1);
		assert_int_equal(fake_count(lowest[at]), 0);
		assert_int_equal(fake_parked(), 1);
		fake_end_tag(100, GG_OK);
		fake_expect(100, GG_OK);
		fake_take_all();
		assert_int_equal(fake_count(lowest[at]), 1);
		fake_finish();
		assert_int_equal(device.perf->tasks_completed, CP_SLOTS + 1);
	}
}

/* S0-R13: no task leaves the table whose CTAs are all issued and may not be parked. */
static void none_that_may_stay(void **state)
{
	struct gg_tmd tmd = fake_with_priority(fake_tmd(1), 9);

	(void)state;
	begin(8);
	tmd.retry_limit = 1;
	for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
		fake_run(tag, &tmd);
	}
	fake_take_all();
	run(100, 1, 1);
	wait_ticks(3 * BOUND * MS);
	assert_int_equal(device.perf->evictions, 0);
	assert_int_equal(fake_count(100), 0);
	fake_end_tag(7, GG_OK);
	fake_take_all();
	assert_int_equal(fake_count(100), 1);
	fake_finish();
}

/* S0-R13: while CTAs are parked, no CTA of the same or of a lower priority takes their place: they come first. */
static void who_comes_first(void **state)
{
	(void)state;
	begin(1);
	fill(1, 5, 1);
	run(2, 1, device.resources.ctas);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(2), device.resources.ctas);
	run(3, 5, 4);
	run(4, 9, 4);
	while (fake_count(2) != 0) {
		fake_end_tag(2, GG_OK);
		fake_take_all();
	}
	assert_int_equal(fake_count(1), device.resources.ctas);
	assert_int_equal(fake_count(3) + fake_count(4), 0);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 4);
}

/* S0-R10: of CTAs that are parked from an SM those of the higher priority come back first, and the others at once when there
 * is room for both. */
static void one_behind_the_other(void **state)
{
	(void)state;
	begin(1);
	fill(1, 9, 1);
	run(2, 5, device.resources.ctas - 1);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(2), device.resources.ctas - 1);
	assert_int_equal(fake_count(1), 1);
	run(3, 1, device.resources.ctas);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(3), device.resources.ctas);
	while (fake_count(3) != 0) {
		fake_end_tag(3, GG_OK);
		fake_take_all();
	}
	assert_int_equal(fake_count(2), device.resources.ctas - 1);
	assert_int_equal(fake_count(1), 1);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 3);
}

/* A task of one CTA or more, each with a share of an SM's shared memory. */
static void run_large(uint32_t tag, uint32_t priority, uint32_t ctas, uint32_t share)
{
	struct gg_tmd tmd = fake_with_priority(fake_tmd(ctas), priority);

	tmd.shared_bytes = device.resources.shared_bytes / share;
	fake_run(tag, &tmd);
}

/* S0-R10: what becomes free is kept for CTAs of the higher priority that are parked from there, also when it is
 * enough only for others. */
static void room_is_kept(void **state)
{
	(void)state;
	begin(1);
	run_large(1, 9, 4, 4);
	assert_int_equal(fake_take_all(), 4);
	run_large(2, 5, 1, 2);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(2), 1);
	run_large(3, 1, 4, 4);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(3), 4);
	assert_int_equal(fake_count(1) + fake_count(2), 0);
	for (uint32_t left = 4; fake_count(2) == 0; left--) {
		assert_int_equal(fake_cta_count, left);
		assert_int_not_equal(left, 0);
		fake_end_tag(3, GG_OK);
		fake_take_all();
	}
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 3);
}

/* S0-R10: the only CTA that is parked of a task comes back as soon as there is room, while the task's other one runs on. */
static void only_one(void **state)
{
	(void)state;
	begin(2);
	run_large(1, 9, 2, 1);
	assert_int_equal(fake_take_all(), 2);
	run_large(2, 1, 1, 1);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_parked(), 1);
	assert_int_equal(fake_count(1), 1);
	assert_int_equal(fake_count(2), 1);
	assert_int_equal(device.slots[0].tag, 1);
	assert_int_equal(device.slots[0].state, GG_SLOT_STATE_READY);
	assert_int_equal(device.slots[0].left_lo, 1);
	fake_end_tag(2, GG_OK);
	fake_expect(2, GG_OK);
	fake_take_all();
	assert_int_equal(fake_parked(), 0);
	assert_int_equal(fake_count(1), 2);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 2);
}

/* CTAs that are parked end with their task, and leave nothing behind that comes back. */
static void cancelled(void **state)
{
	uint64_t address;

	(void)state;
	begin(1);
	address = fill(1, 9, 1);
	run(2, 1, device.resources.ctas);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_parked(), device.resources.ctas);
	fake_name(10, GG_OPCODE_CANCEL, address);
	fake_expect(10, GG_OK);
	fake_expect(1, GG_ERR_CANCELLED);
	assert_false(due_is(DUE_PARKED));
	fake_finish();
	fake_expect(2, GG_OK);
	run(4, 9, 3);
	assert_int_equal(fake_take_all(), 3);
	run(5, 1, device.resources.ctas); /* in the place of those that are parked no more */
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(5), device.resources.ctas);
	fake_end_all();
	fake_settle(100);
	fake_expect(5, GG_OK);
	assert_int_equal(fake_take_all(), 3);
	fake_finish();
	assert_int_equal(fake_expect(4, GG_OK).ctas_lo, 3);
}

/* The CP goes on until a time, while no SM takes anything. */
static void wait_alone(uint64_t ticks)
{
	const uint64_t end = fake_hal.now + ticks + SLACK;

	while (loop_deadline() <= end) {
		fake_hal.now = loop_deadline();
		fake_settle(1000);
	}
	fake_hal.now = end;
	fake_settle(1000);
}

/* An SM keeps CTAs of two tasks; those of a third stay until a place is free. */
static void places(void **state)
{
	(void)state;
	begin(1);
	for (uint32_t tag = 0; tag < device.resources.ctas; tag++) {
		run(tag, 9, 1);
	}
	fake_take_all();
	run(100, 1, device.resources.ctas);
	wait_ticks(3 * BOUND * MS);
	assert_int_equal(fake_parked(), 2);
	assert_int_equal(fake_count(100), 2);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, device.resources.ctas + 1);
}

/* A task whose CTAs have ended before the SM was told to park them has no place any more: the next one has it. */
static void a_place_of_nothing(void **state)
{
	(void)state;
	begin(1);
	for (uint32_t tag = 2; tag <= device.resources.ctas; tag++) {
		run(tag, 8, 1);
	}
	run(1, 9, 2); /* there is room for one CTA of it */
	fake_take_all();
	assert_int_equal(fake_count(1), 1);
	run(100, 1, device.resources.ctas);
	wait_alone(2 * BOUND * MS / 5); /* 1 and 2 are to be parked, and the SM does not know it */
	fake_end(fake_find(1), GG_OK);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(1), 0);
	assert_int_equal(fake_parked(), 2);
	assert_int_equal(fake_count(100), 3);
	fake_finish();
}

/* S0-R10: an SM that has no place is passed over, and another one makes room. */
static void another_sm(void **state)
{
	struct gg_tmd urgent = fake_with_priority(fake_tmd(device.resources.ctas), 1);

	(void)state;
	begin(2);
	for (uint32_t tag = 1; tag <= 2 * device.resources.ctas; tag++) {
		run(tag, 9, 1);
	}
	fake_take_all();
	urgent = fake_with_affinity(urgent, 1);
	fake_run(100, &urgent);
	wait_ticks(3 * BOUND * MS);
	assert_int_equal(fake_parked(), 2);
	assert_int_equal(fake_count(100), 2);
	run(101, 1, 1);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(101), 1);
	assert_int_equal(fake_ctas[fake_find(101)].sm, 1);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 2 * device.resources.ctas + 2);
}

/* S0-R10: a task gets room with as many SMs as there can be, too. */
static void all_sms(void **state)
{
	(void)state;
	fake_device_init(CP_SMS);
	device.cap->sm_area_bytes = 512; /* there is no more in this heap */
	park();
	fill(1, 9, CP_SMS);
	run(2, 1, 1);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(2), 1);
	assert_int_equal(device.perf->ctas_parked, device.resources.ctas);
	fake_finish();
	fake_expect(2, GG_OK);
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, CP_SMS * device.resources.ctas);
}

/* S0-R22: a switch of the mode parks what it waits for, of the same priority and of lower ones. */
static void throttle(void **state)
{
	struct gg_tmd tmd = fake_with_priority(fake_tmd(1), 5);

	(void)state;
	begin(4);
	fill(1, 5, 4);
	tmd.header |= GG_TMD_THROTTLE;
	fake_run(2, &tmd);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_count(1), 0);
	assert_int_equal(fake_count(2), 1);
	fake_end_tag(2, GG_OK);
	fake_expect(2, GG_OK);
	fake_take_all();
	assert_int_equal(fake_count(1), 4 * device.resources.ctas);
	fake_finish();
}

/* CTAs of a task that may run them again are not parked. */
static void who_may_not(void **state)
{
	struct gg_tmd tmd = fake_with_priority(fake_tmd(8), 9);

	(void)state;
	begin(1);
	tmd.retry_limit = 1;
	fake_run(1, &tmd);
	fake_take_all();
	run(2, 1, 1);
	wait_ticks(3 * BOUND * MS);
	assert_int_equal(device.perf->ctas_parked, 0);
	fake_finish();
}

/* A throttle task's CTAs have other units, and stay. */
static void who_may_not_in_throttle_mode(void **state)
{
	struct gg_tmd tmd = fake_with_priority(fake_tmd(4), 9);

	(void)state;
	begin(2);
	tmd.header |= GG_TMD_THROTTLE;
	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 4);
	run(2, 1, 1);
	wait_ticks(3 * BOUND * MS);
	assert_int_equal(device.perf->ctas_parked, 0);
	assert_int_equal(fake_count(2), 0);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
}

/* S0-R13: a task that comes back with parked CTAs alone has none to issue, also when a lower priority is due one. */
static void beside_a_minimum_share(void **state)
{
	uint64_t address;

	(void)state;
	begin(1);
	fake_floor(500);
	address = fill(1, 9, 1);
	fake_name(10, GG_OPCODE_SUSPEND, address);
	fake_expect(10, GG_OK);
	wait_ticks(BOUND * MS);
	run(2, 1, 20 * device.resources.ctas);
	fake_take_all();
	fake_name(11, GG_OPCODE_RESUME, address);
	fake_expect(11, GG_OK);
	for (uint32_t ended = 0; ended < 5 * device.resources.ctas; ended++) {
		fake_end_tag(2, GG_OK);
		fake_take_all();
	}
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 2);
}

/* An SM of so many CTA slots, which can use up its ring. */
static void begin_with(uint32_t ctas)
{
	fake_device_init(1);
	fake_memory_init(1);
	device.resources.ctas = ctas;
	fake_rooms_init();
	park();
}

/* An SM with nearly as many CTA slots as its ring has entries is asked when it has seen all packets, for there could be
 * as many packets more as it has slots. Each packet is counted. */
static void a_full_ring(void **state)
{
	(void)state;
	for (uint32_t ctas = CP_LAUNCH_ENTRIES - 3; ctas < CP_LAUNCH_ENTRIES; ctas++) {
		const bool fits = 1 + 1 + ctas <= CP_LAUNCH_ENTRIES;
		uint32_t put;

		begin_with(ctas);
		run(1, 9, ctas + 1);
		assert_int_equal(fake_take_all(), ctas);
		fake_end(0, GG_OK);
		fake_settle(1000); /* the SM does not see the packet of the last CTA */
		put = device.launch[0].header.launch_put;
		run(2, 1, 1);
		wait_alone(2 * BOUND * MS);
		assert_int_equal(device.launch[0].header.launch_put != put, fits);
		wait_ticks(2 * BOUND * MS);
		assert_int_equal(fake_count(2), 1);
		assert_int_equal(device.perf->ctas_parked, ctas);
		fake_finish();
		fake_expect(2, GG_OK);
		assert_int_equal(fake_expect(1, GG_OK).ctas_lo, ctas + 1);
		assert_int_equal(device.perf->packets, device.launch[0].header.launch_put);
	}
}

/* What is refused changes nothing: CTAs are still parked, and where they were. */
static void refused(void **state)
{
	const uint32_t first = (uint32_t)(device.memory_base >> 12);
	const uint32_t last = first + (uint32_t)(device.memory_bytes >> 12);

	(void)state;
	begin(2);
	assert_int_equal(set(PARK_MOST_MS + 1, first + AREA), GG_ERR_CONFIG);
	assert_int_equal(set(BOUND, first - 1), GG_ERR_CONFIG);
	assert_int_equal(set(BOUND, last - 3), GG_ERR_CONFIG);
	assert_int_equal(set(BOUND, last - 4), GG_OK);
	assert_int_equal(set(PARK_MOST_MS, first + AREA), GG_OK);
	assert_int_equal(set(BOUND, first + AREA), GG_OK);
	fill(1, 9, 2);
	run(2, 1, 2 * device.resources.ctas);
	wait_ticks(BOUND * MS);
	assert_int_equal(fake_parked(), 2 * device.resources.ctas);
	assert_int_equal(set(BOUND, first + AREA + 4), GG_ERR_BUSY);
	assert_int_equal(set(0, first + AREA + 4), GG_OK);
	fake_finish();
	fake_expect(2, GG_OK);
	fake_expect(1, GG_OK);
	assert_int_equal(set(BOUND, first + AREA + 4), GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_bound),
		cmocka_unit_test(for_a_wave),
		cmocka_unit_test(who_stays),
		cmocka_unit_test(suspended),
		cmocka_unit_test(resumed_where_others_are),
		cmocka_unit_test(evicted),
		cmocka_unit_test(none_that_may_stay),
		cmocka_unit_test(who_comes_first),
		cmocka_unit_test(one_behind_the_other),
		cmocka_unit_test(room_is_kept),
		cmocka_unit_test(only_one),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(places),
		cmocka_unit_test(a_place_of_nothing),
		cmocka_unit_test(another_sm),
		cmocka_unit_test(all_sms),
		cmocka_unit_test(throttle),
		cmocka_unit_test(who_may_not),
		cmocka_unit_test(who_may_not_in_throttle_mode),
		cmocka_unit_test(beside_a_minimum_share),
		cmocka_unit_test(a_full_ring),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

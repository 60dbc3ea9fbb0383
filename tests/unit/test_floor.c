/* SPDX-License-Identifier: Apache-2.0 */
/* The floor: a share of the CTAs for lower priorities than the best.
 * sources: room:accept device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static uint64_t issued[CP_PRIORITIES + 1]; /* CTAs of each priority that the SMs were given */

static uint32_t priority_of(uint32_t index)
{
	return device.slots[fake_ctas[index].slot].priority;
}

static void begin(uint32_t sms, uint32_t per_mille)
{
	fake_device_init(sms);
	memset(issued, 0, sizeof(issued));
	fake_floor(per_mille);
}

static uint64_t run_task(uint32_t tag, uint32_t priority, uint32_t ctas)
{
	const struct gg_tmd tmd = fake_with_priority(fake_tmd(ctas), priority);

	return fake_run(tag, &tmd);
}

/* CTAs end, one by one, until so many have been issued; counts them. */
static uint64_t run_ctas(uint32_t ctas)
{
	uint64_t total = 0;

	while (total < ctas) {
		const uint32_t before = fake_cta_count;

		fake_take_all();
		for (uint32_t index = before; index < fake_cta_count; index++) {
			issued[priority_of(index)]++;
			total++;
		}
		assert_true(fake_cta_count > 0);
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		fake_settle(10);
	}
	return total;
}

static const uint32_t shares[] = { 0, 1, 50, 100, 333, 500, 750, 999 };
#define SHARES (sizeof(shares) / sizeof(shares[0]))

/* Two SMs are full; tasks of priority 1 and 9 wait for them. */
static void begin_two_tasks(uint32_t per_mille)
{
	const struct gg_tmd full = fake_tmd(16);

	begin(2, per_mille);
	fake_run(9, &full);
	fake_take_all();
	run_task(1, 1, 10000);
	run_task(2, 9, 10000);
}

/* S0-R26: the share is kept, within one CTA, over 1,000 of them; 0 is strict priority. */
static void the_share_is_kept(void **state)
{
	(void)state;
	for (uint32_t index = 0; index < SHARES; index++) {
		begin_two_tasks(shares[index]);
		fake_end_all();

		const int64_t total = (int64_t)run_ctas(1000);
		const int64_t difference = (int64_t)issued[9] * 1000 - total * shares[index];

		assert_true(shares[index] != 0 || issued[9] == 0);
		assert_in_range(difference + 1000, 0, 2000);
	}
}

/* S0-R26: a CTA of the lower priority is issued as soon as the CTAs before it have earned it, and not earlier. */
static void a_cta_is_due_on_time(void **state)
{
	(void)state;
	for (uint32_t index = 0; index < SHARES; index++) {
		begin_two_tasks(shares[index]);
		for (uint32_t before = 0; before < 300; before++) {
			assert_int_equal(run_ctas(1), 1);
			assert_int_equal(issued[9], before * shares[index] / 1000);
		}
	}
}

/* S0-R26: several lower priorities have their turns one after the other. */
static void lower_priorities_rotate(void **state)
{
	(void)state;
	begin(2, 300);
	run_task(1, 2, 20000);
	run_task(2, 3, 10000);
	run_task(3, 6, 10000);
	run_task(4, 10, 10000);
	fake_take_all();
	fake_end_all();
	run_ctas(3000);
	for (uint32_t priority = 3; priority <= 10; priority++) {
		const bool has = priority == 3 || priority == 6 || priority == 10;

		assert_in_range(issued[priority], has ? 290 : 0, has ? 310 : 0);
	}
}

/* S0-R12, S0-R13: with the table full of better tasks, lower ones get their share as guests of
 * it. */
static void guests_of_a_full_table(void **state)
{
	(void)state;
	begin(2, 100);
	for (uint32_t tag = 0; tag < 50; tag++) {
		run_task(tag, 1, 100000);
	}
	for (uint32_t tag = 50; tag < 60; tag++) {
		run_task(tag, 7 + tag % 3, 1000);
	}
	run_ctas(3000);
	for (uint32_t priority = 7; priority <= 9; priority++) {
		assert_in_range(issued[priority], 80, 120);
	}
	fake_floor(0);
	run_ctas(100);
	issued[7] = issued[8] = issued[9] = 0;
	run_ctas(1000);
	assert_int_equal(issued[7] + issued[8] + issued[9], 0);
}

/* S0-R12: the guest's slot is kept while nobody of a lower priority is there: one that comes has
 * it. */
static void a_slot_is_kept(void **state)
{
	(void)state;
	begin(1, 100);
	for (uint32_t tag = 0; tag < 40; tag++) {
		run_task(tag, 1, 1000);
	}
	uint32_t full = 0;

	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		full += device.slots[slot].state != GG_SLOT_STATE_FREE;
	}
	assert_int_equal(full, CP_SLOTS - 1);
	run_task(100, 9, 10);
	run_ctas(30);
	assert_in_range(issued[9], 1, 4);
}

static uint32_t guest_tag(void)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		if (device.slots[slot].state != GG_SLOT_STATE_FREE &&
		    device.slots[slot].priority != 1) {
			return device.slots[slot].tag;
		}
	}
	return 0;
}

/* S0-R12: a guest that has been served stays while only tasks of its own priority wait, and leaves when one of another
 * lower priority does, also of the next one. */
static void who_makes_a_guest_leave(void **state)
{
	(void)state;
	for (uint32_t other = 7; other <= 10; other++) {
		begin(1, 500);
		for (uint32_t tag = 0; tag < 40; tag++) {
			run_task(tag, 1, 1000);
		}
		run_task(100, 8, 1000);
		run_task(101, 8, 1000);
		run_ctas(50);
		assert_true(issued[8] > 10);
		assert_int_equal(guest_tag(), 100);
		run_task(102, other, 1000);
		for (uint32_t ctas = 0; ctas < 200 && guest_tag() == 100; ctas++) {
			run_ctas(1);
		}
		assert_int_equal(guest_tag(), other != 8 ? 102 : 100);
	}
}

static void submit_large(uint32_t tag, uint32_t priority)
{
	struct gg_tmd tmd = fake_with_priority(fake_tmd(1000), priority);

	tmd.shared_bytes = 65536; /* all that an SM has */
	fake_submit(0, tag, &tmd);
}

/* S0-R12: a guest that has been served and has no CTA on an SM is gone in the turn in which it is asked to leave, and the next one
 * is there at its end. */
static void a_guest_follows_at_once(void **state)
{
	bool served = false;

	(void)state;
	begin(1, 100);
	for (uint32_t tag = 1; tag <= 40; tag++) {
		submit_large(tag, 1);
	}
	submit_large(100, 8);
	fake_settle(100);
	assert_int_equal(fake_take_all(), 1);
	for (uint32_t ctas = 0; ctas < 30 && (!served || priority_of(0) != 1); ctas++) {
		served = served || priority_of(0) == 8;
		fake_end(0, GG_OK);
		fake_settle(10);
		assert_int_equal(fake_take_all(), 1);
	}
	assert_true(served);
	submit_large(101, 7);
	fake_turn();
	assert_int_equal(guest_tag(), 101);
}

/* S0-R13: a floor that is set while the table is full keeps no better task out. */
static void set_with_a_full_table(void **state)
{
	(void)state;
	begin(1, 0);
	for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
		run_task(tag, 9, 1000);
	}
	fake_take_all();
	fake_floor(10);
	run_task(100, 1, 1000);
	run_task(101, 2, 1000);
	run_ctas(60);
	issued[1] = 0;
	run_ctas(100);
	assert_in_range(issued[1], 97, 100);
	fake_floor(0); /* the guest has no right to its slot any more */
	for (uint32_t tag = 200; tag < 200 + CP_SLOTS; tag++) {
		run_task(tag, 1, 1000);
	}
	run_ctas(60);
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		assert_int_equal(device.slots[slot].priority, 1);
	}
}

/* S0-R25, S0-R26: a lower task that may use one SM only gets its share there, also if a better one
 * may use that one only. */
static void shares_with_affinity(void **state)
{
	(void)state;
	for (uint32_t both = 0; both < 2; both++) {
		begin(4, 100);

		const struct gg_tmd high = fake_with_priority(fake_tmd(20000), 1);
		const struct gg_tmd high_on_2 = fake_with_affinity(high, 1u << 2);
		const struct gg_tmd low =
			fake_with_affinity(fake_with_priority(fake_tmd(20000), 9), 1u << 2);

		fake_run(1, both != 0 ? &high_on_2 : &high);
		fake_take_all();
		fake_run(2, &low);
		run_ctas(1000);
		assert_in_range(issued[9], 90, 110);
	}
}

/* All CTAs on an SM end, so many times, and others follow them. */
static void go_on(uint32_t sm, uint32_t times)
{
	for (; times != 0; times--) {
		fake_end_sm(sm, GG_OK);
		fake_take_all();
	}
}

static uint32_t tasks_of(uint32_t priority)
{
	uint32_t tasks = 0;

	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		tasks += device.slots[slot].state != GG_SLOT_STATE_FREE &&
			 device.slots[slot].priority == priority;
	}
	return tasks;
}

/* S0-R26: what lower priorities have saved, while a busy SM kept them from using it, is not kept for a new share. */
static void a_new_share(void **state)
{
	const struct gg_tmd full = fake_tmd(16);

	(void)state;
	begin(2, 500);

	const struct gg_tmd low = fake_with_affinity(fake_with_priority(fake_tmd(1000), 9), 2);

	fake_run(3, &full);
	fake_take_all();
	run_task(1, 1, 1000);
	fake_run(2, &low);
	go_on(0, 5);
	assert_int_equal(fake_count(1), 8);
	fake_floor(1);
	go_on(1, 1);
	assert_int_equal(fake_count(1), 16);
}

/* S0-R12: a guest for which there was no room is none that has been served, although a task of another lower priority was. */
static void a_guest_waits_for_its_turn(void **state)
{
	(void)state;
	begin(2, 100);

	const struct gg_tmd guest = fake_with_affinity(fake_with_priority(fake_tmd(10), 8), 2);

	run_task(1, 7, 1000);
	fake_take_all();
	for (uint32_t tag = 2; tag < CP_SLOTS; tag++) {
		run_task(tag, 1, 1000);
	}
	fake_run(100, &guest);
	run_task(101, 9, 10);
	assert_int_equal(tasks_of(8), 1);
	go_on(0, 4);
	assert_int_equal(device.slots[0].left_lo, 1000 - 16 - 1); /* one was due */
	assert_int_equal(tasks_of(8), 1);
	assert_int_equal(tasks_of(9), 0);
	go_on(1, 1);
	assert_in_range(fake_count(100), 1, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_share_is_kept),
		cmocka_unit_test(a_cta_is_due_on_time),
		cmocka_unit_test(lower_priorities_rotate),
		cmocka_unit_test(guests_of_a_full_table),
		cmocka_unit_test(a_slot_is_kept),
		cmocka_unit_test(set_with_a_full_table),
		cmocka_unit_test(who_makes_a_guest_leave),
		cmocka_unit_test(a_guest_follows_at_once),
		cmocka_unit_test(shares_with_affinity),
		cmocka_unit_test(a_new_share),
		cmocka_unit_test(a_guest_waits_for_its_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of CGAs, with SMs that the test plays.
 * sources: room:collect device tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga_barrier.h"
#include "firmware/cp/cga/cga_end.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define TAG 1u

static void launch(const struct gg_tmd *tmd)
{
	fake_device_init(8);
	fake_run(TAG, tmd);
	fake_cga_check();
	assert_int_equal(fake_cta_count, tmd->grid_x);
}

static void launch_one(uint32_t cgas, uint32_t ctas)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, cgas, ctas);

	launch(&tmd);
}

static void come(uint32_t first, uint32_t end, uint32_t level)
{
	for (uint32_t cta = first; cta < end; cta++) {
		fake_come(TAG, cta, level);
	}
}

static void expect_waiting(uint32_t first, uint32_t end, uint32_t level, bool want)
{
	for (uint32_t cta = first; cta < end; cta++) {
		assert_int_equal(fake_waits(TAG, cta, level), want);
	}
}

static void finish(void)
{
	fake_finish();
	fake_expect(TAG, GG_OK);
	fake_cga_expect_none();
}

/* S1-R135, S1-R136: all wait until the last has come; again and again; the other CGA has a barrier of its own. */
static void all_meet(void **state)
{
	(void)state;
	launch_one(2, 6);
	for (uint32_t round = 1; round <= 3; round++) {
		come(0, 5, 0);
		expect_waiting(0, 5, 0, true);
		come(6, 7, 0);
		come(5, 6, 0);
		expect_waiting(0, 6, 0, false);
		expect_waiting(6, 7, 0, true);
		come(7, 12, 0);
		expect_waiting(6, 12, 0, false);
		assert_int_equal(device.perf->cga_barriers, 2 * round);
	}
	finish();
}

/* S1-R59: members that are let go in a turn take one interrupt for each SM, however many they are. */
static void one_interrupt_an_sm(void **state)
{
	(void)state;
	launch_one(2, 8);

	uint32_t before[8];

	for (uint32_t sm = 0; sm < 8; sm++) {
		before[sm] = fake_hal.sm_rings[sm];
	}
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		device.clusters[fake_ctas[index].sm].come[0] ^= fake_ctas[index].start;
		fake_bell(fake_ctas[index].sm);
	}
	fake_settle(10);
	assert_int_equal(device.perf->cga_barriers, 2);
	expect_waiting(0, 16, 0, false);
	for (uint32_t sm = 0; sm < 8; sm++) {
		assert_int_equal(fake_hal.sm_rings[sm] - before[sm], fake_on_sm(sm) != 0);
	}
	finish();
}

/* S1-R137, S1-R196: nobody passes while a member has not started: its SM has not taken the packet yet. */
static void not_before_all_are_launched(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 4);

	(void)state;
	fake_device_init(4);
	fake_run(TAG, &tmd);
	fake_settle(10);
	for (uint32_t sm = 0; sm < 3; sm++) {
		fake_take_packets(sm);
		fake_come(TAG, sm, 0);
	}
	assert_int_equal(fake_cta_count, 3);
	expect_waiting(0, 3, 0, true);
	fake_cga_check();
	expect_waiting(0, 3, 0, true);
	come(3, 4, 0);
	expect_waiting(0, 4, 0, false);
	finish();
}

/* S1-R136, S1-Q20: those that have ended are not waited for: one that ends lets the others go; all but one end. */
static void exits_in_between(void **state)
{
	(void)state;
	launch_one(1, 6);
	fake_end_position(TAG, 3, GG_OK);
	come(0, 3, 0);
	come(4, 5, 0);
	expect_waiting(0, 3, 0, true);
	fake_end_position(TAG, 5, GG_OK); /* the last that they waited for */
	expect_waiting(0, 3, 0, false);
	expect_waiting(4, 5, 0, false);
	for (uint32_t cta = 1; cta < 5; cta += cta == 2 ? 2 : 1) {
		fake_end_position(TAG, cta, GG_OK);
	}
	assert_int_equal(fake_cta_count, 1);
	for (uint32_t round = 0; round < 3; round++) {
		come(0, 1, 0);
		expect_waiting(0, 1, 0, false);
	}
	assert_int_equal(device.perf->cga_barriers, 4);
	finish();
}

/* S1-Q20: one that has come without waiting ends: it counts neither as one that has come nor as one that runs. */
static void comes_and_ends(void **state)
{
	(void)state;
	launch_one(1, 3);
	come(0, 1, 0);
	fake_end_position(TAG, 0, GG_OK);
	come(1, 2, 0);
	expect_waiting(1, 2, 0, true);
	come(2, 3, 0);
	expect_waiting(1, 3, 0, false);
	come(1, 3, 0);
	expect_waiting(1, 3, 0, false);
	assert_int_equal(device.perf->cga_barriers, 2);
	finish();
}

/* S1-Q20: it comes and ends in one turn of the CP; the SM's words are equal for the next CTA at its unit. */
static void comes_and_ends_at_once(void **state)
{
	(void)state;
	launch_one(2, 3);
	for (uint32_t cta = 0; cta < 3; cta++) {
		const uint32_t index = fake_at_position(TAG, cta);

		device.clusters[fake_ctas[index].sm].come[0] ^= fake_ctas[index].start;
		fake_end(index, GG_OK);
		if (cta == 1) {
			fake_settle(10);
		}
	}
	fake_settle(10);
	come(3, 5, 0);
	expect_waiting(3, 5, 0, true);
	finish();
}

/* It comes after the CP has looked, and has ended when the CP takes the SM's reports. */
static void comes_after_the_look(void **state)
{
	const struct gg_cluster *words;
	uint32_t index;

	(void)state;
	launch_one(1, 3);
	index = fake_at_position(TAG, 0);
	words = &device.clusters[fake_ctas[index].sm];
	device.clusters[fake_ctas[index].sm].come[0] ^= fake_ctas[index].start;
	cga_end_ctas(task_table_holder(0), fake_ctas[index].sm, fake_ctas[index].start, true);
	assert_int_equal(words->go[0], words->come[0]);
	fake_bell(fake_ctas[index].sm);
	fake_settle(10);
	assert_int_equal(words->go[0], words->come[0]);
	come(1, 2, 0);
	expect_waiting(1, 2, 0, true);
	come(2, 3, 0);
	expect_waiting(1, 3, 0, false);
}

/* S1-R36, S1-R135: CGAs of three levels have a barrier each; those of larger ones wait for all in them. */
static void a_barrier_for_each_level(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_CPC, 1, 3);

	(void)state;
	tmd = fake_cga_outer(tmd, GG_DOMAIN_GPC, 2);
	tmd = fake_cga_outer(tmd, GG_DOMAIN_GPU, 2);
	launch(&tmd);
	come(0, 3, 0);
	expect_waiting(0, 3, 0, false);
	come(0, 5, 1);
	expect_waiting(0, 5, 1, true);
	come(5, 6, 1);
	expect_waiting(0, 6, 1, false);
	come(0, 11, 2);
	come(3, 6, 0); /* a CTA that has come to one may come to another */
	expect_waiting(0, 11, 2, true);
	expect_waiting(3, 6, 0, false);
	fake_end_position(TAG, 11, GG_OK);
	expect_waiting(0, 11, 2, false);
	for (uint32_t cta = 6; cta < 11; cta++) { /* the second half ends: with it two innermost */
		fake_end_position(TAG, cta, GG_OK);
	}
	come(0, 5, 2);
	expect_waiting(0, 5, 2, true);
	come(5, 6, 2);
	expect_waiting(0, 6, 2, false);
	assert_int_equal(device.perf->cga_barriers, 5);
	finish();
}

/* A level that its task has not, and an SM that comes twice: nobody hangs, no count is wrong. */
static void wrong_arrivals(void **state)
{
	(void)state;
	launch_one(1, 3);
	come(0, 1, 2);
	expect_waiting(0, 1, 2, false);
	come(0, 1, 0);
	come(0, 1, 0);
	come(1, 3, 0);
	expect_waiting(1, 3, 0, true);
	come(0, 1, 0);
	expect_waiting(0, 3, 0, false);
	device.clusters[7].come[1] = 1u << 31; /* no CTA is there */
	fake_bell(7);
	fake_settle(10);
	assert_int_equal(device.clusters[7].go[1], 1u << 31);
	finish();
}

/* S1-Q21: a CTA fails while others wait: all are stopped at the barrier, and the bits are equal afterwards. */
static void failure_at_the_barrier(void **state)
{
	(void)state;
	launch_one(2, 4);
	come(0, 3, 0);
	come(4, 5, 0);
	fake_end_position(TAG, 7, GG_ERR_ABORTED);
	fake_stop_all();
	fake_expect(TAG, GG_ERR_ABORTED);
	fake_cga_expect_none();
}

/* S1-R135: the CP starts again while the words of its SMs are as they were: nobody waits, and nobody is let through. */
static void words_of_before(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 8);

	(void)state;
	fake_device_init(8);
	for (uint32_t sm = 0; sm < 8; sm++) {
		memset(device.clusters[sm].come, 0xff, sizeof(device.clusters[sm].come));
		memset(device.clusters[sm].go, 0x55, sizeof(device.clusters[sm].go));
	}
	cga_barrier_init();
	fake_run(TAG, &tmd);
	fake_cga_check();
	for (uint32_t level = 0; level < CP_CGA_LEVELS; level++) {
		expect_waiting(0, 8, level, false);
	}
	come(0, 7, 0);
	expect_waiting(0, 7, 0, true);
	come(7, 8, 0);
	expect_waiting(0, 8, 0, false);
	finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_meet),
		cmocka_unit_test(one_interrupt_an_sm),
		cmocka_unit_test(not_before_all_are_launched),
		cmocka_unit_test(exits_in_between),
		cmocka_unit_test(comes_and_ends),
		cmocka_unit_test(comes_and_ends_at_once),
		cmocka_unit_test(comes_after_the_look),
		cmocka_unit_test(a_barrier_for_each_level),
		cmocka_unit_test(wrong_arrivals),
		cmocka_unit_test(failure_at_the_barrier),
		cmocka_unit_test(words_of_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

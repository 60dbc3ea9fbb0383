/* SPDX-License-Identifier: Apache-2.0 */
/* CGAs that do not fit: others go on, but cannot starve them (S1-Q9, S1-R88).
 * sources: room:accept device tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/sms/sm_state.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define STREAM 2u /* tag of the small CTAs behind */
#define SMS    8u /* two GPCs of four SMs */

static void begin(uint32_t patience)
{
	fake_device_init(SMS);
	cga_wait_set_patience(patience);
	fake_fill();
}

static uint32_t issued(void)
{
	return device.perf->ctas_lo;
}

static void run_stream(uint32_t ctas)
{
	const struct gg_tmd tmd = fake_tmd(ctas);

	fake_run(STREAM, &tmd);
}

/* CTAs end, one a turn in turn of the SMs, as many as are asked for, or until the task runs. */
static uint32_t end_until(uint32_t tag, uint32_t most)
{
	uint32_t ended = 0;

	for (uint32_t sm = 0; ended < most && fake_count(tag) == 0; sm = (sm + 1) % SMS) {
		for (uint32_t index = 0; index < fake_cta_count; index++) {
			if (fake_ctas[index].sm == sm) {
				fake_end(index, GG_OK);
				break;
			}
		}
		fake_settle(100);
		fake_cga_check();
		ended++;
	}
	return ended;
}

static uint32_t slots_of(uint32_t first_sm, uint32_t end)
{
	uint32_t slots = 0;

	for (uint32_t sm = first_sm; sm < end; sm++) {
		slots += device.sms[sm].free_ctas;
	}
	return slots;
}

/* S1-Q9, S1-Q29: a stream of small CTAs passes a large CGA for exactly the patience; then nothing more, until those
 * that run have ended and the CGA is launched; then the stream goes on. */
static void exactly_the_patience(void **state)
{
	(void)state;
	for (uint32_t patience = 0; patience < 60; patience += 13) {
		const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 2, 64); /* all slots */

		begin(patience);
		fake_run(1, &tmd);
		run_stream(10000);
		assert_int_equal(end_until(1, 1000), patience + 64);
		assert_int_equal(fake_count(1), 64);
		assert_int_equal(issued(), 64 + patience + 64);
		assert_int_equal(device.perf->cga_reservations, patience == 0 ? 2 : 1);
		while (device.perf->cgas < 2) { /* the next CGA waits as long */
			fake_end(0, GG_OK);
			fake_settle(100);
			fake_take_all();
		}
		assert_int_equal(issued(), 64 + 2 * (patience + 64));
		assert_int_equal(device.perf->cga_reservations, 2);
		fake_end_all();
		fake_take_all();
		assert_int_equal(fake_count(STREAM), 64);
	}
}

/* S1-Q9: the patience ends in the middle of a turn: no more than it says pass even if room is for more. */
static void patience_ends_in_a_turn(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, 64);

	(void)state;
	begin(10);
	fake_run(1, &tmd);
	run_stream(10000);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fake_free(sm, 1);
	}
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 8);
	for (uint32_t count = 0; count < 40; count++) {
		fake_end(0, GG_OK);
	}
	fake_settle(100);
	assert_int_equal(issued(), 64 + 10);
	assert_int_equal(device.perf->cga_reservations, 1);
}

/* S1-Q9: what is reserved is the domain with most free slots for it, and stays that one; others use the rest. */
static void one_domain_is_reserved(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 32); /* a whole GPC */

	(void)state;
	begin(0);
	fake_free(5, 6);
	fake_run(1, &tmd);
	run_stream(10000);
	fake_free(1, 8); /* in the other GPC: the stream's */
	fake_free(2, 8);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 16);
	assert_int_equal(slots_of(4, 8), 6);
	assert_int_equal(slots_of(0, 4), 0);
	fake_free(4, 8);
	fake_free(5, 2);
	fake_free(6, 8);
	fake_take_all();
	assert_int_equal(slots_of(4, 8), 24);
	fake_free(7, 8);
	fake_cga_check();
	assert_int_equal(fake_count(1), 32);
	assert_int_equal(fake_ctas[fake_at_position(1, 0)].sm, 4);
	assert_int_equal(device.perf->cga_reservations, 1);
}

/* S1-Q9: two CGAs wait: each has a domain of its own, and both are launched. */
static void two_wait(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 32);

	(void)state;
	begin(0);
	fake_run(1, &tmd);
	fake_run(3, &tmd);
	run_stream(10000);
	assert_int_equal(device.perf->cga_reservations, 2);
	fake_free(0, 8);
	fake_free(4, 8);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 0);
	for (uint32_t sm = 1; sm < SMS; sm++) {
		if (sm != 4) {
			fake_free(sm, 8);
		}
	}
	fake_cga_check();
	assert_int_equal(fake_count(1), 32);
	assert_int_equal(fake_count(3), 32);
	assert_int_equal(device.perf->cga_reservations, 2);
}

/* S1-Q9, S1-R88: two with different patience left, the smaller first: a small CGA passes a large one meanwhile. */
static void a_small_one_passes(void **state)
{
	const struct gg_tmd large = fake_cga(GG_DOMAIN_GPU, 1, 64);
	const struct gg_tmd small = fake_cga(GG_DOMAIN_TPC, 100, 2);

	(void)state;
	begin(7);
	fake_run(1, &large);
	fake_run(3, &small);
	fake_free(3, 8);
	fake_cga_check();
	assert_int_equal(fake_count(3), 8); /* whole CGAs: one more CTA than the patience */
	assert_int_equal(device.perf->cga_reservations, 1);
	end_until(1, 200);
	assert_int_equal(fake_count(1), 64);
}

static void enable(uint32_t sms)
{
	device.config->enabled[0] = sms;
	while (fake_config(GG_CONFIG_PART_ENABLED) != GG_OK) {
	}
}

/* S1-Q10, S1-Q9: SMs are disabled, and the CGA fits nowhere: it keeps nothing from anybody; when they are back, it is
 * served. */
static void fits_no_more(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 32);

	(void)state;
	begin(0);
	fake_run(1, &tmd);
	run_stream(10000);
	fake_free(0, 2);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 0);
	enable(0xee); /* seven of eight slots of each GPC: 24 */
	fake_free(1, 2);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 2);
	assert_int_equal(device.slots[1].reason, GG_REASON_CLUSTER);
	enable(0xfe); /* the second GPC has all its SMs: it can only be that one */
	fake_free(2, 1);
	fake_free(4, 1);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 3);
	for (uint32_t sm = 4; sm < 8; sm++) {
		fake_free(sm, device.resources.ctas - device.sms[sm].free_ctas);
	}
	fake_cga_check();
	assert_int_equal(fake_count(1), 32);
}

/* S1-Q9: the domain that was reserved loses an SM: another is reserved. */
static void another_domain(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 32);

	(void)state;
	begin(0);
	fake_free(0, 2);
	fake_run(1, &tmd);
	run_stream(10000);
	assert_int_equal(slots_of(0, 4), 2);
	enable(0xfd);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 2);
	assert_int_equal(device.perf->cga_reservations, 2);
	fake_free(4, 3);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 2);
	assert_int_equal(slots_of(4, 8), 3);
}

/* S0-R25, S1-Q9: SMs that its affinity leaves out are not reserved for it. */
static void affinity_is_kept(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, 32);

	(void)state;
	begin(0);
	tmd.gpc_mask = 2;
	fake_run(1, &tmd);
	run_stream(10000);
	fake_free(0, 4);
	fake_free(4, 4);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 4);
	assert_int_equal(slots_of(4, 8), 4);
}

/* S1-Q9: the GPC that is reserved is any of the device's: one behind the first 32 SMs, and no other one there. */
static void far_behind(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 32);

	(void)state;
	fake_device_init(64);
	cga_wait_set_patience(0);
	fake_fill();
	fake_free(41, 6); /* of the GPC of the SMs 40 to 47 */
	fake_run(1, &tmd);
	run_stream(10000);
	fake_free(9, 8);
	fake_free(60, 8);
	fake_free(47, 8);
	fake_take_all();
	assert_int_equal(fake_count(STREAM), 16);
	assert_int_equal(slots_of(40, 48), 14);
	fake_free(40, 8);
	fake_free(41, 2);
	fake_free(43, 8);
	fake_cga_check();
	assert_int_equal(fake_count(1), 32);
	assert_int_equal(device.perf->cga_reservations, 1);
}

/* S1-Q9: a CGA waits for SMs of the largest device that there can be. */
static void of_all_sms(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 2, 64);

	(void)state;
	fake_device_init(CP_SMS);
	cga_wait_set_patience(0);
	fake_fill();
	fake_run(1, &tmd);
	assert_int_equal(device.perf->cga_reservations, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exactly_the_patience),
		cmocka_unit_test(patience_ends_in_a_turn),
		cmocka_unit_test(one_domain_is_reserved),
		cmocka_unit_test(two_wait),
		cmocka_unit_test(a_small_one_passes),
		cmocka_unit_test(fits_no_more),
		cmocka_unit_test(another_domain),
		cmocka_unit_test(affinity_is_kept),
		cmocka_unit_test(far_behind),
		cmocka_unit_test(of_all_sms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Failed and cancelled tasks of CGAs: all their CGAs end, and nothing of them is left.
 * sources: room:collect device tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/cga/cga_wait.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static void expect_cancelled(uint64_t address)
{
	fake_name(9, GG_OPCODE_CANCEL, address);
	fake_stop_all();
	fake_settle(100);
	for (uint32_t count = 0; count < 2; count++) {
		struct gg_completion done;

		assert_true(fake_completion(&done));
		assert_int_equal((int32_t)done.status, done.tag == 9 ? GG_OK : GG_ERR_CANCELLED);
	}
	fake_expect_none();
	fake_finish();
	fake_cga_expect_none();
}

/* S1-Q21: a CTA fails: the task fails with it, all its CGAs are stopped one after the other, none is issued; the CGAs of
 * another task go on. */
static void one_cta_fails(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 20, 4);
	const struct gg_tmd other = fake_cga(GG_DOMAIN_GPC, 2, 4);

	(void)state;
	fake_device_init(4);
	fake_run(2, &other);
	fake_run(1, &tmd);
	fake_cga_check();
	assert_int_equal(fake_count(1), 24);
	fake_end_position(1, 5, GG_ERR_ABORTED);
	fake_stop_all();
	fake_expect(1, GG_ERR_ABORTED);
	fake_cga_check();
	assert_int_equal(fake_count(2), 8);
	assert_int_equal(cga_record_live(), 2);
	fake_finish();
	fake_expect(2, GG_OK);
	fake_cga_expect_none();
}

/* S1-R26: several CTAs of several CGAs in one report, with and without an error. */
static void many_in_a_report(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_TPC, 4, 2);

	(void)state;
	for (uint32_t failed = 0; failed < 2; failed++) {
		fake_device_init(1);
		fake_run(1, &tmd);
		assert_int_equal(fake_take_all(), 8);
		device.launch[0].reports[0] = (struct gg_report){
			.task = fake_ctas[0].task,
			.starts =
				0x7bu, /* one CTA of the second CGA is left, and one of the last */
			.status = failed != 0 ? (uint32_t)GG_ERR_ABORTED : 0,
		};
		device.sms[0].report_put++;
		fake_bell(0);
		fake_settle(10);
		assert_int_equal(device.sms[0].free_ctas, 6);
		assert_int_equal(device.sms[0].free_units, ~0xccu); /* S1-Q18 */
		assert_int_equal(cga_record_live(), 2);
		device.launch[0].reports[1] = device.launch[0].reports[0];
		device.launch[0].reports[1].starts = 0x84u;
		device.sms[0].report_put++;
		fake_bell(0);
		fake_settle(10);
		fake_expect(1, failed != 0 ? GG_ERR_ABORTED : GG_OK);
		fake_cga_expect_none();
	}
}

/* Cancelled while it waits for room: with patience, and with SMs reserved, which others have then. */
static void cancelled_while_it_waits(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, 16);
	const struct gg_tmd stream = fake_tmd(3);

	(void)state;
	for (uint32_t patience = 0; patience < 100; patience += 99) {
		uint64_t address;

		fake_device_init(2);
		cga_wait_set_patience(patience);
		fake_fill();
		address = fake_run(1, &tmd);
		fake_run(2, &stream);
		fake_free(0, 3);
		fake_take_all();
		assert_int_equal(fake_count(2), patience == 0 ? 0 : 3);
		fake_name(9, GG_OPCODE_CANCEL, address);
		fake_take_all();
		assert_int_equal(fake_count(2), 3);
		fake_finish();
		fake_cga_expect_none();
	}
}

/* Cancelled before all SMs have taken the packets of several CGAs: those that take them later end the CTAs at once. */
static void cancelled_on_the_way(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 6, 2);

	(void)state;
	for (uint32_t taken = 0; taken < 3; taken++) {
		uint64_t address;

		fake_device_init(2);
		address = fake_run(1, &tmd);
		fake_settle(10);
		for (uint32_t sm = 0; sm < taken; sm++) {
			fake_take_packets(sm);
		}
		assert_int_equal(fake_cta_count, 6 * taken);
		expect_cancelled(address);
	}
}

/* Cancelled while all run, while some have ended, while they wait at a barrier of two levels. */
static void cancelled_while_it_runs(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 2, 3);

	(void)state;
	tmd = fake_cga_outer(tmd, GG_DOMAIN_GPU, 2);
	for (uint32_t step = 0; step < 4; step++) {
		uint64_t address;

		fake_device_init(8);
		address = fake_run(1, &tmd);
		fake_cga_check();
		if (step == 1) {
			fake_end_position(1, 4, GG_OK);
			fake_end_position(1, 3, GG_OK);
		}
		for (uint32_t cta = 0; step >= 2 && cta < 5; cta++) {
			fake_come(1, cta, step - 2);
		}
		expect_cancelled(address);
	}
}

/* S1-R150: a CTA that comes to a barrier and is stopped before the CP has seen it. */
static void stopped_as_it_comes(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 4);
	uint64_t address;

	(void)state;
	fake_device_init(4);
	address = fake_run(1, &tmd);
	fake_take_all();
	fake_name(9, GG_OPCODE_CANCEL, address);
	for (uint32_t index = 0; index < 3; index++) {
		device.clusters[fake_ctas[index].sm].come[0] ^= fake_ctas[index].start;
	}
	fake_stop_all();
	fake_expect(9, GG_OK);
	fake_expect(1, GG_ERR_CANCELLED);
	fake_cga_expect_none();
	fake_run(2, &tmd);
	fake_cga_check();
	fake_come(2, 0, 0);
	assert_true(fake_waits(2, 0, 0));
}

/* S1-R136, S1-Q20: a CTA that failed does not let those go on that wait for it, at the barrier of any level, seen
 * before or after; another CGA's barrier goes on to work until it is stopped. */
static void nobody_goes_on_without_it(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 4, 3);

	(void)state;
	tmd = fake_cga_outer(tmd, GG_DOMAIN_GPU, 2);
	for (uint32_t level = 0; level < 2; level++) {
		fake_device_init(8);
		fake_run(1, &tmd);
		fake_cga_check();
		fake_come(1, 0, level);
		fake_end_position(1, 2, GG_ERR_ABORTED);
		fake_come(1, 1, level);
		for (uint32_t cta = 3; cta < 6; cta++) {
			fake_come(1, cta, 1);
		}
		assert_true(fake_waits(1, 0, level) && fake_waits(1, 1, level));
		assert_true(fake_waits(1, 3, 1) && fake_waits(1, 5, 1));
		for (uint32_t cta = 6; cta < 9; cta++) {
			fake_come(1, cta, 0);
		}
		assert_false(fake_waits(1, 6, 0));
		assert_int_equal(device.perf->cga_barriers, 1);
		fake_stop_all();
		fake_expect(1, GG_ERR_ABORTED);
		fake_cga_expect_none();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_cta_fails),
		cmocka_unit_test(many_in_a_report),
		cmocka_unit_test(cancelled_while_it_waits),
		cmocka_unit_test(cancelled_on_the_way),
		cmocka_unit_test(cancelled_while_it_runs),
		cmocka_unit_test(stopped_as_it_comes),
		cmocka_unit_test(nobody_goes_on_without_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

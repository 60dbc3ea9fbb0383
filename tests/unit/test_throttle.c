/* SPDX-License-Identifier: Apache-2.0 */
/* Throttle mode: few SMs run, each with the memory of several (S0-R22).
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

static struct gg_tmd throttled(struct gg_tmd tmd)
{
	tmd.header |= GG_TMD_THROTTLE;
	return tmd;
}

static void expect_shares(uint32_t sms, uint32_t sequence)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		const struct gg_sm_state *words = &device.sms[sm];

		assert_int_equal(words->share_sms, sms);
		assert_int_equal(words->share_sequence, sequence);
		assert_int_equal(words->share_lo, FAKE_UNITS + sm * FAKE_UNITS_STRIDE);
		assert_int_equal(words->share_hi, 0);
	}
}

/* S0-R22, S0-C5, S0-C9, S0-R30: the device drains, every SM gets its share, a subset runs; then
 * all goes back. */
static void there_and_back(void **state)
{
	(void)state;
	fake_device_init(4);

	const struct gg_tmd normal = fake_tmd(40);
	struct gg_tmd tmd = throttled(fake_tmd(4));

	tmd.shared_bytes = 2 * 65536;
	fake_run(1, &normal);
	assert_int_equal(fake_take_all(), 32);
	fake_run(2, &tmd);
	for (uint32_t left = 32; left > 0; left--) {
		assert_int_equal(fake_take_all(), left); /* nothing is issued meanwhile */
		assert_int_equal(device.perf->throttle_switches, 0);
		assert_int_equal(device.slots[0].reason, GG_REASON_THROTTLE);
		assert_int_equal(device.slots[1].reason, GG_REASON_THROTTLE);
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		fake_settle(10);
	}
	expect_shares(2, 1);
	assert_int_equal(fake_take_all(), 2); /* each takes all that two SMs have */
	assert_int_equal(device.slots[0].reason, GG_REASON_THROTTLE);
	assert_int_equal(device.slots[1].reason, GG_REASON_SM);
	assert_int_equal(fake_on_sm(0), 1);
	assert_int_equal(fake_on_sm(2), 1);
	fake_end_all();
	assert_int_equal(fake_take_all(), 2);
	fake_end(0, GG_OK);
	assert_int_equal(fake_take_all(), 1); /* the mode is on until the last has ended */
	expect_shares(2, 1);
	fake_end_all();
	fake_expect(2, GG_OK);
	expect_shares(1, 2);
	assert_int_equal(fake_take_all(), 8);
	assert_int_equal(fake_on_sm(1), 2);
	assert_int_equal(fake_on_sm(3), 2);
	fake_end_all();
	fake_expect(1, GG_OK);
	assert_int_equal(device.perf->throttle_switches, 2);
}

/* S0-R22: larger needs are accepted with the attribute only, and as large as the share. */
static void larger_needs(void **state)
{
	(void)state;
	fake_device_init(4);

	struct gg_tmd tmd = fake_tmd(1);

	tmd.shared_bytes = 65537;
	fake_run(1, &tmd);
	fake_expect(1, GG_ERR_SHARED_TOO_LARGE);
	tmd = throttled(tmd);
	tmd.shared_bytes = 2 * 65536 + 1;
	fake_run(2, &tmd);
	fake_expect(2, GG_ERR_SHARED_TOO_LARGE);
	tmd.shared_bytes = 0;
	tmd.private_bytes = 2 * 2097152 + 16;
	fake_run(3, &tmd);
	fake_expect(3, GG_ERR_PRIVATE_TOO_LARGE);
	tmd.private_bytes -= 16;
	tmd.grid_x = 3;
	fake_run(4, &tmd);
	assert_int_equal(fake_take_all(), 2);
	fake_end_all();
	tmd.private_bytes = 1024;
	tmd.shared_bytes = 4096 * 5; /* five of its 32 units, of 4 KiB now: six CTAs an SM */
	tmd.grid_x = 100;
	fake_finish();
	fake_expect(4, GG_OK);
	fake_run(5, &tmd);
	assert_int_equal(fake_take_all(), 12);
}

/* S0-R22: a task of higher priority that is not throttled goes first; one of the same does not. */
static void by_priority(void **state)
{
	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = throttled(fake_tmd(2));
	const struct gg_tmd high = fake_with_priority(fake_tmd(20), 1);
	const struct gg_tmd same = fake_tmd(20);

	fake_run(1, &high);
	fake_run(2, &same);
	fake_run(3, &tmd);
	assert_int_equal(fake_take_all(), 16);
	fake_end(0, GG_OK);
	fake_take_all();
	assert_int_equal(fake_count(1), 16); /* on it goes: it has CTAs left */
	while (fake_count(3) == 0) {
		assert_int_equal(fake_count(2), 0);
		fake_end(0, GG_OK);
		fake_take_all();
	}
	fake_end_all();
	fake_expect(1, GG_OK);
	fake_expect(3, GG_OK);
	fake_finish();
	fake_expect(2, GG_OK);
	fake_run(4, &tmd);
	fake_take_all();
	fake_run(5, &high); /* it comes while the mode is on: back at once */
	assert_int_equal(fake_count(4), 2);
	fake_end_all();
	fake_take_all();
	assert_int_equal(fake_count(5), 16);
	fake_finish();
}

/* S0-R22: SMs without all their neighbours take no part; with one SM its share is its own. */
static void odd_numbers_of_sms(void **state)
{
	const struct {
		uint32_t sms;
		uint32_t ctas;
	} cases[] = { { 5, 16 }, { 1, 8 }, { 2, 8 }, { 3, 8 } };

	(void)state;
	for (uint32_t index = 0; index < 4; index++) {
		fake_device_init(cases[index].sms);

		const struct gg_tmd tmd = throttled(fake_tmd(1000));

		fake_run(1, &tmd);
		assert_int_equal(fake_take_all(), cases[index].ctas);
		assert_int_equal(fake_on_sm(cases[index].sms - 1), cases[index].sms == 1 ? 8 : 0);
	}
}

/* S0-R22, S0-R25: an affinity that leaves none of the SMs that run in throttle mode is refused;
 * else the mode would never end. */
static void affinity_in_throttle_mode(void **state)
{
	(void)state;
	fake_device_init(4);

	const uint64_t mask = fake_alloc(64);
	struct gg_tmd tmd = throttled(fake_tmd(10));

	*(uint32_t *)fake_at(mask) = 0xa;
	tmd.affinity_lo = gg_low(mask);
	fake_run(1, &tmd);
	assert_int_equal(fake_expect(1, GG_ERR_AFFINITY).field, GG_FIELD_TMD_AFFINITY);
	*(uint32_t *)fake_at(mask) = 0xe;
	fake_run(2, &tmd);
	assert_int_equal(fake_take_all(), 8);
	assert_int_equal(fake_on_sm(2), 8);
	fake_finish();
	fake_expect(2, GG_OK);
	fake_device_init(5);
	tmd = fake_with_affinity(tmd, 0x10); /* which has no neighbour */
	fake_run(3, &tmd);
	assert_int_equal(fake_expect(3, GG_ERR_AFFINITY).field, GG_FIELD_TMD_AFFINITY);
}

/* S0-R22: one that no enabled SM can run in throttle mode keeps nobody else waiting. */
static void throttled_where_nothing_runs(void **state)
{
	(void)state;
	fake_device_init(4);

	struct gg_tmd tmd = throttled(fake_with_priority(fake_tmd(10), 1));
	const struct gg_tmd other = fake_tmd(3);

	tmd = fake_with_affinity(tmd, 0x4);
	device.config->enabled[0] = 0xb;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	fake_run(1, &tmd);
	fake_run(2, &other);
	assert_int_equal(fake_take_all(), 3);
	fake_end_all();
	fake_expect(2, GG_OK);
	device.config->enabled[0] = 0xf;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	assert_int_equal(fake_take_all(), 8);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* S0-R22: throttle tasks that are cancelled before, while and after the switch leave no mode
 * behind. */
static void cancelled_around_the_switch(void **state)
{
	(void)state;
	for (uint32_t when = 0; when < 3; when++) {
		fake_device_init(2);

		const struct gg_tmd normal = fake_tmd(20);
		const struct gg_tmd tmd = throttled(fake_with_priority(fake_tmd(20), 2));

		fake_run(1, &normal);
		fake_take_all();
		const uint64_t address = fake_run(2, &tmd);

		if (when == 1) {
			fake_end(0, GG_OK);
		} else if (when == 2) {
			fake_end_all();
			fake_take_all();
		}
		fake_settle(10);
		fake_name(3, GG_OPCODE_CANCEL, address);
		fake_stop_all();
		fake_finish();
		fake_expect(3, GG_OK);
		fake_expect(2, GG_ERR_CANCELLED);
		fake_expect(1, GG_OK);
		assert_int_equal(device.perf->throttle_switches, when == 2 ? 2 : 0);
	}
}

/* A task that comes while the mode is on waits for its end, whether CTAs of the mode are left to issue or only run. */
static void who_waits_for_the_mode(void **state)
{
	const struct gg_tmd normal = fake_tmd(1);

	(void)state;
	for (uint32_t ctas = 1; ctas <= 100; ctas += 99) {
		struct gg_tmd tmd = throttled(fake_with_priority(fake_tmd(ctas), 2));

		fake_device_init(4);
		tmd = fake_with_affinity(tmd, 1); /* SMs are left for others */
		fake_run(1, &tmd);
		assert_in_range(fake_take_all(), 1, ctas);
		fake_run(2, &normal);
		assert_int_equal(device.slots[1].tag, 2);
		assert_int_equal(device.slots[1].reason, GG_REASON_THROTTLE);
		fake_finish();
		fake_expect(1, GG_OK);
		fake_expect(2, GG_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_waits_for_the_mode),
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(larger_needs),
		cmocka_unit_test(by_priority),
		cmocka_unit_test(odd_numbers_of_sms),
		cmocka_unit_test(affinity_in_throttle_mode),
		cmocka_unit_test(throttled_where_nothing_runs),
		cmocka_unit_test(cancelled_around_the_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

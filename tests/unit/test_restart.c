/* SPDX-License-Identifier: Apache-2.0 */
/* The restart of the control processor: how many panics lead to one, and what it finds and leaves afterwards.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/cp/base/restart.h"
#include "firmware/cp/graph/graph_kept.h"
#include "firmware/cp/host/channel.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/recover/reset.h"
#include "firmware/cp/recover/warm.h"
#include "hal/timer.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define SMS     4u
#define STOP_SM 0xfffffffeu /* sm_state.stop_slot */

static void begin(void)
{
	fake_device_init(SMS);
	restart_init();
	device.cap->state = GG_DEVICE_STATE_READY;
	fake_hal.now += 100ull * timer_hz(); /* the minute of the test before is over */
}

/* As many panics in a minute as CONFIG says lead to a restart; then it has to be quiet for a minute. */
static void test_panics_in_a_minute(void **state)
{
	(void)state;
	for (uint32_t most = 0; most < 5; most++) {
		begin();
		device.config->restarts = most;
		assert_int_equal(config_apply(1u << GG_CONFIG_PART_RESTARTS).status, GG_OK);
		for (uint32_t minute = 0; minute < 3; minute++) {
			for (uint32_t panic = 0; panic < 8; panic++) {
				assert_int_equal(restart_is_due(), panic < most);
				fake_hal.now += timer_hz();
			}
			fake_hal.now += 60ull * timer_hz();
		}
	}
}

/* A panic before the device is ready, which would come again, leads to none and counts for none. */
static void test_panics_while_booting(void **state)
{
	(void)state;
	begin();
	device.cap->state = GG_DEVICE_STATE_BOOTING;
	for (uint32_t panic = 0; panic < 10; panic++) {
		assert_false(restart_is_due());
	}
	device.cap->state = GG_DEVICE_STATE_READY;
	for (uint32_t panic = 0; panic < RESTARTS; panic++) {
		assert_true(restart_is_due());
	}
	assert_false(restart_is_due());
}

/* Numbers that CONFIG does not take. */
static void test_config(void **state)
{
	(void)state;
	begin();
	assert_int_equal(device.config->restarts, RESTARTS);
	device.config->restarts = RESTARTS_MOST + 1;
	const struct refusal refusal = config_apply(1u << GG_CONFIG_PART_RESTARTS);

	assert_int_equal(refusal.status, GG_ERR_CONFIG);
	assert_int_equal(refusal.field, GG_FIELD_CONFIG_RESTARTS);
	assert_int_equal(refusal.value, RESTARTS_MOST + 1);
	assert_int_equal(restart_most(), RESTARTS);
}

/* The control processor boots again from here on, as far as rooms know. */
static void boot_again(void)
{
	loop_init();
	channel_refuse_all();
	device.cap->resets++;
}

/* A command restarts it at once; nothing is posted for that command, or for what was accepted before. */
static void test_command(void **state)
{
	const struct gg_tmd tmd = fake_tmd(4);

	(void)state;
	begin();
	fake_submit(1, 5, &tmd);
	fake_settle(100);
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_RESET_SM,
					  .argument1 = GG_TARGET_DEVICE,
					  .tag = 7 });
	fake_hal.restarts = true;
	if (setjmp(fake_hal.restarted) == 0) {
		fake_settle(100);
		fail();
	}
	fake_hal.restarts = false;
	assert_true(restart_is_warm());
	assert_int_equal(device.cap->state, GG_DEVICE_STATE_BOOTING);
	assert_int_equal(device.post->put, 0);
}

/* After a restart each channel is refused, whatever its host wrote, until the host resets it; a reset that was asked for
 * before does not count. Completions go on behind those that the host has not taken. */
static void test_channels(void **state)
{
	(void)state;
	begin();
	for (uint32_t nop = 0; nop < 3; nop++) {
		fake_post(2, (struct gg_command){ .header = GG_OPCODE_NOP, .tag = 50 + nop });
	}
	fake_settle(100);
	assert_int_equal(device.post->put, 3);
	device.channels[2].put++;
	device.channels[3].reset++;
	boot_again();
	fake_settle(100);
	for (uint32_t channel = 0; channel < CP_CHANNELS; channel++) {
		assert_int_equal(device.channels[channel].state, GG_CHANNEL_STATE_REFUSED);
		device.post->bells[channel / 4] += 1u << channel % 4 * 8;
		fake_settle(100);
		assert_int_equal(device.channels[channel].state, GG_CHANNEL_STATE_REFUSED);
	}
	assert_int_equal(device.post->put, 3);
	for (uint32_t channel = 2; channel < 4; channel++) {
		device.channels[channel].put = 0;
		device.channels[channel].reset++;
		device.post->rung++;
		fake_settle(100);
		assert_int_equal(device.channels[channel].state, GG_CHANNEL_STATE_OPEN);
		assert_int_equal(device.channels[channel].reset_done,
				 device.channels[channel].reset);
		fake_post(channel,
			  (struct gg_command){ .header = GG_OPCODE_NOP, .tag = 60 + channel });
		fake_settle(100);
		assert_int_equal(device.post->put, channel + 2);
		assert_int_equal(device.completions[channel + 1].tag, 60 + channel);
		assert_int_equal(device.completions[channel + 1].status, GG_OK);
	}
	assert_int_equal(device.completions[2].tag, 52);
}

/* A put word of completions that a bug has destroyed is repaired: the host takes nothing that was not written. */
static void test_wild_put(void **state)
{
	(void)state;
	begin();
	device.post->get = 40;
	device.post->put = 1000;
	boot_again();
	fake_settle(100);
	assert_in_range(device.post->put - device.post->get, 0, CP_COMPLETION_ENTRIES);
}

/* S2-Q20: handles of kept graphs from before a restart are not given out again soon. */
static void test_handles(void **state)
{
	struct graph_image image = { 0 };
	uint32_t seen[8];

	(void)state;
	begin();
	for (uint32_t restart = 0; restart < 8; restart++) {
		device.cap->resets = restart;
		graph_kept_init();
		seen[restart] = graph_kept_add(&image);
		for (uint32_t earlier = 0; earlier < restart; earlier++) {
			assert_int_not_equal(seen[earlier], seen[restart]);
		}
	}
}

/* S1-R100: SMs that still run are asked to stop, and those that do not within the bound are forced, where the machine can; SMs that
 * sleep are left alone. */
static void test_stop(void **state)
{
	(void)state;
	for (uint32_t forced = 0; forced < 2; forced++) {
		begin();
		fake_hal.has_reset = forced != 0;
		for (uint32_t sm = 0; sm < SMS; sm++) {
			fake_hal.stopped[sm] = sm == 1;
			fake_hal.sm_rings[sm] = 0;
			device.sms[sm].stop_slot = 0;
		}
		fake_hal.slow = 10000;
		assert_int_equal(warm_stop_sms(), forced ? 0 : SMS - 1);
		fake_hal.slow = 0;
		for (uint32_t sm = 0; sm < SMS; sm++) {
			assert_int_equal(device.sms[sm].stop_slot, sm == 1 ? 0 : STOP_SM);
			assert_int_equal(fake_hal.sm_rings[sm], sm == 1 ? 0 : 1);
			assert_int_equal(fake_hal.forced[sm], sm == 1 ? 0 : 1);
		}
	}
}

/* What hosts write, completions, and the records of faults and panics stay; all else that SMs and CP share is cleared. */
static void test_clear(void **state)
{
	(void)state;
	begin();
	device.channels[3].put = 11;
	device.post->get = 12;
	device.completions[5].tag = 13;
	device.error->cause = 14;
	device.perf->commands = 15;
	device.sms[SMS - 1].health = 16;
	device.waves[CP_SLOTS - 1].entry.first = 17;
	((struct gg_fault_record *)((unsigned char *)device.cap + device.cap->faults_offset))->tag =
		18;
	device.slots[0].state = 19;
	device.clusters[0].go[0] = 20;
	warm_clear();
	assert_int_equal(device.channels[3].put, 11);
	assert_int_equal(device.post->get, 12);
	assert_int_equal(device.completions[5].tag, 13);
	assert_int_equal(device.error->cause, 14);
	assert_int_equal(device.perf->commands, 0);
	assert_int_equal(device.sms[SMS - 1].health, 0);
	assert_int_equal(device.waves[CP_SLOTS - 1].entry.first, 0);
	assert_int_equal(((struct gg_fault_record *)((unsigned char *)device.cap +
						     device.cap->faults_offset))
				 ->tag,
			 18);
	assert_int_equal(device.slots[0].state, 0);
	assert_int_equal(device.clusters[0].go[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_panics_in_a_minute),
		cmocka_unit_test(test_panics_while_booting),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_channels),
		cmocka_unit_test(test_wild_put),
		cmocka_unit_test(test_handles),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

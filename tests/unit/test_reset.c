/* SPDX-License-Identifier: Apache-2.0 */
/* RESET_SM: an SM is stopped, its CTAs end, and it comes back as if it had just booted; or it is written off.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/recover/reset.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define SMS     8u
#define RESET   99u         /* tag of RESET_SM commands */
#define STOP_SM 0xfffffffeu /* sm_state.stop_slot */

static void ask(uint32_t sm)
{
	fake_post(1, (struct gg_command){
			     .header = GG_OPCODE_RESET_SM, .tag = RESET, .argument0 = sm });
	fake_settle(100);
}

/* The SM obeys, and starts again. */
static void obey(uint32_t sm)
{
	assert_int_equal(device.sms[sm].stop_slot, STOP_SM);
	fake_sm_stop(sm);
	fake_settle(100);
	fake_sm_start(sm);
	fake_settle(100);
}

static void pass_ms(uint32_t ms)
{
	fake_hal.now += ms * 10000u;
	fake_settle(100);
}

static void refused(uint32_t sm, enum gg_status status, uint32_t value)
{
	struct gg_completion done;

	ask(sm);
	done = fake_expect(RESET, status);
	assert_int_equal(done.field, GG_FIELD_COMMAND_ARGUMENT0);
	assert_int_equal(done.value_lo, value);
}

static void at_rest(void)
{
	fake_expect_none();
	assert_int_equal(sm_state_resident(), 0);
	assert_int_equal(task_table_free(), CP_SLOTS);
	assert_int_equal(device.perf->unmatched, 0);
	assert_false(due_is(DUE_RESET));
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		assert_int_equal(device.sms[sm].free_units, UINT32_MAX);
		assert_int_equal(device.sms[sm].free_ctas, 8);
		assert_int_equal(device.sms[sm].free_warps, 64);
	}
}

/* A grid with twice as many CTAs as there is room for. Returns how many SMs it reaches. */
static uint32_t used_sms(void)
{
	const struct gg_tmd tmd = fake_tmd(16 * SMS);
	uint32_t sms = 0;

	fake_run(50, &tmd);
	fake_take_all();
	for (uint32_t sm = 0; sm < SMS; sm++) {
		sms += fake_on_sm(sm) != 0 ? 1 : 0;
	}
	fake_finish();
	fake_expect(50, GG_OK);
	return sms;
}

/* S0-R31, S1-R100: an idle SM goes through its boot path, and takes CTAs again; the answer comes at the end. */
static void an_idle_sm(void **state)
{
	(void)state;
	fake_device_init(SMS);
	ask(3);
	fake_expect_none();
	assert_int_equal(fake_hal.starts[3], 0);
	fake_sm_stop(3);
	fake_settle(100);
	assert_int_equal(fake_hal.starts[3], 1);
	fake_expect_none();
	assert_false(sm_state_enabled(3));
	fake_sm_start(3);
	fake_settle(100);
	fake_expect(RESET, GG_OK);
	assert_int_equal(device.perf->sms_lost, 1);
	assert_int_equal(device.perf->sms_back, 1);
	assert_int_equal(used_sms(), SMS);
	at_rest();
}

/* The CTAs of the SM end with ERR_SM_LOST; those of other tasks go on, and nothing of the old ones is left. */
static void an_sm_with_ctas(void **state)
{
	const struct gg_tmd small = fake_tmd(4), large = fake_tmd(40);

	(void)state;
	fake_device_init(SMS);
	fake_run(1, &large);
	fake_take_all();
	ask(5);
	fake_run(2, &small);
	obey(5);
	fake_expect(RESET, GG_OK);
	fake_stop_all();
	fake_expect(1, GG_ERR_SM_LOST);
	fake_finish();
	fake_expect(2, GG_OK);
	assert_int_equal(used_sms(), SMS);
	at_rest();
}

/* From the command on the SM gets nothing that it could only lose. */
static void gets_no_more(void **state)
{
	const struct gg_tmd tmd = fake_tmd(8 * SMS);

	(void)state;
	fake_device_init(SMS);
	ask(3);
	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 8 * (SMS - 1));
	assert_int_equal(fake_on_sm(3), 0);
	obey(3);
	fake_expect(RESET, GG_OK);
	fake_finish();
	fake_expect(1, GG_OK);
	at_rest();
}

/* A CTA of that SM asks for something; the answer is there when this returns. */
static void make_request(uint32_t sm)
{
	const struct gg_tmd tmd = fake_tmd(SMS);

	fake_run(9, &tmd);
	assert_int_equal(fake_take_all(), SMS);
	for (uint32_t index = 0; index < SMS; index++) {
		if (fake_ctas[index].sm == sm) {
			(void)fake_request(index, (struct gg_request){ .kind = 77 });
		}
	}
	fake_finish();
	fake_expect(9, GG_OK);
}

/* Both ends of the rings begin anew: what was counted before the reset does not count. */
static void rings_begin_anew(void **state)
{
	(void)state;
	fake_device_init(SMS);
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t grid = 0; grid < 5; grid++) {
			assert_int_equal(used_sms(), SMS);
		}
		make_request(2);
		assert_int_equal(device.launch[2].header.request_get, 1);
		assert_true(device.launch[2].header.launch_put != 0);
		ask(2);
		fake_sm_stop(2);
		fake_settle(100);
		assert_int_equal(device.launch[2].header.report_get, 0);
		assert_int_equal(device.sms[2].report_put, 0);
		assert_int_equal(launch_written[2], 0);
		fake_sm_start(2);
		fake_settle(100);
		fake_expect(RESET, GG_OK);
	}
	at_rest();
}

/* An SM that stopped on a bug of its own comes back, too: its CTAs have ended before. */
static void a_lost_sm_comes_back(void **state)
{
	const struct gg_tmd tmd = fake_tmd(8);

	(void)state;
	fake_device_init(SMS);
	fake_run(1, &tmd);
	fake_take_all();
	fake_sm_stop(0);
	fake_settle(100);
	fake_stop_all();
	fake_expect(1, GG_ERR_SM_LOST);
	assert_int_equal(used_sms(), SMS - 1);
	ask(0);
	assert_int_equal(fake_hal.starts[0], 1);
	fake_sm_start(0);
	fake_settle(100);
	fake_expect(RESET, GG_OK);
	assert_int_equal(device.perf->sms_lost, 1);
	assert_int_equal(used_sms(), SMS);
	at_rest();
}

/* One that does not answer, and cannot be forced, is written off: the answer says so. What it does later is not heard.
 * Once it sleeps it can be brought back. */
static void written_off(void **state)
{
	const struct gg_tmd tmd = fake_tmd(SMS);

	(void)state;
	fake_device_init(SMS);
	fake_run(1, &tmd);
	fake_take_all();
	ask(6);
	pass_ms(RESET_ANSWER_MS - 100);
	fake_expect_none();
	pass_ms(200);
	assert_int_equal(fake_hal.forced[6], 1);
	const struct gg_completion done = fake_expect(RESET, GG_ERR_SM_LOST);

	assert_int_equal(done.field, GG_FIELD_COMMAND_ARGUMENT0);
	assert_int_equal(done.value_lo, 6);
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		if (fake_ctas[index].sm == 6) {
			fake_end(index, GG_OK); /* it was only slow */
		}
	}
	fake_stop_all();
	fake_expect(1, GG_ERR_SM_LOST);
	assert_int_equal(used_sms(), SMS - 1);
	fake_sm_stop(6);
	fake_settle(100);
	ask(6);
	fake_sm_start(6);
	fake_settle(100);
	fake_expect(RESET, GG_OK);
	assert_int_equal(device.perf->sms_lost, 1);
	assert_int_equal(used_sms(), SMS);
	at_rest();
}

/* Where the machine has a reset for each hart, one that does not answer is forced, after the bound of CONFIG. */
static void forced(void **state)
{
	(void)state;
	fake_device_init(SMS);
	fake_hal.has_reset = true;
	device.config->answer_ms = 20;
	assert_int_equal(fake_config(GG_CONFIG_PART_ANSWER), GG_OK);
	ask(1);
	pass_ms(19);
	assert_int_equal(fake_hal.forced[1], 0);
	pass_ms(2);
	assert_int_equal(fake_hal.forced[1], 1);
	assert_int_equal(fake_hal.starts[1], 1);
	fake_sm_start(1);
	fake_settle(100);
	fake_expect(RESET, GG_OK);
	assert_int_equal(used_sms(), SMS);
	at_rest();
}

/* What an SM that is forced has written without ringing counts: its CTA has ended well, and the task with it. */
static void what_it_has_written(void **state)
{
	const struct gg_tmd tmd = fake_tmd(SMS);

	(void)state;
	for (uint32_t has_reset = 0; has_reset <= 1; has_reset++) {
		fake_device_init(SMS);
		fake_hal.has_reset = has_reset != 0;
		fake_run(1, &tmd);
		fake_take_all();
		ask(6);
		while (fake_cta_count != 0) {
			fake_end(0, GG_OK);
		}
		((unsigned char *)device.bells)[6]--;
		fake_settle(100);
		fake_expect_none();
		pass_ms(RESET_ANSWER_MS + 100);
		if (has_reset == 0) {
			fake_expect(RESET, GG_ERR_SM_LOST);
		}
		assert_int_equal(fake_expect(1, GG_OK).ctas_lo, SMS);
		fake_expect_none();
	}
}

/* One that does not start, or has lost an ability, is written off. */
static void does_not_start(void **state)
{
	(void)state;
	fake_device_init(SMS);
	ask(1);
	fake_sm_stop(1);
	fake_settle(100);
	pass_ms(RESET_ANSWER_MS - 100);
	fake_expect_none();
	pass_ms(200);
	fake_expect(RESET, GG_ERR_SM_LOST);
	device.cap->features = 1u << GG_FEATURE_ATOMICS | 1u << GG_FEATURE_DOORBELL | CP_PARTS;
	ask(2);
	fake_sm_stop(2);
	fake_settle(100);
	device.sms[2].hart_state = GG_HART_STATE_STARTED;
	device.sms[2].features = 1u << GG_FEATURE_FLOAT;
	fake_settle(100);
	fake_expect(RESET, GG_ERR_SM_LOST);
	device.cap->features = 0;
	assert_int_equal(used_sms(), SMS - 2);
	at_rest();
}

/* What cannot be is refused with field and value, and changes nothing. One RESET_SM is carried out at a time. */
static void wrong_commands(void **state)
{
	(void)state;
	fake_device_init(SMS);
	refused(SMS, GG_ERR_ARGUMENT, SMS);
	refused(UINT32_MAX, GG_ERR_ARGUMENT, UINT32_MAX);
	ask(4);
	refused(4, GG_ERR_BUSY, 4);
	refused(5, GG_ERR_BUSY, 4);
	assert_int_equal(device.sms[5].stop_slot, UINT32_MAX);
	obey(4);
	fake_expect(RESET, GG_OK);
	for (uint32_t ms = 0; ms <= RESET_ANSWER_MOST_MS + 1; ms += RESET_ANSWER_MOST_MS + 1) {
		device.config->answer_ms = ms;
		assert_int_equal(fake_config(GG_CONFIG_PART_ANSWER), GG_ERR_CONFIG);
	}
	at_rest();
}

/* An SM that the host has disabled stays disabled when it is back; one that it disables meanwhile, too. */
static void stays_disabled(void **state)
{
	(void)state;
	fake_device_init(SMS);
	device.config->enabled[0] = 0xfe;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	ask(0);
	obey(0);
	fake_expect(RESET, GG_OK);
	assert_false(sm_state_enabled(0));
	ask(1);
	fake_sm_stop(1);
	fake_settle(100);
	device.config->enabled[0] = 0xfd;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	assert_true(sm_state_enabled(0));
	fake_sm_start(1);
	fake_settle(100);
	fake_expect(RESET, GG_OK);
	assert_false(sm_state_enabled(1));
	device.config->enabled[0] = 0xff;
	assert_int_equal(fake_config(GG_CONFIG_PART_ENABLED), GG_OK);
	assert_int_equal(used_sms(), SMS);
	at_rest();
}

/* SMs of a closed wave: one that has counted itself has lost nothing; one that still runs fails the task. */
static void sms_of_a_wave(void **state)
{
	const struct gg_tmd tmd = fake_tmd(SMS);

	(void)state;
	for (uint32_t ended = 0; ended < 2; ended++) {
		fake_device_init(SMS);
		device.cap->features = 1u << GG_FEATURE_ATOMICS;
		fake_run(1, &tmd);
		fake_take_all();
		assert_int_equal(wave_behind, 1);
		if (ended != 0) {
			for (uint32_t index = fake_cta_count; index-- > 0;) {
				if (fake_ctas[index].sm == 2) {
					fake_end(index, GG_OK);
				}
			}
		}
		ask(2);
		fake_look();
		fake_settle(100);
		obey(2);
		fake_expect(RESET, GG_OK);
		if (ended != 0) {
			fake_end_all();
			assert_int_equal(fake_expect(1, GG_OK).ctas_lo, SMS);
		} else {
			fake_stop_all();
			fake_expect(1, GG_ERR_SM_LOST);
		}
		assert_int_equal(wave_slots, 0);
		assert_int_equal(used_sms(), SMS);
		at_rest();
	}
}

/* A CGA that needs all SMs. */
static struct gg_tmd cga_of_all(void)
{
	struct gg_tmd tmd = fake_with_type(fake_tmd(SMS), GG_TASK_TYPE_GPU_CGA);

	tmd.header |= gg_put(GG_TMD_MODE, GG_TASK_MODE_MULTI_CAST);
	tmd.cluster_xy = SMS | 1u << 16;
	tmd.cluster_z = 1;
	return tmd;
}

/* S1-Q18, S1-R148: the CGA of a lost member ends as a whole: its other members are stopped, its memory and its id come back. */
static void a_member_of_a_cga(void **state)
{
	const struct gg_tmd tmd = cga_of_all();

	(void)state;
	fake_device_init(SMS);
	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), SMS);
	ask(7);
	obey(7);
	fake_expect(RESET, GG_OK);
	fake_stop_all();
	fake_expect(1, GG_ERR_SM_LOST);
	fake_run(2, &tmd);
	assert_int_equal(fake_take_all(), SMS);
	fake_finish();
	fake_expect(2, GG_OK);
	at_rest();
}

static void cga_is_refused(uint32_t tag)
{
	const struct gg_tmd tmd = cga_of_all();

	fake_run(tag, &tmd);
	const struct gg_completion done = fake_expect(tag, GG_ERR_CLUSTER);

	assert_int_equal(done.field, GG_FIELD_TMD_MODE);
	assert_int_equal(done.value_lo, SMS - 1);
}

/* S1-Q10: a CGA is submitted while an SM that it needs is being reset: before it stops, when it has, and while it starts. The
 * CGA waits for it, also when it was lost before. */
static void a_cga_comes_meanwhile(void **state)
{
	const struct gg_tmd tmd = cga_of_all();

	(void)state;
	fake_device_init(SMS);
	for (uint32_t lost = 0; lost < 2; lost++) {
		if (lost != 0) {
			fake_sm_stop(7);
			fake_settle(100);
			cga_is_refused(9); /* nobody has asked for the SM */
		}
		ask(7);
		fake_run(1, &tmd);
		fake_sm_stop(7);
		fake_settle(100);
		fake_run(2, &tmd);
		assert_int_equal(fake_take_all(), 0);
		fake_expect_none();
		fake_sm_start(7);
		fake_settle(100);
		fake_expect(RESET, GG_OK);
		assert_int_equal(fake_take_all(), 2 * SMS);
		fake_finish();
		fake_expect(1, GG_OK);
		fake_expect(2, GG_OK);
		at_rest();
	}
}

/* An SM that is written off counts no more, whether it does not stop or does not start: other tasks get the SMs for which a
 * CGA waited, and another CGA is refused. The one that waits runs when the SM is brought back. */
static void a_cga_whose_sm_stays_away(void **state)
{
	const struct gg_tmd tmd = cga_of_all(), grid = fake_tmd(4);

	(void)state;
	for (uint32_t stops = 0; stops < 2; stops++) {
		fake_device_init(SMS);
		cga_wait_set_patience(0);
		ask(7);
		if (stops != 0) {
			fake_sm_stop(7);
			fake_settle(100);
		}
		fake_run(1, &tmd);
		fake_run(2, &grid);
		assert_int_equal(fake_take_all(), 0);
		pass_ms(RESET_ANSWER_MS + 100);
		fake_expect(RESET, GG_ERR_SM_LOST);
		assert_int_equal(fake_take_all(), 4);
		fake_finish();
		fake_expect(2, GG_OK);
		cga_is_refused(3);
		fake_sm_stop(7);
		fake_settle(100);
		ask(7);
		fake_sm_start(7);
		fake_settle(100);
		fake_expect(RESET, GG_OK);
		assert_int_equal(fake_take_all(), SMS);
		fake_finish();
		fake_expect(1, GG_OK);
		at_rest();
	}
}

/* S0-R22: the SM of a throttle task. It has its share of the memory again, in that mode and afterwards. */
static void in_throttle_mode(void **state)
{
	struct gg_tmd tmd = fake_tmd(4);

	(void)state;
	fake_device_init(SMS);
	tmd.header |= GG_TMD_THROTTLE;
	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 4);
	ask(2);
	assert_int_equal(device.sms[2].share_sms, 2);
	obey(2);
	fake_expect(RESET, GG_OK);
	fake_stop_all();
	fake_expect(1, GG_ERR_SM_LOST);
	fake_run(2, &tmd);
	assert_int_equal(fake_take_all(), 4);
	assert_int_equal(fake_on_sm(2), 1);
	fake_finish();
	fake_expect(2, GG_OK);
	assert_int_equal(used_sms(), SMS);
	assert_int_equal(device.sms[2].share_sms, 1);
	at_rest();
}

/* S0-R15: the answer waits while the ring of completions is full, and is not lost. */
static void answer_waits_for_room(void **state)
{
	(void)state;
	fake_device_init(SMS);
	ask(3);
	device.post->get = device.post->put - CP_COMPLETION_ENTRIES;
	obey(3);
	assert_true(due_is(DUE_RESET));
	assert_true(sm_state_enabled(3));
	device.post->get = device.post->put;
	fake_settle(100);
	fake_expect(RESET, GG_OK);
	at_rest();
}

/* Resets that are under way come to their ends, and SMs that sleep are started. */
static void all_come_back(void)
{
	for (uint32_t sm = 0; sm < SMS; sm++) {
		if (device.sms[sm].stop_slot == STOP_SM && !fake_hal.stopped[sm]) {
			fake_sm_stop(sm);
			fake_settle(100);
		}
		if (device.sms[sm].hart_state == GG_HART_STATE_STOPPED) {
			fake_sm_start(sm);
			fake_settle(100);
		}
	}
}

/* Grids and resets at random: each task ends once, well or with ERR_SM_LOST, and all SMs are back. */
static void storm(void **state)
{
	uint32_t tag = 1000, over = 0, seed = 1, resets = 0;
	struct gg_completion done;

	(void)state;
	fake_device_init(SMS);
	device.cap->features = 1u << GG_FEATURE_ATOMICS;
	for (uint32_t step = 0; step < 20000 || over < tag - 1000; step++) {
		seed = seed * 1103515245u + 12345u;
		const uint32_t what = seed >> 16 & 15u, which = seed >> 20 & 0x7ffu;
		const uint32_t sm = which % SMS;

		if (what < 2 && step < 20000) {
			const struct gg_tmd tmd =
				fake_with_priority(fake_tmd(1 + which % 60), 1 + which % 9);

			fake_submit(0, tag++, &tmd);
		} else if (what == 2 && step < 20000) {
			fake_post(1, (struct gg_command){ .header = GG_OPCODE_RESET_SM,
							  .tag = RESET,
							  .argument0 = sm });
		} else if (what == 3 && device.sms[sm].stop_slot == STOP_SM &&
			   !fake_hal.stopped[sm]) {
			fake_sm_stop(sm);
		} else if (what == 4 && fake_hal.starts[sm] != 0 && !fake_hal.stopped[sm] &&
			   device.sms[sm].hart_state == GG_HART_STATE_STOPPED) {
			fake_sm_start(sm);
			resets++;
		} else if (what == 5) {
			fake_stop_all();
		} else if (what < 8) {
			(void)fake_take_packets(sm);
		} else if (fake_cta_count != 0) {
			fake_end(which % fake_cta_count, GG_OK);
		}
		fake_look();
		fake_settle(1000);
		while (fake_completion(&done)) {
			if (done.tag != RESET) {
				assert_true(done.status == 0 ||
					    done.status == (uint32_t)GG_ERR_SM_LOST);
				over++;
			}
		}
	}
	all_come_back();
	while (fake_completion(&done)) {
		assert_int_equal(done.tag, RESET);
	}
	assert_true(resets > 50);
	assert_int_equal(used_sms(), SMS);
	at_rest();
}

static void all_heard(void)
{
	assert_memory_equal(inbox_heard, device.bells, SMS);
}

/* Each SM has rung, and all of it is heard of, on the short way, too. */
static void hear_each(void)
{
	const struct gg_tmd tmd = fake_tmd(1);

	fake_device_init(SMS);
	for (uint32_t tag = 0; tag < SMS; tag++) {
		fake_run(tag, &tmd);
		assert_int_equal(fake_take_all(), 1);
		for (uint32_t rings = 0; rings < tag; rings++) {
			fake_bell(fake_ctas[0].sm);
		}
		fake_end_all();
		fake_expect(tag, GG_OK);
		all_heard();
	}
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fake_bell(sm);
	}
	fake_settle(100);
	all_heard();
}

/* At the start no SM has been heard of: the first ring of each one is news. */
static void bells_at_the_start(void **state)
{
	(void)state;
	hear_each();
	memset(inbox_heard, 1, sizeof(inbox_heard));
	inbox_init();
	for (uint32_t word = 0; word < CP_SMS / 4; word++) {
		assert_int_equal(inbox_heard[word], 0);
	}
}

/* An SM that starts anew begins to count its rings anew; the others go on. */
static void bells_of_one(void **state)
{
	unsigned char bells[SMS];

	(void)state;
	for (uint32_t sm = 0; sm < SMS; sm++) {
		hear_each();
		memcpy(bells, device.bells, SMS);
		assert_int_not_equal(bells[sm], 0);
		bells[sm] = 0;
		inbox_forget(sm);
		assert_memory_equal(device.bells, bells, SMS);
		all_heard();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_idle_sm),
		cmocka_unit_test(an_sm_with_ctas),
		cmocka_unit_test(gets_no_more),
		cmocka_unit_test(rings_begin_anew),
		cmocka_unit_test(a_lost_sm_comes_back),
		cmocka_unit_test(written_off),
		cmocka_unit_test(forced),
		cmocka_unit_test(what_it_has_written),
		cmocka_unit_test(does_not_start),
		cmocka_unit_test(wrong_commands),
		cmocka_unit_test(stays_disabled),
		cmocka_unit_test(sms_of_a_wave),
		cmocka_unit_test(a_member_of_a_cga),
		cmocka_unit_test(a_cga_comes_meanwhile),
		cmocka_unit_test(a_cga_whose_sm_stays_away),
		cmocka_unit_test(in_throttle_mode),
		cmocka_unit_test(answer_waits_for_room),
		cmocka_unit_test(storm),
		cmocka_unit_test(bells_at_the_start),
		cmocka_unit_test(bells_of_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

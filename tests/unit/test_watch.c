/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog: an SM with CTAs that takes no interrupts is found, and reset or written off; no other SM is.
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
#include "firmware/cp/recover/reset.h"
#include "firmware/cp/recover/watch.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/wave/wave.h"
#include "hal/timer.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define SMS     8u
#define LOOKS   24u         /* as in watch.c */
#define STOP_SM 0xfffffffeu /* sm_state.stop_slot */
#define MS      10000u      /* ticks of a millisecond */

static uint32_t rings[CP_SMS]; /* interrupts of each SM that were answered, or will never be */
static uint32_t hung;          /* bit per SM: it answers no more */

static void begin(uint32_t sms)
{
	fake_device_init(sms);
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		rings[sm] = 0;
	}
	hung = 0;
}

/* SMs that were interrupted count that, as at each of their traps. */
static void answer(void)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (fake_hal.sm_rings[sm] != rings[sm] && (hung >> sm & 1u) == 0) {
			device.sms[sm].health++;
		}
		rings[sm] = fake_hal.sm_rings[sm];
	}
}

/* When the timer interrupts a control processor that goes to sleep now. */
static uint64_t go_to_sleep(void)
{
	const uint64_t deadline = loop_deadline();

	if (deadline != UINT64_MAX) {
		timer_set(deadline);
	}
	return fake_hal.timer;
}

/* The timer interrupts. */
static void tick(void)
{
	timer_cancel();
	watch_tick();
	fake_settle(100);
}

/* The control processor sleeps until its timer interrupts, and then for `late` ticks more. */
static void sleep_and_wake(uint32_t late)
{
	const uint64_t deadline = go_to_sleep();

	assert_true(deadline != UINT64_MAX);
	fake_hal.now = (deadline > fake_hal.now ? deadline : fake_hal.now) + late;
	tick();
	answer();
}

/* CTAs on all SMs, one or more on each. */
static void run_on_all(uint32_t tag)
{
	const struct gg_tmd tmd = fake_tmd(2 * SMS);

	fake_run(tag, &tmd);
	fake_take_all();
	answer();
}

static void nobody_is_asked(void)
{
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(fake_hal.sm_rings[sm], rings[sm]);
	}
}

/* S0-R15: a device without CTAs has no timer, before and after its first task. */
static void no_timer_without_work(void **state)
{
	(void)state;
	begin(SMS);
	assert_true(go_to_sleep() == UINT64_MAX);
	run_on_all(1);
	assert_true(go_to_sleep() != UINT64_MAX);
	fake_finish();
	fake_expect(1, GG_OK);
	answer();
	sleep_and_wake(0);
	nobody_is_asked();
	assert_true(go_to_sleep() == UINT64_MAX);
	run_on_all(2);
	assert_true(go_to_sleep() != UINT64_MAX);
	assert_int_equal(due_stages, 0); /* nothing keeps the next task from the short way */
}

/* A kernel that runs for an hour: its SM is interrupted, answers, and is left alone. Idle SMs are not asked. */
static void long_kernels_are_left_alone(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);
	const uint32_t looks = 3600u * 1000u * LOOKS / WATCH_MS;

	(void)state;
	begin(SMS);
	fake_run(1, &tmd);
	fake_take_all();
	const uint32_t user = fake_ctas[0].sm;
	uint32_t before[SMS];

	answer();
	for (uint32_t sm = 0; sm < SMS; sm++) {
		before[sm] = fake_hal.sm_rings[sm];
	}
	for (uint32_t look = 0; look < looks; look++) {
		sleep_and_wake(0);
	}
	assert_in_range(fake_hal.sm_rings[user] - before[user], looks / 2 - 1, looks);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_true(sm == user || fake_hal.sm_rings[sm] == before[sm]);
	}
	assert_int_equal(device.perf->sms_hung, 0);
	assert_int_equal(device.sms[user].stop_slot, UINT32_MAX);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* Looks until an SM is being reset. Returns their number. */
static uint32_t looks_until_reset(uint32_t sm, uint32_t late)
{
	uint32_t looks = 0;

	while (device.sms[sm].stop_slot != STOP_SM) {
		assert_true(++looks < 100);
		sleep_and_wake(late);
	}
	return looks;
}

/* An SM that answers no more is asked, then stopped, and after the bound of RESET_SM written off. What it ran ends
 * with a fault record that names it; tasks elsewhere go on. */
static void a_hung_sm_is_written_off(void **state)
{
	const struct gg_fault_record *record;
	const struct gg_tmd tmd = fake_tmd(4);
	struct gg_completion done;
	uint64_t since;

	(void)state;
	begin(SMS);
	run_on_all(7);
	hung = 1u << 5;
	since = fake_hal.now;
	looks_until_reset(5, 0);
	assert_in_range(fake_hal.now - since, (uint64_t)WATCH_MS * MS,
			(uint64_t)WATCH_MS * MS * (LOOKS + 2) / LOOKS + 1000);
	assert_int_equal(device.perf->sms_hung, 1);
	assert_false(sm_state_enabled(5));
	fake_expect_none();
	fake_hal.now += (uint64_t)RESET_ANSWER_MS * MS;
	sleep_and_wake(0);
	assert_int_equal(fake_hal.forced[5], 1);
	fake_stop_all();
	done = fake_expect(7, GG_ERR_SM_LOST);
	assert_int_equal(gg_get(done.fault, GG_COMPLETION_FAULT_SM), 5);
	assert_int_equal(gg_get(done.fault, GG_COMPLETION_FAULT_SEQUENCE), 1);
	record = (const void *)((const char *)device.cap + device.cap->faults_offset);
	record += 5 * CP_FAULT_ENTRIES;
	assert_int_equal(record->sequence, 1);
	assert_int_equal((int32_t)record->status, GG_ERR_SM_LOST);
	assert_int_equal(record->sm, 5);
	assert_int_equal(record->tag, 7);
	fake_run(8, &tmd);
	fake_finish();
	fake_expect(8, GG_OK);
	assert_int_equal(device.perf->sms_lost, 1);
	assert_int_equal(device.perf->sms_hung, 1);
}

/* S1-R100: where the machine can reset one hart, the SM is back in service. */
static void a_hung_sm_comes_back(void **state)
{
	(void)state;
	begin(SMS);
	fake_hal.has_reset = true;
	run_on_all(7);
	hung = 1u << 2;
	looks_until_reset(2, 0);
	fake_hal.now += (uint64_t)RESET_ANSWER_MS * MS;
	sleep_and_wake(0);
	assert_int_equal(fake_hal.starts[2], 1);
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm == 2) {
			fake_ctas[index] = fake_ctas[--fake_cta_count];
		}
	}
	hung = 0;
	fake_sm_stop(2);
	fake_hal.stopped[2] = false;
	fake_sm_start(2);
	fake_settle(100);
	assert_int_equal(device.perf->sms_back, 1);
	fake_stop_all();
	fake_expect(7, GG_ERR_SM_LOST);
	run_on_all(8);
	assert_true(fake_on_sm(2) != 0);
	fake_finish();
	fake_expect(8, GG_OK);
	assert_int_equal(device.perf->sms_hung, 1);
}

/* Looks are counted, not time: a machine that stands still between looks blames no SM that answers when it goes on. */
static void a_machine_that_stands_still(void **state)
{
	(void)state;
	begin(SMS);
	run_on_all(1);
	for (uint32_t look = 0; look < 10; look++) {
		sleep_and_wake(100u * WATCH_MS);
	}
	assert_int_equal(device.perf->sms_hung, 0);
	hung = 1;
	assert_in_range(looks_until_reset(0, 100u * WATCH_MS), LOOKS, LOOKS + 2);
}

/* Only the SM that hangs is reset, also of a wave whose SMs nobody has looked at. */
static void an_sm_of_a_wave(void **state)
{
	const struct gg_tmd tmd = fake_tmd(SMS);

	(void)state;
	begin(SMS);
	device.cap->features = 1u << GG_FEATURE_ATOMICS;
	fake_run(1, &tmd);
	fake_take_all();
	answer();
	assert_int_equal(wave_behind, 1);
	assert_true(go_to_sleep() != UINT64_MAX);
	assert_int_equal(wave_behind, 1); /* the timer is no reason to look at its SMs */
	hung = 1u << 6;
	looks_until_reset(6, 0);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_true(sm == 6 || device.sms[sm].stop_slot == UINT32_MAX);
	}
	assert_int_equal(device.perf->sms_hung, 1);
}

/* A timer that interrupts for something else does not end the watch, and is no look. */
static void other_deadlines(void **state)
{
	uint64_t first;

	(void)state;
	begin(SMS);
	run_on_all(1);
	first = go_to_sleep();
	fake_post(1,
		  (struct gg_command){ .header = GG_OPCODE_RESET_SM, .tag = 99, .argument0 = 3 });
	fake_settle(100);
	assert_true(go_to_sleep() < first);
	answer();
	for (uint32_t wake = 0; wake < 20; wake++) {
		sleep_and_wake(0);
		nobody_is_asked();
	}
	assert_true(fake_hal.now < first);
	fake_sm_stop(3);
	fake_settle(100);
	fake_sm_start(3);
	fake_settle(100);
	fake_expect(99, GG_OK);
	assert_true(go_to_sleep() == first);
	tick(); /* the deadline of before interrupts late */
	assert_true(go_to_sleep() == first);
	hung = 1;
	looks_until_reset(0, 0);
}

/* CONFIG: 0 turns it off, another value counts from then on, and more than the most is refused. */
static void configured(void **state)
{
	(void)state;
	begin(SMS);
	assert_int_equal(device.config->watch_ms, WATCH_MS);
	run_on_all(1);
	sleep_and_wake(0);
	assert_true(go_to_sleep() != UINT64_MAX);
	device.config->watch_ms = 0;
	assert_int_equal(fake_config(GG_CONFIG_PART_WATCH), GG_OK);
	answer();
	hung = 1;
	assert_true(go_to_sleep() != UINT64_MAX); /* the timer that was set before */
	fake_hal.now += (uint64_t)100 * WATCH_MS * MS;
	tick();
	nobody_is_asked();
	assert_true(go_to_sleep() == UINT64_MAX);
	assert_int_equal(due_stages, 0); /* switched off it keeps no task from the short way */
	device.config->watch_ms = WATCH_MOST_MS + 1;
	assert_int_equal(fake_config(GG_CONFIG_PART_WATCH), GG_ERR_CONFIG);
	assert_true(go_to_sleep() == UINT64_MAX);
	device.config->watch_ms = LOOKS;
	assert_int_equal(fake_config(GG_CONFIG_PART_WATCH), GG_OK);
	fake_settle(100);
	assert_in_range(go_to_sleep() - fake_hal.now, MS / 2, 2 * MS);
	looks_until_reset(0, 0);
}

/* The trace says which SM hung, and with which task. */
static void traced(void **state)
{
	const struct trace_ring *ring;
	uint32_t found = 0;

	(void)state;
	begin(SMS);
	trace_switch(true);
	run_on_all(42);
	hung = 1u << 4;
	looks_until_reset(4, 0);
	ring = &device.trace[0];
	for (uint32_t put = 0; put < ring->header.put; put++) {
		const struct gg_trace_record *record = &ring->records[put % CP_TRACE_ENTRIES];

		if (gg_get(record->header, GG_TRACE_RECORD_TYPE) == GG_TRACE_TYPE_HUNG) {
			assert_int_equal(gg_get(record->header, GG_TRACE_RECORD_SM), 4);
			assert_int_equal(record->tag, 42);
			assert_int_equal(record->extra, LOOKS);
			found++;
		}
	}
	assert_int_equal(found, 1);
}

/* The period is one tick more than a part of the time, one of LOOKS, so it is never none, also with a clock of few ticks. */
static void ticks_of_the_period(void **state)
{
	static const uint32_t cases[][3] = { { 1000, 1, 1 },
					     { 10000, 10 * LOOKS, 101 },
					     { 10000000, 1000 * LOOKS, 10000001 } };

	(void)state;
	for (uint32_t index = 0; index < 3; index++) {
		begin(1);
		device.cap->timebase_hz = cases[index][0];
		watch_set(cases[index][1]);
		const uint64_t before = timer_now();

		watch_arm();
		assert_int_equal(watch_deadline(), before + 1 + cases[index][2]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_timer_without_work),
		cmocka_unit_test(long_kernels_are_left_alone),
		cmocka_unit_test(a_hung_sm_is_written_off),
		cmocka_unit_test(a_hung_sm_comes_back),
		cmocka_unit_test(a_machine_that_stands_still),
		cmocka_unit_test(an_sm_of_a_wave),
		cmocka_unit_test(other_deadlines),
		cmocka_unit_test(configured),
		cmocka_unit_test(traced),
		cmocka_unit_test(ticks_of_the_period),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

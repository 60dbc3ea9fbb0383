/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/park/park.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/launch/launch_park.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/schedule/throttle.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "hal/timer.h"

/* In park_ms. Who waits is served after two of them at most; the others are for SMs to copy. */
#define PERIODS 5u

static uint64_t period; /* ticks; 0: nothing is parked */
static uint64_t next;   /* when the period ends, in ticks; DUE_PARK is set */
static uint32_t seen;   /* slots of those that waited at the end of the period before, a bit each */

__attribute__((cold)) void park_init(void)
{
	launch_park_init();
	period = 0;
	seen = 0;
}

__attribute__((cold)) struct refusal park_check(uint32_t ms, uint32_t page)
{
	const uint64_t bytes =
		(uint64_t)device.cap->sm_area_bytes * device.sms_count * LAUNCH_PARKS;

	if (ms > PARK_MOST_MS) {
		return refusal_of(GG_ERR_CONFIG, GG_FIELD_CONFIG_PARK_MS, ms);
	}
	if (ms != 0 && page != launch_park_page && launch_park_look()) {
		return refusal_of(GG_ERR_BUSY, GG_FIELD_CONFIG_PARK_PAGE, page);
	}
	return ms == 0 || device_holds((uint64_t)page << 12, bytes)
		       ? refusal_none()
		       : refusal_of(GG_ERR_CONFIG, GG_FIELD_CONFIG_PARK_PAGE, page);
}

__attribute__((cold)) void park_set(uint32_t ms, uint32_t page)
{
	period = (uint64_t)ms * (device.cap->timebase_hz / 1000u) / PERIODS;
	launch_park_on = ms != 0;
	if (ms != 0) {
		launch_park_page = page;
	}
	seen = 0;
	due_clear(DUE_PARK);
	due_set(DUE_SCHEDULE);
}

static struct task *holder(uint32_t slot)
{
	return task_table_holder(slot);
}

static bool may_use(const struct task *task, uint32_t sm)
{
	return !task->rules.restricted || bits_has(task->allowed, sm);
}

/* Whether a task in a slot waits for SMs, not for its own CTAs. */
static bool wants_room(const struct task *task)
{
	return task->life.state == TASK_READY ||
	       (task->life.state == TASK_BLOCKED && task->work.parked != 0);
}

/* Whether CTAs of a task hold up another one. Those of the same priority do so only for a switch of the mode. */
static bool holds_up(const struct task *task, const struct task *other)
{
	return task->work.in_flight != 0 && launch_park_may(task) &&
	       task->rules.priority + (throttle_waits() && other->rules.throttle ? 1u : 0u) >
		       other->rules.priority;
}

static bool is_held_up(const struct task *task)
{
	for (uint32_t slots = task_table_used(); slots != 0; slots &= slots - 1) {
		if (holds_up(holder(bits_lowest(slots)), task)) {
			return true;
		}
	}
	return false;
}

/* Slots of those that wait for CTAs which may be parked. */
static uint32_t waiting(void)
{
	uint32_t waiting = 0;

	for (uint32_t slots = task_table_used(); slots != 0; slots &= slots - 1) {
		const uint32_t slot = bits_lowest(slots);
		const struct task *task = holder(slot);

		if (task->life.state == TASK_LEAVING ? launch_park_may(task)
						     : wants_room(task) && is_held_up(task)) {
			waiting |= 1u << slot;
		}
	}
	return waiting;
}

/* Asks an SM to park what holds up a task, the lowest priority first: it may not have places for all. */
static bool ask_sm(uint32_t sm, const struct task *task)
{
	bool any = false;

	for (uint32_t priority = CP_PRIORITIES; priority != 0; priority--) {
		for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
			struct task *other = holder(slot);

			if (launch_starts(sm, slot) != 0 && other->rules.priority == priority &&
			    holds_up(other, task)) {
				any = launch_park_ask(sm, other) || any;
			}
		}
	}
	return any;
}

/* A task needs no more SMs than it has CTAs, besides those from which CTAs of it are parked. A switch of the mode needs all. */
static void make_room(const struct task *task)
{
	uint64_t ctas = task->rules.throttle ? UINT64_MAX : task->work.left - task->work.parked;

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (launch_park_has(sm, task)) {
			(void)ask_sm(sm, task);
		} else if (ctas != 0 && (task->rules.throttle || may_use(task, sm)) &&
			   ask_sm(sm, task)) {
			ctas--;
		}
	}
}

static void leave(struct task *task)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		(void)launch_park_ask(sm, task);
	}
}

static void ask(uint32_t slots)
{
	if (wave_is_here()) {
		wave_want(); /* so that it is known what each SM has */
	}
	for (; slots != 0; slots &= slots - 1) {
		struct task *task = holder(bits_lowest(slots));

		if (task->life.state == TASK_LEAVING) {
			leave(task);
		} else {
			make_room(task);
		}
	}
}

/* The end of a period. */
static void end_period(uint32_t slots, uint64_t now)
{
	const uint32_t due = slots & seen;

	seen = slots;
	next = now + period;
	if (due != 0) {
		ask(due);
	}
}

/* Whether a task of a higher priority waits for room on an SM, also with CTAs that are parked from there. */
static bool is_wanted(uint32_t sm, const struct task *by)
{
	for (uint32_t slots = task_table_used(); slots != 0; slots &= slots - 1) {
		const struct task *task = holder(bits_lowest(slots));

		if (task->rules.priority < by->rules.priority && wants_room(task) &&
		    ((task->work.left > task->work.parked && may_use(task, sm)) ||
		     launch_park_has(sm, task))) {
			return true;
		}
	}
	return false;
}

/* CTAs of a task that is not in a slot stay. */
static void go_on(uint32_t sm, struct launch_parked *parked)
{
	struct task *task = parked->task;

	if (sm_state_service(sm) == SM_SERVICE_LOST) {
		const struct refusal refusal = { .status = GG_ERR_SM_LOST };

		life_fail(task, &refusal, 0);
		return;
	}
	if (task->turn.slot == TASK_NO_SLOT || task->life.state == TASK_LEAVING ||
	    !throttle_matches(task) || throttle_waits() || is_wanted(sm, task)) {
		return;
	}
	launch_park_restore(sm, parked);
	if (task->work.left == 0) {
		(void)slot_settle(task);
	}
}

static void go_on_of(uint32_t priority)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		for (uint32_t place = 0; place < LAUNCH_PARKS; place++) {
			struct launch_parked *parked = launch_park_at(sm, place);

			if (parked != NULL && parked->task->rules.priority == priority) {
				go_on(sm, parked);
			}
		}
	}
}

/* What a wave that was launched in this turn has is counted first: its units are not free. */
static void go_on_all(void)
{
	if (wave_is_here() && wave_behind != 0) {
		wave_settle();
	}
	for (uint32_t priority = 1; priority <= CP_PRIORITIES; priority++) {
		go_on_of(priority);
	}
	(void)launch_park_look();
}

__attribute__((cold, noinline)) void park_run(void)
{
	if (launch_park_is_used()) {
		go_on_all();
	}
	const uint32_t slots = period != 0 ? waiting() : 0;

	if (slots == 0) {
		seen = 0;
		due_clear(DUE_PARK);
	} else if (!due_is(DUE_PARK)) {
		due_set(DUE_PARK);
		seen = 0;
		next = timer_now() + period;
	} else if (timer_now() >= next) {
		end_period(slots, timer_now());
	}
}

__attribute__((cold)) uint64_t park_deadline(void)
{
	return next;
}

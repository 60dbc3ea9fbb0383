/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/recover/watch.h"

#include <string.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/recover/reset.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/trace.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define LOOKS 24u        /* how often an SM is asked before it counts as hung */
#define NONE  UINT64_MAX /* value of `next`: it is not decided */

static uint32_t seen[CP_SMS]; /* `health` of each SM when it was looked at last */
static uint8_t asked[CP_SMS]; /* how often it was asked since that changed */
static uint64_t period;       /* ticks between two looks; 0: it is not looked */
static uint64_t next;         /* when it looks next, in ticks, or NONE */

__attribute__((cold)) void watch_init(void)
{
	memset(asked, 0, sizeof(asked));
	watch_set(WATCH_MS);
}

__attribute__((cold)) void watch_set(uint32_t ms)
{
	period = (uint64_t)ms * (device.cap->timebase_hz / 1000u) / LOOKS + (ms != 0 ? 1 : 0);
	next = NONE;
	if (ms != 0) {
		due_set(DUE_TIMER);
	} else {
		due_clear(DUE_TIMER);
	}
}

static void reset(uint32_t sm)
{
	perf_count(&device.perf->sms_hung);
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		if (launch_starts(sm, slot) != 0) {
			trace_event(task_table_holder(slot), trace_kind(GG_TRACE_TYPE_HUNG, sm), 0,
				    LOOKS);
		}
	}
	reset_begin(sm, SM_SERVICE_HANGS);
}

static __attribute__((cold)) void look(uint32_t sm)
{
	const uint32_t health = mmio_read32(&device.sms[sm].health);

	if (health != seen[sm] || !sm_state_owes(sm)) {
		seen[sm] = health;
		asked[sm] = 0;
	} else if (asked[sm] < LOOKS) {
		asked[sm]++;
		sm_interrupt(sm);
	} else {
		asked[sm] = 0;
		reset(sm);
	}
}

/* The loop may be about to write `due_stages`; then the bit is lost, and set again a second later. */
__attribute__((cold)) void watch_tick(void)
{
	mmio_write32(&due_stages, mmio_read32(&due_stages) | DUE_WATCH);
	timer_set(timer_now() + device.cap->timebase_hz);
}

__attribute__((cold)) void watch_run(void)
{
	timer_cancel();
	due_clear(DUE_WATCH);
	if (period == 0) {
		return;
	}
	due_set(DUE_TIMER);
	if (timer_now() >= next) { /* else it was set for something else, or for what is void */
		next = NONE;
		for (uint32_t sm = 0; sm < device.sms_count; sm++) {
			look(sm);
		}
	}
}

__attribute__((cold)) void watch_arm(void)
{
	due_clear(DUE_TIMER);
	next = next != NONE ? next : timer_now() + period;
	timer_set(next);
}

__attribute__((cold)) uint64_t watch_deadline(void)
{
	return due_is(DUE_TIMER) ? UINT64_MAX : next;
}

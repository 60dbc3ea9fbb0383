/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/sm_run.h"

#include <stddef.h>

#include "firmware/sm/bell.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/cta.h"
#include "firmware/sm/enter.h"
#include "firmware/sm/float.h"
#include "firmware/sm/launch_ring.h"
#include "firmware/sm/protect.h"
#include "firmware/sm/pull/pull.h"
#include "firmware/sm/pull/run.h"
#include "firmware/sm/report.h"
#include "firmware/sm/request.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/wave.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define NAP 16u /* a nap is this part of a time slice */

static SM_COLD void run_answers(struct sm *sm)
{
	struct sm_cta *flooded;

	while ((flooded = request_look(sm)) != NULL) {
		cta_fault_status(sm, flooded, GG_ERR_PRINT_FLOOD);
	}
}

static SM_COLD void run_barriers(struct sm *sm)
{
	struct sm_cta *late;

	while ((late = cga_look(sm)) != NULL) {
		cta_fault_status(sm, late, GG_ERR_TIME_LIMIT);
	}
}

static SM_COLD void run_wave(struct sm *sm)
{
	struct sm_task *task = wave_look(sm);

	if (task != NULL) {
		report_again(sm, task);
	}
}

void sm_run_look(struct sm *sm)
{
	ipi_clear();
	launch_ring_take(sm);
	sm->now = timer_now(); /* not earlier than the time at which the CP sent them */
	if (request_is_answered(sm)) {
		run_answers(sm);
	}
	if (sm->at_barrier != 0) {
		run_barriers(sm);
	}
	if (wave_task(sm) != NULL) {
		run_wave(sm);
	}
	launch_ring_stop(sm);
}

static void timer_off(struct sm *sm)
{
	if (sm->tick != 0) {
		timer_cancel();
		sm->tick = 0;
		sm->soon = false;
	}
}

static SM_APART void timer_on(struct sm *sm, uint64_t deadline)
{
	sm->tick = deadline;
	timer_set(deadline);
}

/* An earlier deadline that is still set stays. Its interrupt will find that it came too early and set the right one,
 * which costs less than to set the timer for every CTA. */
static void timer_until(struct sm *sm, uint64_t deadline)
{
	if (sm->tick == 0 || deadline < sm->tick) {
		timer_on(sm, deadline);
	}
}

static SM_COLD void timer_for_limit(struct sm *sm)
{
	if (sm->barrier_limit != UINT64_MAX) {
		timer_until(sm, sm->barrier_limit);
	}
}

static void timer_for_barriers(struct sm *sm)
{
	if (sm->at_barrier != 0) {
		timer_for_limit(sm);
	}
}

/* No timer is set for a limit of 2^31 ticks or more, as that of tasks without one is at boot: the watchdog's interrupts,
 * which come to a CTA that has the hart for itself, are often enough to find that it is past it. */
static void timer_for_turn(struct sm *sm, const struct sm_cta *cta)
{
	const int32_t limit = (int32_t)cta->task->limit;

	if (!sm->soon && (sm->arrived > 1 || sm->unsent != 0 || cta->windows != 0)) {
		timer_until(sm, sm->now + sm->boot.slice_ticks);
		sm->soon = true;
	}
	timer_for_barriers(sm);
	if (limit > 0) {
		timer_until(sm, sm->now + (cta->used < (uint32_t)limit ? (uint32_t)limit - cta->used
								       : 0));
	}
}

static void run_beat(struct sm *sm)
{
	sm->health++;
	mmio_write32(&sm->state->health, sm->health);
}

void sm_run_arrive(struct sm *sm)
{
	sm->now = timer_now();
	run_beat(sm);
}

static void run_sleep(struct sm *sm)
{
	bell_ring(sm);
	wait_for_interrupt();
	run_beat(sm);
	sm_run_look(sm);
	if (sm->now >= sm->tick) {
		timer_off(sm);
	}
}

/* The timer runs only to try again when the ring was full, and for the time limits of CTAs that wait. */
static SM_APART void run_idle(struct sm *sm)
{
	report_flush(sm);
	if (sm->unsent != 0) {
		timer_until(sm, sm->now + sm->boot.slice_ticks);
	} else if (sm->at_barrier == 0) {
		timer_off(sm);
	}
	timer_for_barriers(sm);
	run_sleep(sm);
}

/* All CTAs here wait for something elsewhere. To spin would be useless, and an emulator that runs one hart at a time
 * would never run the others. */
SM_COLD void sm_run_nap(struct sm *sm)
{
	const uint64_t since = sm->now;

	sm->nap_due = false;
	report_flush(sm);
	timer_until(sm, sm->now + sm->boot.slice_ticks / NAP + 1);
	run_sleep(sm);
	sm->current->used += sm->now - since; /* the wait counts against its time limit, too */
	sm->idle_yields = 0;
}

void sm_run_tick(struct sm *sm)
{
	if (sm->now < sm->tick) {
		return;
	}
	timer_off(sm);
	report_flush(sm);
	run_barriers(sm);
	if (sm->arrived > 1) {
		schedule_rotate(sm);
	}
}

static _Noreturn void run_switch(struct sm *sm, struct sm_cta *cta)
{
	float_give(sm, cta);
	timer_for_turn(sm, cta);
	bell_ring(sm);
	sm->current = cta;
	sm->run_since = sm->now;
	if (cta->state == SM_CTA_WAITING) {
		cta_start(sm, cta);
	}
	sm_enter(&cta->context);
}

static SM_COLD void run_failed(struct sm *sm, struct sm_cta *cta)
{
	run_settle(sm, cta);
	cta_fail(sm, cta, GG_ERR_ABORTED, 0);
	report_settle(sm, cta->task);
}

static void run_exited(struct sm *sm, uintptr_t status)
{
	struct sm_cta *cta = sm->current;

	sm_run_arrive(sm);
	sm->idle_yields = 0;
	if (status == 0) {
		cta_exit(sm, cta);
	} else {
		run_failed(sm, cta);
	}
}

void sm_run(struct sm *sm, bool exited, uintptr_t status)
{
	if (exited) {
		run_exited(sm, status);
	}
	for (;;) {
		while (sm->arrived == 0) {
			run_idle(sm);
		}
		struct sm_cta *cta = schedule_first(sm);

		if (cta->state == SM_CTA_STREAM && !pull_next(sm, cta)) {
			cta_end(sm, cta, GG_OK, 0);
			pull_left(sm, cta->task);
		} else if (protect_load(sm, cta)) {
			run_switch(sm, cta);
		} else {
			cta_end(sm, cta, GG_ERR_UNSUPPORTED, 0);
		}
		report_settle(sm, cta->task);
	}
}

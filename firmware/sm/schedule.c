/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/schedule.h"

#include "firmware/sm/cluster.h"
#include "firmware/sm/cta.h"
#include "firmware/sm/float.h"
#include "firmware/sm/launch_ring.h"
#include "firmware/sm/protect.h"
#include "firmware/sm/pull.h"
#include "firmware/sm/report.h"
#include "firmware/sm/trap.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define QUEUE_MASK (SM_UNITS_MAX - 1u)
#define SHORT_TURN 64u /* a turn shorter than this part of a time slice did nothing but wait */
#define IDLE_TURNS 8u  /* such turns of each CTA in a row, then the hart naps */
#define NAP        16u /* for this part of a time slice */

static struct sm_cta *schedule_head(struct sm *sm)
{
	return &sm->ctas[sm->queue[sm->head]];
}

/* Blocked or not, they are resident. */
static void schedule_show(struct sm *sm)
{
	mmio_write32(&sm->state->resident, sm->arrived + sm->blocked);
}

void schedule_add(struct sm *sm, const struct sm_cta *cta)
{
	sm->queue[(sm->head + sm->arrived) & QUEUE_MASK] = (uint8_t)cta->unit;
	sm->arrived++;
	schedule_show(sm);
}

/* Nearly always it is the first. Otherwise those before it move up by one. */
void schedule_remove(struct sm *sm, const struct sm_cta *cta)
{
	uint32_t place = 0;

	while (sm->queue[(sm->head + place) & QUEUE_MASK] != cta->unit) {
		place++;
		sm_assert(place < sm->arrived);
	}
	for (; place != 0; place--) {
		sm->queue[(sm->head + place) & QUEUE_MASK] =
			sm->queue[(sm->head + place - 1) & QUEUE_MASK];
	}
	sm->head = (sm->head + 1) & QUEUE_MASK;
	sm->arrived--;
	schedule_show(sm);
}

void schedule_block(struct sm *sm, struct sm_cta *cta, enum sm_cta_state state)
{
	cta->state = (uint8_t)state;
	cta->blocked = sm->now;
	sm->blocked++;
	schedule_remove(sm, cta);
}

void schedule_go_on(struct sm *sm, struct sm_cta *cta)
{
	cta->state = SM_CTA_STARTED;
	cta->used += sm->now - cta->blocked;
	sm->blocked--;
	schedule_add(sm, cta);
}

void schedule_unblock(struct sm *sm)
{
	sm->blocked--;
	schedule_show(sm);
}

static void schedule_rotate(struct sm *sm)
{
	const uint8_t first = sm->queue[sm->head];

	sm->head = (sm->head + 1) & QUEUE_MASK;
	sm->queue[(sm->head + sm->arrived - 1) & QUEUE_MASK] = first;
}

static void timer_off(struct sm *sm)
{
	if (sm->tick != 0) {
		timer_cancel();
		sm->tick = 0;
	}
}

/* An earlier deadline that is still set is left: its interrupt will find that it is too early and
 * set the right one, which is cheaper than to set the timer for every CTA. */
static void timer_until(struct sm *sm, uint64_t deadline)
{
	if (sm->tick == 0 || deadline < sm->tick) {
		sm->tick = deadline;
		timer_set(deadline);
	}
}

static void timer_for_barriers(struct sm *sm)
{
	if (sm->at_barrier != 0 && sm->barrier_limit != UINT64_MAX) {
		timer_until(sm, sm->barrier_limit);
	}
}

static void timer_for_turn(struct sm *sm, const struct sm_cta *cta)
{
	const uint32_t limit = sm->tasks[cta->slot].limit;

	if (sm->arrived > 1 || sm->unsent != 0 || cta->windows != 0) {
		timer_until(sm, sm->now + sm->boot.slice_ticks);
	}
	timer_for_barriers(sm);
	if (limit != 0) {
		timer_until(sm, sm->now + (cta->used < limit ? limit - cta->used : 0));
	}
}

static void schedule_sleep(struct sm *sm)
{
	bell_ring(sm);
	wait_for_interrupt();
	sm->health++;
	mmio_write32(&sm->state->health, sm->health);
	launch_ring_look(sm);
	if (sm->now >= sm->tick) {
		timer_off(sm);
	}
}

/* The timer runs only if the ring was full, to try again, and for time limits of those that wait. */
static void schedule_idle(struct sm *sm)
{
	report_flush(sm);
	if (sm->unsent != 0) {
		timer_until(sm, sm->now + sm->boot.slice_ticks);
	} else if (sm->at_barrier == 0) {
		timer_off(sm);
	}
	timer_for_barriers(sm);
	schedule_sleep(sm);
}

/* All that are here wait for somebody elsewhere: no use to spin, and an emulator that runs one
 * hart at a time would never run the others. */
static void schedule_nap(struct sm *sm)
{
	const uint64_t since = sm->now;

	report_flush(sm);
	timer_until(sm, sm->now + sm->boot.slice_ticks / NAP + 1);
	schedule_sleep(sm);
	sm->current->used += sm->now - since; /* waiting counts against a time limit, too */
	sm->idle_yields = 0;
}

void schedule_yield(struct sm *sm)
{
	schedule_rotate(sm);
	if (sm->now - sm->run_since > sm->boot.slice_ticks / SHORT_TURN) {
		sm->idle_yields = 0;
		return;
	}
	sm->idle_yields++;
	if (sm->idle_yields > sm->arrived * IDLE_TURNS) {
		schedule_nap(sm);
	}
}

void schedule_tick(struct sm *sm)
{
	if (sm->now < sm->tick) {
		return;
	}
	timer_off(sm);
	report_flush(sm);
	cluster_look(sm);
	if (sm->arrived > 1) {
		schedule_rotate(sm);
	}
}

/* Turns shorter than a tick add up to the right sum: some of them see the clock change. */
bool schedule_charge(struct sm *sm, struct sm_cta *cta)
{
	const uint32_t limit = sm->tasks[cta->slot].limit;

	cta->used += sm->now - sm->run_since;
	return limit == 0 || cta->used < limit;
}

static _Noreturn void schedule_switch(struct sm *sm, struct sm_cta *cta)
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

void schedule_run(struct sm *sm)
{
	for (;;) {
		while (sm->arrived == 0) {
			schedule_idle(sm);
		}
		struct sm_cta *cta = schedule_head(sm);

		if (cta->state == SM_CTA_STREAM && !pull_next(sm, cta)) {
			cta_end(sm, cta, GG_OK, 0);
			report_settle(sm, &sm->tasks[cta->slot]);
			continue;
		}
		if (protect_load(sm, cta)) {
			schedule_switch(sm, cta);
		}
		cta_end(sm, cta, GG_ERR_UNSUPPORTED, 0);
		report_settle(sm, &sm->tasks[cta->slot]);
	}
}

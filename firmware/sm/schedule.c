/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/schedule.h"

#include "firmware/abi/field.h"
#include "hal/mmio.h"

#define QUEUE_MASK (SM_UNITS_MAX - 1u)
#define SHORT_TURN 64u /* a turn shorter than this part of a time slice did nothing but wait */
#define IDLE_TURNS 8u  /* after so many such turns of each CTA in a row the hart naps */

struct sm_cta *schedule_first(struct sm *sm)
{
	return sm->queue[sm->head];
}

/* CTAs in the queue and blocked CTAs are both resident. */
static void schedule_show(struct sm *sm)
{
	mmio_write32(&sm->state->resident, sm->arrived + sm->blocked);
}

static void schedule_queue(struct sm *sm, struct sm_cta *cta)
{
	sm->queue[(sm->head + sm->arrived) & QUEUE_MASK] = cta;
	sm->arrived++;
}

static void schedule_add(struct sm *sm, struct sm_cta *cta)
{
	schedule_queue(sm, cta);
	schedule_show(sm);
}

void schedule_arrive(struct sm *sm, const struct gg_packet *packet, struct sm_task *task,
		     struct sm_cta *cta, uint32_t unit)
{
	sm_assert(cta->state == SM_CTA_FREE);
	cta->task = task;
	cta->unit = (uint8_t)unit;
	cta->units = (uint8_t)packet->units;
	cta->state = SM_CTA_WAITING;
	cta->stream = 0;
	cta->more = 0;
	cta->floats_kept = false;
	cta->used = 0;
	cta->cga = packet->cga;
	cta->sequence = 0;
	schedule_queue(sm, cta);
}

void schedule_arrived(struct sm *sm, struct sm_task *task, uint32_t ctas)
{
	task->resident += ctas;
	schedule_show(sm);
}

void schedule_come_back(struct sm *sm, struct sm_cta *cta)
{
	cta->task->resident++;
	schedule_add(sm, cta);
}

void schedule_remove_first(struct sm *sm)
{
	sm->head = (sm->head + 1) & QUEUE_MASK;
	sm->arrived--;
	schedule_show(sm);
}

/* The CTAs before it move up by one. */
void schedule_remove(struct sm *sm, const struct sm_cta *cta)
{
	uint32_t place = 0;

	while (sm->queue[(sm->head + place) & QUEUE_MASK] != cta) {
		place++;
		sm_assert(place < sm->arrived);
	}
	for (; place != 0; place--) {
		sm->queue[(sm->head + place) & QUEUE_MASK] =
			sm->queue[(sm->head + place - 1) & QUEUE_MASK];
	}
	schedule_remove_first(sm);
}

SM_COLD uint32_t schedule_remove_streams(struct sm *sm, struct sm_task *task)
{
	uint32_t starts = 0;
	uint32_t kept = 0;

	for (uint32_t place = 0; place < sm->arrived; place++) {
		struct sm_cta *cta = sm->queue[(sm->head + place) & QUEUE_MASK];

		if (cta->state == SM_CTA_STREAM && cta->task == task &&
		    (cta->stream & SM_STREAM_OWN) == 0) {
			cta->state = SM_CTA_FREE;
			starts |= 1u << cta->unit;
			task->resident--;
		} else {
			sm->queue[(sm->head + kept) & QUEUE_MASK] = cta;
			kept++;
		}
	}
	sm->arrived = kept;
	schedule_show(sm);
	return starts;
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

void schedule_rotate(struct sm *sm)
{
	struct sm_cta *first = sm->queue[sm->head];

	sm->head = (sm->head + 1) & QUEUE_MASK;
	sm->queue[(sm->head + sm->arrived - 1) & QUEUE_MASK] = first;
}

void schedule_yield(struct sm *sm)
{
	schedule_rotate(sm);
	if (sm->now - sm->run_since > sm->boot.slice_ticks / SHORT_TURN) {
		sm->idle_yields = 0;
		return;
	}
	sm->idle_yields++;
	sm->nap_due = sm->idle_yields > sm->arrived * IDLE_TURNS;
}

/* Turns shorter than a tick add up to the right sum, because some of them see the clock change. */
bool schedule_charge(struct sm *sm, struct sm_cta *cta)
{
	const uint32_t limit = cta->task->limit;

	cta->used += sm->now - sm->run_since;
	return limit == 0 || cta->used < limit;
}

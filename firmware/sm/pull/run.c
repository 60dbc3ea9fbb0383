/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/pull/run.h"

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/pull/hand.h"
#include "hal/mmio.h"

#define RUN_MOST 64u /* CTAs of a run, at most; a power of RUN_STEP */
#define RUN_STEP 4u  /* a run is as many times longer than the one before */
#define RUN_SHARE \
	2u /* if all CTAs take the same time it lasts no longer than this part of a time slice */

/* A limit of 2^31 ticks or more is none (sm_run.c). */
SM_COLD void run_prime(struct sm_task *task)
{
	task->run = task->tmd->coalesce_us == 0 && (int32_t)task->limit <= 0 && task->flat;
	task->bare = task->bare && task->run == 0;
}

SM_COLD uint32_t run_begin(const struct sm *sm, struct sm_cta *cta, uint32_t left)
{
	uint32_t items = cta->task->run < left ? cta->task->run : left;

	if (items == 0 || mmio_read32(&sm->state->trace) == 1) {
		items = 1;
	}
	cta->run = (uint8_t)items;
	cta->more = (uint8_t)(items - 1);
	return items;
}

void run_count(struct sm_task *task, const struct sm_cta *cta, uint32_t ctas)
{
	if (task->gathered.ctas == 0 && task->gathered.starts == 0) {
		task->gathered.first = cta->start;
	}
	task->gathered.ctas += ctas;
}

/* The kernel can write to its block: what it makes of its own number is believed as far as it can be. */
SM_COLD void run_settle(struct sm *sm, struct sm_cta *cta)
{
	uint32_t passed = 0;

	if (cta->more != 0) {
		passed = gg_low(((const struct gg_cta *)cta->block)->cta_linear) -
			 gg_low(cta->linear);
	}
	if (passed == 0 || passed > cta->more) {
		return;
	}
	run_count(cta->task, cta, passed);
	sm->ended += passed;
	mmio_write32(&sm->state->ctas, sm->ended);
	cta->more -= (uint8_t)passed;
	cta->launch += passed;
	cta->linear += passed;
	cta->position[0] += passed;
	hand_run(sm, cta->unit, cta->launch, cta->more);
}

/* Learn from the time that a run took; at the end of a chunk it may have been shorter than it was meant to be. */
static void run_learn(const struct sm *sm, struct sm_task *task, const struct sm_cta *cta)
{
	const uint32_t most = sm->boot.slice_ticks / RUN_SHARE;
	const uint32_t ticks = gg_low(sm->now) - gg_low(cta->start);

	if (ticks > most) {
		task->run = 1;
	} else if (task->run < RUN_MOST && ticks * RUN_STEP * task->run <= most * cta->run) {
		task->run *= RUN_STEP;
	}
}

SM_COLD void run_end(struct sm *sm, struct sm_cta *cta)
{
	struct sm_task *task = cta->task;

	if (cta->more == 0) {
		run_learn(sm, task, cta);
		return;
	}
	task->run = 0; /* the kernel does not go on by itself */
	cta->launch++;
	cta->more--;
	cta->stream |= SM_STREAM_OWN;
	hand_run(sm, cta->unit, cta->launch, cta->more);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/report.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/pull/pull.h"
#include "firmware/sm/wave.h"
#include "hal/fence.h"
#include "hal/mmio.h"

/* `last` says that no stream is left, and that `rest` items go back to the CP. */
static void report_write(struct gg_report *report, const struct sm_task *task, uint32_t rest,
			 bool last)
{
	const struct sm_gathered *gathered = &task->gathered;

	report->task = task->name;
	report->starts = gathered->starts;
	report->status = gathered->status;
	report->fault = gathered->fault;
	report->first_lo = gg_low(gathered->first);
	report->first_hi = gg_high(gathered->first);
	report->last_lo = gg_low(gathered->last);
	report->last_hi = gg_high(gathered->last);
	report->cta_lo = gg_low(gathered->cta);
	report->cta_hi = gg_high(gathered->cta);
	report->pull_ctas = task->pull ? gathered->ctas : 0;
	report->pull_rest =
		gg_put(GG_REPORT_PULL_REST, rest) | gg_put(GG_REPORT_PULL_LAST, last ? 1 : 0);
}

/* Of sm.unsent. */
static uint32_t report_bit(const struct sm_task *task)
{
	return 1u << gg_get(task->name, GG_REPORT_SLOT);
}

static void report_sent(struct sm *sm, struct sm_task *task)
{
	task->gathered.starts = 0;
	task->gathered.ctas = 0;
	sm->unsent &= ~report_bit(task);
}

/* A report of streams is the last one when it stands for all streams that are still here. */
static void report_send(struct sm *sm, struct sm_task *task, bool all)
{
	const uint32_t entries = sm->cap->launch_entries;
	const bool last = task->pull && all && task->resident == 0;
	uint32_t rest = 0;

	if (wave_task(sm) == task && wave_count(sm, task)) {
		report_sent(sm, task);
		return;
	}
	if (sm->report_put - mmio_read32(&sm->rings->report_get) >= entries) {
		return;
	}
	if (last) {
		rest = pull_rest(sm, task, &task->gathered.cta);
	}
	report_write(&sm->reports[sm->report_put & (entries - 1)], task, rest, last);
	sm->report_put++;
	fence_release(); /* write the report before the count that shows it */
	mmio_write32(&sm->state->report_put, sm->report_put);
	if (last) {
		pull_forget(sm, task);
	}
	report_sent(sm, task);
	bell_note(sm);
}

SM_COLD void report_gather(struct sm *sm, const struct sm_cta *cta, int32_t status, uint32_t fault)
{
	struct sm_task *task = cta->task;
	struct sm_gathered *gathered = &task->gathered;

	if (gathered->starts != 0 && (gathered->status == GG_OK) != (status == GG_OK)) {
		report_send(sm, task, false);
	}
	if (gathered->starts == 0) {
		gathered->status = GG_OK;
		gathered->fault = 0;
		gathered->first = gathered->ctas != 0 ? gathered->first : cta->start;
		gathered->cta = cta->launch;
		sm->unsent |= report_bit(task);
	}
	if (gathered->status == GG_OK) {
		gathered->status = (uint32_t)status;
		gathered->fault = fault;
	}
	gathered->starts |= 1u << cta->unit;
	gathered->ctas += task->pull ? 0 : 1;
	gathered->last = sm->now;
	if (cta->start < gathered->first) {
		gathered->first = cta->start;
	}
}

void report_settle(struct sm *sm, struct sm_task *task)
{
	const struct sm_gathered *gathered = &task->gathered;

	if (gathered->starts != 0 &&
	    (task->resident == 0 || (gathered->ctas >= task->batch && !task->pull) ||
	     gathered->status != GG_OK)) {
		report_send(sm, task, true);
	}
}

/* As report_gather() and report_settle() do it, without what cannot be. */
void report_good(struct sm *sm, const struct sm_cta *cta)
{
	struct sm_gathered *gathered = &cta->task->gathered;

	if (gathered->starts == 0) {
		gathered->status = GG_OK;
		gathered->fault = 0;
		gathered->first = cta->start;
		gathered->cta = cta->launch;
		sm->unsent |= report_bit(cta->task);
	} else if (gathered->status != GG_OK || cta->start < gathered->first) {
		report_gather(sm, cta, GG_OK, 0);
		report_settle(sm, cta->task);
		return;
	}
	gathered->starts |= 1u << cta->unit;
	gathered->ctas++;
	gathered->last = sm->now;
	if (cta->task->resident == 0 || gathered->ctas >= cta->task->batch) {
		report_send(sm, cta->task, true);
	}
}

/* When nothing is left the streams of a task end nearly at once. Those that have ended are not reported yet, unless
 * the last ones run for longer than a time slice. */
static bool report_is_due(const struct sm *sm, const struct sm_task *task)
{
	return !task->pull || task->resident == 0 ||
	       sm->now - task->gathered.last >= sm->boot.slice_ticks;
}

void report_again(struct sm *sm, struct sm_task *task)
{
	if (task->gathered.starts != 0) {
		sm->unsent |= report_bit(task);
		report_settle(sm, task);
	}
}

/* What a wave gathers is sent when all of it has ended, or when the SM leaves the wave. */
void report_flush(struct sm *sm)
{
	if (wave_task(sm) != NULL) {
		sm->unsent &= ~report_bit(wave_task(sm));
	}
	for (uint32_t slot = 0; slot < SM_SLOTS && sm->unsent >> slot != 0; slot++) {
		if ((sm->unsent >> slot & 1u) != 0 && report_is_due(sm, &sm->tasks[slot])) {
			report_send(sm, &sm->tasks[slot], true);
		}
	}
}

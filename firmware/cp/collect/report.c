/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/collect/report.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/cga/cga_end.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave.h"
#include "hal/mmio.h"

/* Counts CTAs of a grid or of a queue task that have ended without error. */
static void count(struct task *task, const struct gg_report *report, uint32_t ctas)
{
	task_work_complete(task, ctas);
	if (task_queue(task) != NULL) {
		assert(ctas == 1);
		queue_ended(task, report->cta_lo);
	}
}

/* The report says that CTAs failed, or were stopped. */
static __attribute__((cold, noinline)) void fail(struct task *task, uint32_t sm,
						 const struct gg_report *report)
{
	const struct refusal failure = { .status = (enum gg_status)(int32_t)report->status };

	life_fail(task, failure,
		  report->fault == 0 ? 0
				     : gg_put(GG_COMPLETION_FAULT_SM, sm) |
					       gg_put(GG_COMPLETION_FAULT_SEQUENCE, report->fault));
}

/* Streams of a PULL grid. What the SM gave back may be more than there is a place for. */
static __attribute__((noinline)) void take_streams(struct task *task, uint32_t sm,
						   const struct gg_report *report)
{
	const struct refusal refusal = pull_report(task, sm, report);

	if (refusal.status != GG_OK) {
		life_fail(task, refusal, 0);
	}
}

/* Updates the task; the resources of the CTAs are already released. */
static void take(struct task *task, uint32_t sm, const struct gg_report *report, uint32_t ctas)
{
	assert(ctas <= task->work.in_flight);
	task_work_end(task, ctas, gg_join(report->first_lo, report->first_hi),
		      gg_join(report->last_lo, report->last_hi));
	device.slots[task->turn.slot].in_flight = task->work.in_flight;
	if (task_is_pull(task)) {
		take_streams(task, sm, report);
	} else if (report->status == GG_OK) {
		count(task, report, ctas);
	}
	if (report->status != GG_OK && !task_has_failed(task)) {
		fail(task, sm, report);
	}
	if (task->turn.slot != TASK_NO_SLOT) {
		slot_ended(task);
	}
	life_collect();
}

void report_take(uint32_t sm, const struct gg_report *report)
{
	const uint32_t slot = gg_get(report->task, GG_REPORT_SLOT);
	struct task *task = slot < CP_SLOTS ? task_table_holder(slot) : NULL;

	perf_count(&device.perf->reports);
	if (task == NULL || task_table_name(task) != report->task) {
		perf_count(&device.perf->unmatched);
		return;
	}
	const uint32_t starts = report->starts;
	const uint32_t ctas = bits_count(starts);

	launch_out_end(sm, slot, starts);
	if (wave_is_here() && (wave_slots >> slot & 1u) != 0) {
		wave_reported(slot, sm);
	}
	if (task_has_cgas(task)) {
		cga_end_ctas(task, sm, starts, report->status == GG_OK);
	} else {
		sm_state_release(sm, task, starts, ctas);
	}
	take(task, sm, report, ctas);
}

void report_wave(uint32_t slot)
{
	struct task *task = task_table_holder(slot);
	const struct wave_end end = wave_collect(task);

	device.perf->reports += end.sms;
	task_work_end(task, end.ctas, end.first, end.last);
	if (task_is_pull(task)) {
		pull_collect(task);
	} else {
		task_work_complete(task, end.ctas);
	}
	device.slots[slot].in_flight = task->work.in_flight;
	slot_ended(task);
	life_collect();
}

__attribute__((cold)) void report_counted(uint32_t slot, uint32_t sm)
{
	const struct wave_end end = wave_times(slot);
	const struct gg_report report = {
		.task = task_table_name(task_table_holder(slot)),
		.starts = launch_starts(sm, slot),
		.first_lo = gg_low(end.first),
		.first_hi = gg_high(end.first),
		.last_lo = gg_low(end.last),
		.last_hi = gg_high(end.last),
		.pull_ctas = mmio_read32(&device.sms[sm].wave_ctas),
	};

	report_take(sm, &report);
}

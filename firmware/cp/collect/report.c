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
#include "firmware/cp/launch/launch_park.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/retry.h"
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

__attribute__((cold, noinline)) void report_fail(struct task *task, uint32_t sm,
						 const struct refusal *failure, uint32_t fault)
{
	life_fail(task, failure,
		  fault == 0 ? 0
			     : gg_put(GG_COMPLETION_FAULT_SM, sm) |
				       gg_put(GG_COMPLETION_FAULT_SEQUENCE, fault));
}

/* Streams of a PULL grid. What the SM gave back may be more than there is a place for. */
static __attribute__((noinline)) void take_streams(struct task *task, uint32_t sm,
						   const struct gg_report *report)
{
	const struct refusal refusal = pull_report(task, sm, report);

	if (refusal.status != GG_OK) {
		life_fail(task, &refusal, 0);
	}
}

/* The task has fewer CTAs in flight. */
static inline void settle(struct task *task)
{
	if (task->turn.slot != TASK_NO_SLOT) {
		slot_ended(task);
	}
	life_collect();
}

/* Releases the resources of CTAs.
 * `well`: they ended without error and were not stopped. */
static inline void release(struct task *task, uint32_t sm, uint32_t starts, bool well)
{
	const uint32_t slot = task->turn.slot;

	launch_out_end(sm, slot, starts);
	if (wave_is_here() && (wave_slots >> slot & 1u) != 0) {
		wave_reported(slot, sm);
	}
	if (task_has_cgas(task)) {
		cga_end_ctas(task, sm, starts, well);
	} else {
		sm_state_release(sm, task, starts, bits_count(starts));
	}
}

/* CTAs of a task that has failed meanwhile are dropped. */
static __attribute__((cold, noinline)) void take_parked(struct task *task, uint32_t sm,
							uint32_t starts)
{
	if (!task_has_failed(task)) {
		launch_park_take(sm, task, starts);
		slot_more(task);
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
	if (part_is_here(GG_FEATURE_PARKS) && report->status == LAUNCH_PARKED) {
		take_parked(task, sm, report->starts);
	} else if (report->status != GG_OK && report->status != (uint32_t)GG_ERR_CANCELLED &&
		   !task_has_failed(
			   task)) { /* the CTAs of a CGA that runs again are only stopped */
		const struct refusal failure = {
			.status = (enum gg_status)(int32_t)report->status,
		};

		report_fail(task, sm, &failure, report->fault);
	}
	settle(task);
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
	release(task, sm, report->starts, report->status == GG_OK);
	take(task, sm, report, bits_count(report->starts));
}

__attribute__((cold)) void report_lost(uint32_t sm, struct task *task,
				       const struct refusal *failure, uint32_t fault)
{
	const uint32_t slot = task->turn.slot;
	const uint32_t starts = launch_starts(sm, slot);

	perf_count(&device.perf->reports);
	release(task, sm, starts, false);
	task_work_end(task, bits_count(starts), task->work.first, 0);
	device.slots[slot].in_flight = task->work.in_flight;
	if (failure->status != GG_OK) {
		report_fail(task, sm, failure, fault);
	} else {
		if (task_queue(task) != NULL) {
			queue_count(task);
		} else {
			(void)retry_next(task);
		}
		slot_more(task);
	}
	settle(task);
}

__attribute__((noinline)) void report_wave_count(struct task *task)
{
	const struct wave_end end = wave_collect(task);

	device.perf->reports += end.sms;
	task_work_end(task, end.ctas, end.first, end.last);
	if (task_is_pull(task)) {
		pull_collect(task);
	} else {
		task_work_complete(task, end.ctas);
	}
	if (task_has_cgas(task)) {
		cga_end_wave(task->turn.slot);
	}
	device.slots[task->turn.slot].in_flight = task->work.in_flight;
}

void report_wave(uint32_t slot)
{
	struct task *task = task_table_holder(slot);

	report_wave_count(task);
	slot_ended(task);
	life_collect();
}

__attribute__((cold)) void report_counted(uint32_t slot, uint32_t sm)
{
	const struct task *task = task_table_holder(slot);
	const struct wave_end end = wave_times(slot);
	const struct gg_report report = {
		.task = task_table_name(task),
		.starts = retry_first_time(task, sm, launch_starts(sm, slot)),
		.first_lo = gg_low(end.first),
		.first_hi = gg_high(end.first),
		.last_lo = gg_low(end.last),
		.last_hi = gg_high(end.last),
		.pull_ctas = mmio_read32(&device.sms[sm].wave_ctas),
	};

	report_take(sm, &report);
}

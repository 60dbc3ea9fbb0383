/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the room collect: all SMs are looked at in each turn, for acknowledgements, reports and barriers. No SM asks
 * for anything, none is lost, and every report is one that is expected. */
#include <assert.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga_barrier.h"
#include "firmware/cp/cga/cga_end.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/launch/launch_stop.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/work.h"

static uint32_t taken[CP_SMS]; /* reports taken from each SM */

void inbox_init(void)
{
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		taken[sm] = 0;
	}
}

/* The resources of CTAs that have ended are free again. */
static void free_ctas(struct task *task, uint32_t sm, const struct gg_report *report)
{
	launch_out_end(sm, task->turn.slot, report->starts);
	if (task_has_cgas(task)) {
		cga_end_ctas(task, sm, report->starts, report->status == GG_OK);
	} else {
		sm_state_release(sm, task, report->starts, bits_count(report->starts));
	}
}

static struct refusal count(struct task *task, uint32_t sm, const struct gg_report *report)
{
	const uint32_t ctas = bits_count(report->starts);

	assert(ctas <= task->work.in_flight);
	task_work_end(task, ctas, gg_join(report->first_lo, report->first_hi),
		      gg_join(report->last_lo, report->last_hi));
	device.slots[task->turn.slot].in_flight = task->work.in_flight;
	if (task_is_pull(task)) {
		const struct refusal refusal = pull_report(task, sm, report);

		assert(refusal.status == GG_OK);
	} else if (report->status == GG_OK) {
		task_work_complete(task, ctas);
		if (task_queue(task) != NULL) {
			queue_ended(task, report->cta_lo);
		}
	}
	return refusal_of((enum gg_status)(int32_t)report->status, 0, 0);
}

static void take_report(uint32_t sm, const struct gg_report *report)
{
	struct task *task = task_table_holder(gg_get(report->task, GG_REPORT_SLOT));

	assert(task != NULL && task_table_name(task) == report->task);
	free_ctas(task, sm, report);

	const struct refusal status = count(task, sm, report);

	if (status.status != GG_OK && !task_has_failed(task)) {
		life_fail(task, &status, 0);
	} else {
		slot_ended(task);
	}
	life_collect();
}

static void hear(uint32_t sm)
{
	sm_state_hear(sm);
	if (cga_record_live() != 0) {
		cga_barrier_hear(sm);
	}
	while (taken[sm] != device.sms[sm].report_put) {
		take_report(sm, &device.launch[sm].reports[taken[sm]++ % CP_LAUNCH_ENTRIES]);
	}
	if (due_is(DUE_STOPS)) {
		launch_stop_next(sm);
	}
}

void inbox_run(void)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		hear(sm);
	}
	if (cga_record_live() != 0) {
		cga_barrier_ring();
	}
}

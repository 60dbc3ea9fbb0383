/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/report.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/device.h"
#include "firmware/cp/life.h"
#include "firmware/cp/pull.h"
#include "firmware/cp/queue.h"
#include "firmware/cp/work_distribution.h"

static void task_times_add(struct task_times *times, const struct gg_report *report)
{
	const uint64_t first = gg_join(report->first_lo, report->first_hi);
	const uint64_t last = gg_join(report->last_lo, report->last_hi);

	if (times->first == 0 || first < times->first) {
		times->first = first;
	}
	if (last > times->last) {
		times->last = last;
	}
}

static __attribute__((noinline)) void failed(struct task *task, uint32_t sm,
					     const struct gg_report *report)
{
	const struct refusal failure = { .status = (enum gg_status)(int32_t)report->status };

	life_fail(task, failure,
		  report->fault == 0 ? 0
				     : gg_put(GG_COMPLETION_FAULT_SM, sm) |
					       gg_put(GG_COMPLETION_FAULT_SEQUENCE, report->fault));
}

void report_take(struct task *task, uint32_t sm, const struct gg_report *report, uint32_t ctas)
{
	assert(ctas <= task->in_flight);
	task->in_flight -= ctas;
	task_times_add(&task->times, report);
	device.slots[task->slot].in_flight = task->in_flight;
	if (pull_is(task)) {
		pull_report(task, sm, report);
	} else if (report->status == GG_OK) {
		task->done += ctas;
		if (task->queue != NULL) {
			assert(ctas == 1);
			queue_ended(task, report->cta_lo);
		}
	}
	if (report->status != GG_OK) {
		failed(task, sm, report); /* may have freed the slot */
	}
	work_distribution_ended(task);
}

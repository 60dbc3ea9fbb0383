/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/collect/sm_lost.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/collect/report.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_lost.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"

static uint32_t lost[CP_SM_WORDS]; /* bit per SM: it was lost */

void sm_lost_init(void)
{
	for (uint32_t word = 0; word < CP_SM_WORDS; word++) {
		lost[word] = 0;
	}
}

bool sm_lost_has(uint32_t sm)
{
	return bits_has(lost, sm);
}

/* Ends the CTAs of a task on the SM with a report in its place. `kept`: a PULL grid issues the items once more, so
 * this is no error. */
static void end_streams(uint32_t sm, struct task *task, bool kept, uint32_t fault)
{
	const struct gg_report report = {
		.task = task_table_name(task),
		.starts = launch_starts(sm, task->turn.slot),
		.status = kept ? GG_OK : (uint32_t)GG_ERR_SM_LOST,
		.fault = fault,
		.first_lo = gg_low(task->work.first),
		.first_hi = gg_high(task->work.first),
	};

	report_take(sm, &report);
}

void sm_lost(uint32_t sm, uint32_t fault)
{
	if (bits_has(lost, sm)) {
		return;
	}
	bits_set(lost, sm);
	perf_count(&device.perf->sms_lost);
	sm_state_lose(sm);
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		struct task *task = task_table_holder(slot);

		if (launch_starts(sm, slot) != 0) {
			end_streams(sm, task, task_is_pull(task) && pull_lost(task, sm), fault);
		}
	}
}

void sm_lost_regain(uint32_t sm)
{
	bits_clear(lost, sm);
	sm_state_regain(sm);
}

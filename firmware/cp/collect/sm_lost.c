/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/collect/sm_lost.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/tmd_kept.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/cga/cga_again.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/collect/report.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_lost.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/quarantine.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/task_table.h"

/* Ends the CTAs of a task on the SM, or the streams of a PULL grid, with a report in its place. If the grid issues their items
 * once more, this is no error. */
static void end_reported(uint32_t sm, struct task *task, uint32_t fault)
{
	const bool kept = task_is_pull(task) && pull_lost(task, sm);
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

/* Ends the CTAs of a task that may run them again. */
static void end_ctas(uint32_t sm, struct task *task, uint32_t fault, bool blamed)
{
	const struct refusal failure =
		retry_keep(task, sm, launch_starts(sm, task->turn.slot), blamed,
			   task_has_cgas(task) ? cga_again : retry_cta);

	report_lost(sm, task, &failure, fault);
}

static bool is_suspect(const struct task *task, uint32_t sm)
{
	const uint32_t slot = task->turn.slot;
	const uint32_t starts = launch_starts(sm, slot);

	if (starts == 0 || !retry_is_on(task)) {
		return false;
	}
	return task_is_pull(task) ? bits_has(pull_slot(slot)->again, sm)
				  : retry_suspects(sm, starts);
}

/* The tasks that the SM was lost for, a bit for each slot. They all run one kernel: when CTAs of several kernels are
 * suspected, it is not known which of them it was. */
static uint32_t find_guilty(uint32_t sm, uint64_t *entry)
{
	uint32_t slots = 0;

	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		const struct task *task = task_table_holder(slot);

		if (task != NULL && is_suspect(task, sm)) {
			const uint64_t kernel = gg_join(task->tmd.entry_lo, task->tmd.entry_hi);

			if (slots != 0 && kernel != *entry) {
				return 0;
			}
			*entry = kernel;
			slots |= 1u << slot;
		}
	}
	return slots;
}

/* The CTAs are still in flight: they end with those that the SM had of other tasks. */
static __attribute__((cold)) void judge(uint32_t sm, uint32_t fault)
{
	uint64_t entry = 0;
	uint32_t slots = find_guilty(sm, &entry);
	const struct refusal refusal = refusal_of(GG_ERR_QUARANTINE, GG_FIELD_TMD_ENTRY, entry);

	for (; slots != 0; slots &= slots - 1) {
		struct task *task = task_table_holder(bits_lowest(slots));

		quarantine_add(entry, task->source.channel);
		tmd_kept_init(); /* it may know a TMD of the kernel */
		report_fail(task, sm, &refusal, fault);
	}
}

void sm_lost(uint32_t sm, uint32_t fault)
{
	const enum sm_service before = sm_state_service(sm);
	const bool blamed = before != SM_SERVICE_GIVEN;

	perf_count(&device.perf->sms_lost);
	sm_state_serve(sm, before == SM_SERVICE_YES ? SM_SERVICE_LOST : SM_SERVICE_BACK);
	if (part_is_here(GG_FEATURE_RETRIES) && blamed) {
		judge(sm, fault);
	}
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		struct task *task = task_table_holder(slot);

		if (launch_starts(sm, slot) == 0) {
			continue;
		}
		if (retry_is_on(task) && !task_is_pull(task)) {
			end_ctas(sm, task, fault, blamed);
		} else {
			end_reported(sm, task, fault);
		}
	}
}

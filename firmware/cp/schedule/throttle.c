/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/schedule/throttle.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"

static bool on;        /* throttle mode is on */
static bool waits;     /* a switch waits for CTAs to end */
static uint32_t share; /* SMs that share their memory in throttle mode */
static uint32_t tasks; /* throttle tasks that were accepted and are not over */

void throttle_init(void)
{
	on = false;
	waits = false;
	share = device.sms_count > 1 ? 2 : 1;
	tasks = 0;
}

uint32_t throttle_sms(void)
{
	return share;
}

uint32_t throttle_shift(void)
{
	return bits_lowest(share);
}

void throttle_set(uint32_t sms)
{
	assert(tasks == 0 && sms != 0 && (sms & (sms - 1)) == 0 && sms <= device.sms_count);
	share = sms;
}

void throttle_count(const struct task *task, bool accepted)
{
	if (task->rules.throttle) {
		tasks = accepted ? tasks + 1 : tasks - 1;
		due_note(DUE_THROTTLE, on || tasks != 0);
	}
}

uint32_t throttle_tasks(void)
{
	return tasks;
}

bool throttle_can_run(const struct task *task, bool enabled)
{
	for (uint32_t sm = 0; sm + share <= device.sms_count; sm += share) {
		const bool allowed = !task->rules.restricted || bits_has(task->allowed, sm);

		if (allowed && (!enabled || sm_state_enabled(sm))) {
			return true;
		}
	}
	return false;
}

/* Looks for the first throttle task in the order of priority and age, as long as no other task has a higher
 * priority. Throttle tasks that no enabled SM can run in this mode are skipped, so that they do not keep other tasks
 * from running. */
static bool is_wanted(void)
{
	uint32_t priorities = task_table_priorities();
	bool other = false;

	for (; priorities != 0 && !other; priorities &= priorities - 1) {
		const struct task *task = task_table_first(bits_lowest(priorities));

		for (; task != NULL; task = task->next) {
			if (task->rules.throttle && throttle_can_run(task, true)) {
				return true;
			}
			other = other || !task->rules.throttle;
		}
	}
	return false;
}

/* The mode stays on while the last CTAs of throttle tasks run, because it can be left only when they have ended. */
bool throttle_settle(void)
{
	const bool wanted = tasks != 0 && is_wanted();

	waits = wanted != on && sm_state_resident() != 0;
	if (wanted == on || waits) {
		return !waits;
	}
	on = wanted;
	due_note(DUE_THROTTLE, on || tasks != 0);
	sm_state_share(on ? share : 1);
	perf_count(&device.perf->throttle_switches);
	return true;
}

bool throttle_waits(void)
{
	return waits;
}

bool throttle_matches(const struct task *task)
{
	return task->rules.throttle == on;
}

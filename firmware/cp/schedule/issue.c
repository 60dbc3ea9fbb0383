/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/schedule/issue.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/cp/schedule/allowance.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/launch/launch_park.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_recall.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"

#define MODES 16u /* values that the TMD's field can hold */

/* The policy of each mode. */
static const struct policy *const policies[MODES] = {
	[GG_TASK_MODE_LOAD_BALANCING] = &policy_balance,
	[GG_TASK_MODE_ROUND_ROBIN] = &CP_POLICY,
	[GG_TASK_MODE_PULL] = PART_IS_HERE(GG_FEATURE_PULL) ? &policy_pull : NULL,
};

const struct policy_order policy_by_age = { .next = NULL };

#define GRANTED_TIMES \
	64u /* without atomic instructions only grids of so many times what fits are pulled */

static enum gg_task_mode device_mode; /* mode of tasks with GG_TASK_MODE_DEVICE */
static bool device_pulls;             /* grids that do not fit into the device are pulled */
static enum cga_outcome cgas_end;     /* why the last issue of CGAs ended */

void issue_init(void)
{
	for (uint32_t mode = 0; mode < MODES; mode++) {
		if (policies[mode] != NULL && policies[mode]->init != NULL) {
			policies[mode]->init();
		}
	}
	issue_set_mode(GG_TASK_MODE_DEVICE);
}

void issue_set_mode(enum gg_task_mode mode)
{
	device_pulls = mode == GG_TASK_MODE_DEVICE;
	device_mode = device_pulls ? GG_TASK_MODE_LOAD_BALANCING : mode;
}

bool issue_pulls(uint64_t ctas, uint32_t most)
{
	return part_is_here(GG_FEATURE_PULL) && device_pulls &&
	       ctas > (device_has_atomics() ? most : (uint64_t)most * GRANTED_TIMES) &&
	       !(part_is_here(GG_FEATURE_PARKS) && launch_park_on);
}

static enum gg_task_mode mode_of(const struct task *task)
{
	return task->rules.mode == GG_TASK_MODE_DEVICE ? device_mode
						       : (enum gg_task_mode)task->rules.mode;
}

bool issue_is_balanced(const struct task *task)
{
	return mode_of(task) == GG_TASK_MODE_LOAD_BALANCING;
}

static void issue_ctas(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	const enum gg_task_mode mode = mode_of(task);

	assert((uint32_t)mode < MODES &&
	       policies[mode] != NULL); /* checked when the TMD or CONFIG was read */
	policies[mode]->issue(task, ctas, sms);
}

static __attribute__((noinline)) void issue_cgas(struct task *task, uint64_t ctas,
						 const uint32_t *sms)
{
	const uint32_t before = task->work.in_flight;

	cgas_end = cga_wait_keeps_ids()
			   ? CGA_NO_ID
			   : cga_issue(task, ctas / cga_shape_ctas(&task->rules.shape), sms);
	if (task->work.in_flight != before) {
		cga_wait_over(task);
	}
}

uint64_t issue(struct task *task, uint64_t ctas)
{
	const uint32_t before = task->work.in_flight;

	if (launch_park_is_used()) {
		launch_park_claim(task);
	}
	const uint32_t *sms = offer_to(task);

	if (wave_is_here() && wave_behind != 0) {
		wave_settle(); /* those that were launched in this walk */
	}

	if (!task_has_cgas(task)) {
		issue_ctas(task, ctas, sms);
	} else {
		issue_cgas(task, ctas, sms);
	}
	const uint32_t issued = task->work.in_flight - before;

	allowance_use(task, issued);
	offer_issued(issued);
	task_table_show(task);
	return issued;
}

static __attribute__((cold)) bool cga_lacks_room(struct task *task)
{
	stall_set(task, GG_REASON_CLUSTER);
	if (cgas_end == CGA_NO_ID) {
		cga_wait_for_id(task);
		return true;
	}
	return cga_wait_for_room(task);
}

bool issue_lacks_room(struct task *task)
{
	if (wave_is_here()) {
		wave_want();
	}
	if (pull_slots() != 0) {
		pull_recall_room(task);
	}
	if (task_has_cgas(task)) {
		return cga_lacks_room(task);
	}
	stall_set(task, task->rules.restricted ? GG_REASON_AFFINITY : GG_REASON_SM);
	return offer_claim(task);
}

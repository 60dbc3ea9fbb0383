/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/issue.h"

#include <stddef.h>

#include "firmware/cp/allowance.h"
#include "firmware/cp/cga.h"
#include "firmware/cp/cga_wait.h"
#include "firmware/cp/offer.h"
#include "firmware/cp/policy.h"
#include "firmware/cp/pull.h"
#include "firmware/cp/pull_yield.h"
#include "firmware/cp/reason.h"
#include "firmware/cp/task_table.h"

static enum gg_task_mode device_mode; /* of tasks that leave it to the device */
static enum cga_outcome cgas_end;     /* why the last task of CGAs got no more */

void issue_init(void)
{
	policy_init();
	device_mode = GG_TASK_MODE_LOAD_BALANCING;
}

void issue_set_mode(enum gg_task_mode mode)
{
	device_mode = mode;
}

static void issue_ctas(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	const enum gg_task_mode mode =
		task->mode == GG_TASK_MODE_DEVICE ? device_mode : (enum gg_task_mode)task->mode;

	policy_issue(mode, task, ctas, sms);
}

static __attribute__((noinline)) void issue_cgas(struct task *task, uint64_t ctas,
						 const uint32_t *sms)
{
	const uint32_t before = task->in_flight;

	cgas_end = cga_wait_keeps_ids() ? CGA_NO_ID
					: cga_issue(task, ctas / cga_shape_ctas(&task->shape), sms);
	if (task->in_flight != before) {
		cga_wait_over(task);
	}
}

uint64_t issue(struct task *task, uint64_t ctas)
{
	const uint32_t before = task->in_flight;
	const uint32_t *sms = offer_to(task);

	if (task->shape.levels == 0) {
		issue_ctas(task, ctas, sms);
	} else {
		issue_cgas(task, ctas, sms);
	}
	const uint32_t issued = task->in_flight - before;

	allowance_use(task, issued);
	offer_issued(issued);
	task_table_show(task);
	return issued;
}

static bool cga_lacks_room(struct task *task)
{
	reason_set(task, GG_REASON_CLUSTER);
	if (cgas_end == CGA_NO_ID) {
		cga_wait_for_id(task);
		return true;
	}
	return cga_wait_for_room(task);
}

bool issue_lacks_room(struct task *task)
{
	if (pull_slots() != 0) {
		pull_yield_room(task);
	}
	if (task->shape.levels != 0) {
		return cga_lacks_room(task);
	}
	reason_set(task, task->restricted ? GG_REASON_AFFINITY : GG_REASON_SM);
	return offer_claim(task);
}

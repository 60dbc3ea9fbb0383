/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/work.h"

void task_work_gather(struct task *task, struct task *child)
{
	if (child->work.first != 0) { /* else no CTA of it has started */
		task_work_end(task, 0, child->work.first, child->work.last);
	}
	task->work.done += child->work.done;
	task->work.packets += child->work.packets;
	task->back.retried += child->back.retried;
	for (uint32_t word = 0; word < device.sm_words; word++) {
		task->sms[word] |= child->sms[word];
		child->sms[word] = 0; /* the place may be given back clean */
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/submit.h"

#include <stddef.h>

#include "firmware/cp/cga_admit.h"
#include "firmware/cp/dependence.h"
#include "firmware/cp/device.h"
#include "firmware/cp/directory.h"
#include "firmware/cp/life.h"
#include "firmware/cp/queue.h"
#include "firmware/cp/throttle.h"
#include "firmware/cp/tmd.h"
#include "firmware/cp/trace.h"
#include "hal/timer.h"

/* A queue task takes two places. */
bool submit_has_room(void)
{
	return task_pool_free() >= SUBMIT_RESERVE + 2 && dependence_has_room();
}

static bool is_queue(const struct task *task)
{
	return task_type(task) == GG_TASK_TYPE_QUEUE;
}

static bool check(struct task *task, struct task_name name)
{
	if (!tmd_take(task, name)) {
		return false;
	}
	if (is_queue(task) && !queue_open(task)) {
		return task_refuse(task, GG_ERR_NO_MEMORY, 0, 0);
	}
	if (!dependence_decode(task)) {
		queue_give(task);
		return false;
	}
	return true;
}

/* Everything that can be refused comes before everything that has an effect. */
bool submit(struct task *task, struct task_name name)
{
	task->address = name.address;
	if (!check(task, name)) {
		dependence_remember(task, name.generation);
		return false;
	}
	directory_add(task);
	throttle_count(task, true);
	cga_admit_count(task, true);
	dependence_link();
	trace_event(task, (struct trace_event){
				  .type = GG_TRACE_TYPE_ACCEPT,
				  .sm = TRACE_NO_SM,
				  .cta = task->left,
				  .extra = task->priority,
			  });
	return true;
}

/* A child never waits for room: its parent holds an SM meanwhile, which others may need to end. */
struct refusal submit_child(struct task *parent, struct task_name name, bool trusted)
{
	struct task *task;
	struct refusal answer;

	if (parent->depth >= LIFE_DEPTH) {
		return refusal_of(GG_ERR_DEPTH, 0, LIFE_DEPTH);
	}
	task = dependence_has_room() ? task_take() : NULL;
	if (task == NULL) {
		return refusal_of(GG_ERR_NO_MEMORY, 0, 0);
	}
	task->parent = parent;
	task->trusted = trusted;
	task->tag = parent->tag;
	task->channel = parent->channel;
	task->times.posted = timer_now();
	if (!submit(task, name)) {
		answer = task->failure;
		task_give(task);
		return answer;
	}
	life_adopt(parent, task);
	life_begin(task);
	return refusal_none();
}

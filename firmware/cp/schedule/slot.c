/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/schedule/slot.h"

#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch_park.h"
#include "firmware/cp/launch/launch_stop.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_recall.h"
#include "firmware/cp/schedule/allowance.h"
#include "firmware/cp/schedule/minimum_share.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/kind.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/task/task_table.h"

struct task_list slot_drained;

void slot_init(void)
{
	slot_drained = (struct task_list){ 0 };
}

static bool is_better_victim(const struct task *task, const struct task *than)
{
	if (than == NULL || task->rules.priority != than->rules.priority) {
		return than == NULL || task->rules.priority > than->rules.priority;
	}
	if ((task->work.in_flight == 0) != (than->work.in_flight == 0)) {
		return task->work.in_flight == 0;
	}
	return (int32_t)(task->turn.stamp - than->turn.stamp) > 0;
}

/* The victim among the ready tasks of a priority: the youngest without CTAs in flight, else the youngest. */
static struct task *victim_of(uint32_t priority)
{
	struct task *victim = NULL;
	struct task *task = task_table_last(priority);

	for (; task != NULL; task = task->previous) {
		if (task == minimum_share_guest()) {
			continue;
		}
		if (task->work.in_flight == 0) {
			return task;
		}
		victim = victim != NULL ? victim : task;
	}
	return victim;
}

/* The better of some victim and the tasks of some slots. */
static struct task *better_victim(struct task *victim, uint32_t slots, uint32_t priority)
{
	for (; slots != 0; slots &= slots - 1) {
		struct task *task = task_table_holder(bits_lowest(slots));

		if (task->rules.priority > priority && task != minimum_share_guest() &&
		    is_better_victim(task, victim)) {
			victim = task;
		}
	}
	return victim;
}

/* Slots of tasks whose CTAs are all issued, and can be parked. */
static uint32_t drainable(void)
{
	uint32_t drainable = 0;

	for (uint32_t slots = task_table_used(); slots != 0; slots &= slots - 1) {
		const uint32_t slot = bits_lowest(slots);
		const struct task *task = task_table_holder(slot);

		if (task->life.state == TASK_DRAINING && launch_park_may(task)) {
			drainable |= 1u << slot;
		}
	}
	return drainable;
}

/* The ready tasks are in lists, by priority and age; those that are blocked are few, and in none. */
struct task *slot_victim(uint32_t priority)
{
	uint32_t ready = task_table_priorities() & ~bits_ones(priority + 1);
	struct task *victim = NULL;

	while (ready != 0 && victim == NULL) {
		const uint32_t lowest = bits_highest(ready);

		victim = victim_of(lowest);
		ready &= ~(1u << lowest);
	}
	victim = better_victim(victim, task_table_blocked(), priority);
	if (part_is_here(GG_FEATURE_PARKS) && victim == NULL && launch_park_on) {
		victim = better_victim(NULL, drainable(), priority);
	}
	return victim;
}

static void end_turn(struct task *task)
{
	stall_set(task, GG_REASON_QUOTA);
	task_table_rotate(task);
}

static void block(struct task *task)
{
	stall_set(task, task->rules.sequential ? GG_REASON_SEQUENCE : GG_REASON_SM);
	task_table_withdraw(task, TASK_BLOCKED);
}

bool slot_settle(struct task *task)
{
	if (task->work.left == 0) {
		stall_set(task, GG_REASON_NONE);
		task_table_withdraw(task, TASK_DRAINING);
		task_kind_issued(task);
		return false;
	}
	if (allowance_quota_is_used(task)) {
		end_turn(task);
	}
	if (allowance(task) == 0) {
		block(task);
		return false;
	}
	return true;
}

static void leave_if_drained(struct task *task)
{
	if (task->work.in_flight == 0 &&
	    (task->life.state == TASK_DRAINING || task->life.state == TASK_LEAVING)) {
		if (task_is_pull(task)) {
			pull_close(task);
		}
		/* The table counts it no more among those that make room. */
		if (task->life.state == TASK_LEAVING) {
			task_table_withdraw(task, TASK_DRAINING);
		}
		sm_state_forget(task, task->turn.slot);
		minimum_share_left(task);
		task_table_remove(task);
		task_list_append(&slot_drained, task);
	}
}

/* A draining task has CTAs to issue again. Its CTAs in flight, or its quota, may still keep it back. */
static void come_back(struct task *task)
{
	stall_set(task, GG_REASON_SM);
	task_table_make_ready(task);
	if (allowance_quota_is_used(task)) {
		end_turn(task);
	}
	if (allowance(task) == 0) {
		block(task);
	}
}

/* SMs may have taken the last items of a PULL grid, or given items back; a CGA may run again. */
static __attribute__((noinline)) void settle(struct task *task)
{
	if (task->life.state == TASK_READY && task->work.left == 0) {
		(void)slot_settle(task);
	} else if (task->life.state == TASK_DRAINING && task->work.left != 0 &&
		   !task->life.suspended && !task_has_failed(task)) {
		come_back(task);
	}
}

void slot_ended(struct task *task)
{
	if (task->life.state == TASK_BLOCKED && allowance(task) != 0) {
		task_table_make_ready(task);
	}
	if (task_is_pull(task) || task_has_cgas(task)) {
		settle(task);
	}
	leave_if_drained(task);
}

void slot_more(struct task *task)
{
	if (task->life.state == TASK_DRAINING && task->work.left != 0 && !task->life.suspended &&
	    !task_has_failed(task)) {
		come_back(task);
	}
	task_table_show(task);
}

void slot_leave(struct task *task)
{
	if (task_is_pull(task)) {
		pull_recall_task(task);
	}
	if (task->life.state == TASK_READY || task->life.state == TASK_BLOCKED ||
	    (task->life.state == TASK_DRAINING && launch_park_may(task))) {
		task_table_withdraw(task, TASK_LEAVING);
		leave_if_drained(task);
	}
}

void slot_stop(struct task *task)
{
	device.slots[task->turn.slot].status = (uint32_t)task->failure.status;
	task_table_withdraw(task, TASK_DRAINING);
	if (task_is_pull(task)) {
		pull_stop(task);
	}
	launch_stop(task);
	leave_if_drained(task);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/work_distribution.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "firmware/cp/bits.h"
#include "firmware/cp/device.h"
#include "firmware/cp/floor.h"
#include "firmware/cp/launch.h"
#include "firmware/cp/life.h"
#include "firmware/cp/offer.h"
#include "firmware/cp/policy.h"
#include "firmware/cp/queue.h"
#include "firmware/cp/reason.h"
#include "firmware/cp/task_management.h"
#include "firmware/cp/task_table.h"
#include "firmware/cp/throttle.h"

/** What came of a task's turn. */
enum outcome {
	NEXT,    /* it has what it can have; go on with the next */
	ROTATED, /* it went behind the others of its priority */
	NO_SM    /* no SM is left for anybody */
};

static enum gg_task_mode device_mode; /* of tasks that leave it to the device */
static bool floor_waits; /* the lower priority whose turn it is has claimed its SMs in this walk */

void work_distribution_init(void)
{
	policy_init();
	device_mode = GG_TASK_MODE_LOAD_BALANCING;
}

void work_distribution_set_mode(enum gg_task_mode mode)
{
	device_mode = mode;
}

static uint64_t smaller(uint64_t left, uint64_t right)
{
	return left < right ? left : right;
}

/* CTAs that the task's own rules let be issued now. */
static uint64_t allowance(const struct task *task)
{
	uint64_t ctas = task->left;

	if (task->sequential) {
		ctas = smaller(ctas, task->in_flight == 0 ? 1 : 0);
	}
	if (task->queue != NULL) {
		ctas = smaller(ctas, queue_room(task));
	}
	if (task->tmd.quota != 0) {
		ctas = smaller(ctas, task->quota_left);
	}
	return ctas;
}

/* Method 500 (S0-R31, S0-R32): the task's policy chooses the SMs. Returns the CTAs issued. */
static uint64_t issue(struct task *task, uint64_t ctas)
{
	const uint32_t before = task->in_flight;
	const enum gg_task_mode mode =
		task->mode == GG_TASK_MODE_DEVICE ? device_mode : (enum gg_task_mode)task->mode;

	policy_issue(mode, task, ctas, offer_to(task));

	const uint32_t issued = task->in_flight - before;

	if (task->tmd.quota != 0) {
		task->quota_left -= issued;
	}
	task_table_show(task);
	return issued;
}

static enum outcome lacks_sm(struct task *task)
{
	reason_set(task, task->restricted ? GG_REASON_AFFINITY : GG_REASON_SM);
	return offer_claim(task) ? NEXT : NO_SM;
}

static bool has_used_quota(const struct task *task)
{
	return task->tmd.quota != 0 && task->quota_left == 0;
}

static void end_turn(struct task *task)
{
	reason_set(task, GG_REASON_QUOTA);
	task->quota_left = task->tmd.quota;
	task_table_rotate(task);
}

static void block(struct task *task)
{
	reason_set(task, task->sequential ? GG_REASON_SEQUENCE : GG_REASON_SM);
	task_table_withdraw(task, TASK_BLOCKED);
}

/* All that its rules let be issued is issued: what becomes of it? It stays ready only if more may be: of a
 * ready task a CTA can always be issued. */
static enum outcome withdraw(struct task *task)
{
	if (task->left == 0) {
		reason_set(task, GG_REASON_NONE);
		task_table_withdraw(task, TASK_DRAINING);
		return NEXT;
	}
	if (has_used_quota(task)) {
		end_turn(task);
	}
	if (allowance(task) == 0) {
		block(task);
		return NEXT;
	}
	return ROTATED;
}

/* A CTA of a lower priority is due. If no SM has room for it, the next that has is kept for it. */
static enum outcome pay(uint32_t lower)
{
	struct task *task = task_table_first(floor_turn(lower));

	assert(allowance(task) != 0);
	if (issue(task, 1) == 0) {
		floor_waits = true;
		return lacks_sm(task);
	}
	floor_paid(task);
	if (allowance(task) == 0) {
		(void)withdraw(task);
	}
	return NEXT;
}

static uint32_t below(uint32_t priority)
{
	return ~bits_ones(priority + 1);
}

/* Ready tasks of lower priorities that may be due; not while the mode keeps some of them back. */
static uint32_t lower_than(uint32_t priority)
{
	return floor_waits || throttle_tasks() != 0 ? 0 : task_table_priorities() & below(priority);
}

static bool waits_below(uint32_t priority)
{
	const uint32_t waiting = task_table_priorities() | task_management_priorities();

	return throttle_tasks() == 0 && (waiting & below(priority)) != 0;
}

static enum outcome distribute(struct task *task)
{
	while (allowance(task) != 0) {
		const uint32_t lower = lower_than(task->priority);
		const uint64_t limit = floor_limit(lower);

		if (limit == 0) {
			if (pay(lower) == NO_SM) {
				return NO_SM;
			}
			continue;
		}
		const uint64_t ctas = smaller(allowance(task), limit);
		const uint64_t issued = issue(task, ctas);

		floor_issued(waits_below(task->priority), issued);
		if (issued < ctas) {
			return lacks_sm(task);
		}
	}
	return withdraw(task);
}

/* Returns whether SMs are left for lower priorities. */
static bool walk_priority(uint32_t priority)
{
	struct task *task = task_table_first(priority);

	while (task != NULL) {
		struct task *next = task->next;

		if (!throttle_matches(task)) {
			reason_set(task, GG_REASON_THROTTLE);
		} else {
			const enum outcome outcome = distribute(task);

			if (outcome == NO_SM) {
				return false;
			}
			if (outcome == ROTATED && next == NULL) {
				next = task;
			}
		}
		task = next;
	}
	return true;
}

/* The mode is being switched: nobody gets anything. */
static void keep_back(void)
{
	uint32_t priorities = task_table_priorities();

	for (; priorities != 0; priorities &= priorities - 1) {
		struct task *task = task_table_first(bits_lowest(priorities));

		for (; task != NULL; task = task->next) {
			reason_set(task, GG_REASON_THROTTLE);
		}
	}
}

void work_distribution_run(void)
{
	uint32_t priorities = task_table_priorities();

	if (!throttle_settle()) {
		keep_back();
		return;
	}
	offer_all();
	floor_waits = false;
	floor_begin(priorities != 0 && waits_below(bits_lowest(priorities)));
	while (priorities != 0) {
		const uint32_t priority = bits_lowest(priorities);

		if (!walk_priority(priority)) {
			return;
		}
		priorities = task_table_priorities() & ~bits_ones(priority + 1);
	}
}

static void leave_if_drained(struct task *task)
{
	if (task->in_flight == 0 && (task->state == TASK_DRAINING || task->state == TASK_LEAVING)) {
		task_table_empty(task);
		life_leave(task);
	}
}

void work_distribution_ended(struct task *task)
{
	if (task->state == TASK_BLOCKED && allowance(task) != 0) {
		task_table_make_ready(task);
	}
	leave_if_drained(task);
}

/* It had no items left; its CTAs in flight, or its quota, may still keep it back. */
static void come_back(struct task *task)
{
	reason_set(task, GG_REASON_SM);
	task_table_make_ready(task);
	if (has_used_quota(task)) {
		end_turn(task);
	}
	if (allowance(task) == 0) {
		block(task);
	}
}

void work_distribution_more(struct task *task)
{
	if (task->state == TASK_DRAINING && task->left != 0 && !task->suspended &&
	    task->failure.status == GG_OK) {
		come_back(task);
	}
	task_table_show(task);
}

void work_distribution_leave(struct task *task)
{
	if (task->state == TASK_READY || task->state == TASK_BLOCKED) {
		task_table_withdraw(task, TASK_LEAVING);
		leave_if_drained(task);
	}
}

void work_distribution_stop(struct task *task)
{
	device.slots[task->slot].status = (uint32_t)task->failure.status;
	task_table_withdraw(task, TASK_DRAINING);
	launch_stop(task);
	leave_if_drained(task);
}

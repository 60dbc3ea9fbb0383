/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/work_distribution.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "firmware/cp/allowance.h"
#include "firmware/cp/bits.h"
#include "firmware/cp/cga_wait.h"
#include "firmware/cp/device.h"
#include "firmware/cp/floor.h"
#include "firmware/cp/graph.h"
#include "firmware/cp/issue.h"
#include "firmware/cp/launch_stop.h"
#include "firmware/cp/life.h"
#include "firmware/cp/offer.h"
#include "firmware/cp/pull.h"
#include "firmware/cp/pull_yield.h"
#include "firmware/cp/reason.h"
#include "firmware/cp/task_management.h"
#include "firmware/cp/task_table.h"
#include "firmware/cp/throttle.h"

/** What came of a task's turn. */
enum outcome {
	NEXT,    /* it has what it can have; go on with the next */
	ROTATED, /* it went behind the others of its priority */
	NO_SM,   /* no SM is left for anybody */
	AGAIN    /* SMs are to be reserved for a CGA that the walk has met before: it begins anew */
};

static bool floor_waits; /* the lower priority whose turn it is has claimed its SMs in this walk */

void work_distribution_init(void)
{
	issue_init();
}

void work_distribution_set_mode(enum gg_task_mode mode)
{
	issue_set_mode(mode);
}

static enum outcome lacks_sm(struct task *task)
{
	return issue_lacks_room(task) ? NEXT : NO_SM;
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
		graph_child_issued(task);
		return NEXT;
	}
	if (allowance_quota_is_used(task)) {
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
	const uint64_t issued = issue(task, allowance_whole(task, 1));

	if (issued == 0) {
		floor_waits = true;
		if (pull_slots() != 0) {
			pull_yield_due(task);
		}
		return lacks_sm(task);
	}
	floor_paid(task, (uint32_t)issued);
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
		const uint64_t due = floor_limit(lower);
		const uint64_t limit = allowance_smaller(due, offer_ctas());

		if (limit == 0) {
			const enum outcome outcome = offer_ctas() == 0 ? AGAIN : pay(lower);

			if (outcome != NEXT) {
				return outcome;
			}
			continue;
		}
		const uint64_t ctas =
			allowance_smaller(allowance(task), allowance_whole(task, limit));
		const uint64_t issued = issue(task, ctas);

		floor_issued(waits_below(task->priority), issued);
		if (issued < ctas && task->left != 0) { /* SMs may have emptied a PULL grid */
			return lacks_sm(task);
		}
	}
	return withdraw(task);
}

/* Returns NEXT when SMs are left for lower priorities; else what ended the walk. */
static enum outcome walk_priority(uint32_t priority)
{
	struct task *task = task_table_first(priority);

	while (task != NULL) {
		struct task *next = task->next;

		if (!throttle_matches(task)) {
			reason_set(task, GG_REASON_THROTTLE);
		} else {
			const enum outcome outcome = distribute(task);

			if (outcome == NO_SM || outcome == AGAIN) {
				return outcome;
			}
			if (outcome == ROTATED && next == NULL) {
				next = task;
			}
		}
		task = next;
	}
	return NEXT;
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

static enum outcome walk(uint32_t priorities)
{
	enum outcome outcome = NEXT;

	offer_all();
	cga_wait_walk();
	floor_waits = false;
	while (priorities != 0 && outcome == NEXT) {
		const uint32_t priority = bits_lowest(priorities);

		outcome = walk_priority(priority);
		priorities = task_table_priorities() & ~bits_ones(priority + 1);
	}
	return outcome;
}

/* A walk that begins anew has issued at least one CTA, and the patience of a task in a slot has ended with it. */
void work_distribution_run(void)
{
	if (pull_slots() != 0) {
		pull_refresh();
	}

	uint32_t priorities = task_table_priorities();

	if (!throttle_settle()) {
		keep_back();
		pull_yield_all();
		return;
	}
	floor_begin(priorities != 0 && waits_below(bits_lowest(priorities)));
	while (priorities != 0 && walk(priorities) == AGAIN) {
		priorities = task_table_priorities();
	}
}

static void leave_if_drained(struct task *task)
{
	if (task->in_flight == 0 && (task->state == TASK_DRAINING || task->state == TASK_LEAVING)) {
		if (pull_is(task)) {
			pull_close(task);
		}
		task_table_empty(task);
		life_leave(task);
	}
}

/* It had no items left; its CTAs in flight, or its quota, may still keep it back. */
static void come_back(struct task *task)
{
	reason_set(task, GG_REASON_SM);
	task_table_make_ready(task);
	if (allowance_quota_is_used(task)) {
		end_turn(task);
	}
	if (allowance(task) == 0) {
		block(task);
	}
}

/* What SMs took of a PULL grid, or gave back: may more of it be issued? */
static __attribute__((noinline)) void settle_pull(struct task *task)
{
	if (task->state == TASK_READY && task->left == 0) {
		(void)withdraw(task);
	} else if (task->state == TASK_DRAINING && task->left != 0 && !task->suspended &&
		   !task_has_failed(task)) {
		come_back(task);
	}
}

void work_distribution_ended(struct task *task)
{
	if (task->state == TASK_BLOCKED && allowance(task) != 0) {
		task_table_make_ready(task);
	}
	if (pull_is(task)) {
		settle_pull(task);
	}
	leave_if_drained(task);
}

void work_distribution_more(struct task *task)
{
	if (task->state == TASK_DRAINING && task->left != 0 && !task->suspended &&
	    !task_has_failed(task)) {
		come_back(task);
	}
	task_table_show(task);
}

void work_distribution_leave(struct task *task)
{
	if (pull_is(task)) {
		pull_yield_task(task);
	}
	if (task->state == TASK_READY || task->state == TASK_BLOCKED) {
		task_table_withdraw(task, TASK_LEAVING);
		leave_if_drained(task);
	}
}

void work_distribution_stop(struct task *task)
{
	device.slots[task->slot].status = (uint32_t)task->failure.status;
	task_table_withdraw(task, TASK_DRAINING);
	if (pull_is(task)) {
		pull_stop(task);
	}
	launch_stop(task);
	leave_if_drained(task);
}

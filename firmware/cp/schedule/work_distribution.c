/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/schedule/work_distribution.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "firmware/cp/schedule/allowance.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/schedule/minimum_share.h"
#include "firmware/cp/schedule/issue.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_recall.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/schedule/task_management.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/schedule/throttle.h"
#include "firmware/cp/wave/wave.h"

/** How the walk goes on after a task. */
enum outcome {
	NEXT,    /* it got all that it can get; go on with the next task */
	ROTATED, /* it is ready again, behind the others of its priority */
	NO_SM,   /* no SM is left to offer; the walk ends */
	AGAIN    /* the walk begins again, to reserve SMs for a CGA that it has passed */
};

static bool share_waits; /* a lower priority was due a CTA in this walk, and no SM had room */

void work_distribution_init(void)
{
	issue_init();
	slot_init();
}

void work_distribution_set_mode(enum gg_task_mode mode)
{
	issue_set_mode(mode);
}

static enum outcome lacks_sm(struct task *task)
{
	return issue_lacks_room(task) ? NEXT : NO_SM;
}

/* How many CTAs of a task can be issued. When no others are left, those of lost SMs come. */
static uint64_t more_of(struct task *task)
{
	const uint64_t ctas = allowance(task);

	return ctas != 0 || !retry_next(task) ? ctas : allowance(task);
}

/* A CTA is due to a lower priority. If no SM has room for it, its task claims the SMs that it may use. */
static enum outcome pay(uint32_t lower)
{
	struct task *task = task_table_first(minimum_share_turn(lower));

	assert(allowance(task) != 0);
	const uint64_t issued = issue(task, allowance_whole(task, 1));

	if (issued == 0) {
		share_waits = true;
		if (pull_slots() != 0) {
			pull_recall_due(task);
		}
		return lacks_sm(task);
	}
	minimum_share_paid(task, (uint32_t)issued);
	if (more_of(task) == 0) {
		slot_settle(task);
	}
	return NEXT;
}

static uint32_t below(uint32_t priority)
{
	return ~bits_ones(priority + 1);
}

/* Lower priorities with ready tasks to which a CTA may be due. There are none while throttle tasks exist, because
 * the mode keeps some of the tasks back. */
static uint32_t lower_than(uint32_t priority)
{
	return share_waits || throttle_tasks() != 0 ? 0 : task_table_priorities() & below(priority);
}

static bool waits_below(uint32_t priority)
{
	const uint32_t waiting = task_table_priorities() | task_management_priorities();

	return throttle_tasks() == 0 && (waiting & below(priority)) != 0;
}

static enum outcome distribute(struct task *task)
{
	uint64_t more;

	while ((more = more_of(task)) != 0) {
		const uint32_t lower = lower_than(task->rules.priority);
		const uint64_t due = minimum_share_limit(lower);
		const uint64_t limit = allowance_smaller(due, offer_ctas());

		if (limit == 0) {
			const enum outcome outcome = offer_ctas() == 0 ? AGAIN : pay(lower);

			if (outcome != NEXT) {
				return outcome;
			}
			continue;
		}
		const uint64_t ctas = allowance_smaller(more, allowance_whole(task, limit));
		const uint64_t issued = issue(task, ctas);

		minimum_share_issued(waits_below(task->rules.priority), issued);
		if (issued < ctas &&
		    task->work.left != 0) { /* SMs may have taken the last items of a PULL grid */
			return lacks_sm(task);
		}
	}
	return slot_settle(task) ? ROTATED : NEXT;
}

/* Returns NEXT when SMs are left for lower priorities, else why the walk has ended. */
static enum outcome walk_priority(uint32_t priority)
{
	struct task *task = task_table_first(priority);

	while (task != NULL) {
		struct task *next = task->next;

		if (!throttle_matches(task)) {
			stall_set(task, GG_REASON_THROTTLE);
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

/* No CTA is issued while a switch of the throttle mode waits; THROTTLE is the stall reason of all ready tasks. */
static void keep_back(void)
{
	uint32_t priorities = task_table_priorities();

	for (; priorities != 0; priorities &= priorities - 1) {
		struct task *task = task_table_first(bits_lowest(priorities));

		for (; task != NULL; task = task->next) {
			stall_set(task, GG_REASON_THROTTLE);
		}
	}
}

/* The ready tasks, but those in some slots. Returns their number. */
static uint32_t choices(struct task **tasks, uint32_t passed)
{
	uint32_t priorities = task_table_priorities();
	uint32_t count = 0;

	for (; priorities != 0; priorities &= priorities - 1) {
		struct task *task = task_table_first(bits_lowest(priorities));

		for (; task != NULL; task = task->next) {
			if (!throttle_matches(task)) {
				stall_set(task, GG_REASON_THROTTLE);
			} else if ((passed >> task->turn.slot & 1) == 0) {
				tasks[count++] = task;
			}
		}
	}
	return count;
}

/* The walk of a policy that chooses tasks. It ends: each step passes a task, or one that has used its quota. */
static enum outcome walk_chosen(void)
{
	struct task *tasks[CP_SLOTS];
	uint32_t passed = 0; /* slots */
	enum outcome outcome = NEXT;

	while (outcome == NEXT || outcome == ROTATED) {
		const uint32_t count = choices(tasks, passed);

		if (count == 0) {
			return NEXT;
		}
		const uint32_t chosen = CP_ORDER.next(tasks, count);

		assert(chosen < count);
		const uint32_t slot = tasks[chosen]->turn.slot;

		outcome = distribute(tasks[chosen]);
		passed |= outcome == ROTATED ? 0 : 1u << slot;
	}
	return outcome;
}

static enum outcome walk(uint32_t priorities)
{
	enum outcome outcome = NEXT;

	offer_all();
	if (wave_is_here()) {
		wave_walk();
	}
	if (part_is_here(GG_FEATURE_CLUSTERS)) {
		cga_wait_walk();
	}
	share_waits = false;
	if (policy_has_next()) {
		return walk_chosen();
	}
	while (priorities != 0 && outcome == NEXT) {
		const uint32_t priority = bits_lowest(priorities);

		outcome = walk_priority(priority);
		priorities = task_table_priorities() & ~bits_ones(priority + 1);
	}
	return outcome;
}

void work_distribution_refresh(void)
{
	for (uint32_t slots = pull_slots(); slots != 0; slots &= slots - 1) {
		struct task *task = task_table_holder(bits_lowest(slots));

		pull_count(task);
		slot_ended(task);
	}
}

/* The loop ends: before a walk returns AGAIN, at least one CTA was issued and the patience of one more task in a
 * slot has ended. */
void work_distribution_run(void)
{
	uint32_t priorities = task_table_priorities();

	if (!throttle_settle()) {
		keep_back();
		if (pull_slots() != 0) {
			pull_recall_all();
		}
		return;
	}
	minimum_share_begin(priorities != 0 && waits_below(bits_lowest(priorities)));
	while (priorities != 0 && walk(priorities) == AGAIN) {
		priorities = task_table_priorities();
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/schedule/task_management.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/schedule/minimum_share.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/task/task_table.h"

static struct task_list
	pending[CP_PRIORITIES + 1]; /* pending tasks by priority; entry 0 is not used */
static uint32_t pending_priorities; /* bit p: pending[p] is not empty */

void task_management_init(void)
{
	memset(pending, 0, sizeof(pending));
	pending_priorities = 0;
}

uint32_t task_management_priorities(void)
{
	return pending_priorities;
}

static void enter(struct task *task)
{
	pending_priorities |= 1u << task->rules.priority;
	due_note(DUE_PENDING, true);
	stall_set(task, GG_REASON_SLOT);
}

void task_management_add(struct task *task)
{
	if (gg_get(task->tmd.header, GG_TMD_HEAD) != 0) {
		task_list_prepend(&pending[task->rules.priority], task);
	} else {
		task_list_append(&pending[task->rules.priority], task);
	}
	enter(task);
}

void task_management_return(struct task *task)
{
	task_list_prepend(&pending[task->rules.priority], task);
	enter(task);
}

struct task *task_management_first(void)
{
	return pending[bits_lowest(pending_priorities)].head;
}

void task_management_remove(struct task *task)
{
	task_list_remove(&pending[task->rules.priority], task);
	if (pending[task->rules.priority].head == NULL) {
		pending_priorities &= ~(1u << task->rules.priority);
		due_note(DUE_PENDING, pending_priorities != 0);
	}
}

/* The policy's choice of the first pending tasks of a priority. */
static struct task *choose(uint32_t priority)
{
	struct task *tasks[CP_SLOTS] = { pending[priority].head };
	uint32_t count = 1;

	while (count < CP_SLOTS && tasks[count - 1]->next != NULL) {
		tasks[count] = tasks[count - 1]->next;
		count++;
	}
	const uint32_t chosen = CP_ORDER.seat(tasks, count);

	assert(chosen < count);
	return tasks[chosen];
}

void task_management_take(struct task *task)
{
	task_management_remove(task);
	stall_set(task, GG_REASON_SM); /* the reason until a CTA is issued */
	task_table_insert(task);
	if (part_is_here(GG_FEATURE_PARKS) && task->work.parked != 0) {
		(void)slot_settle(task); /* it may have no others to issue */
	}
}

static struct task *take(uint32_t priority)
{
	struct task *task = policy_has_seat() ? choose(priority) : pending[priority].head;

	task_management_take(task);
	return task;
}

/* Pending priorities that can get into the table only through the guest slot (minimum_share.h). */
static uint32_t guests(void)
{
	const uint32_t all = pending_priorities | task_table_priorities();

	return pending_priorities & ~bits_ones(bits_lowest(all) + 1);
}

/* Give the guest slot to the next lower priority in turn. A guest that has been served leaves when a task of another
 * lower priority is pending. */
static __attribute__((cold, noinline)) void host_guest(void)
{
	struct task *guest = minimum_share_guest();
	const uint32_t lower = guests();

	if (guest == NULL && lower != 0 && task_table_free() != 0) {
		minimum_share_seat(take(minimum_share_next_guest(lower)));
	} else if (guest != NULL && minimum_share_guest_is_served() &&
		   (lower & ~(1u << guest->rules.priority)) != 0) {
		slot_leave(guest);
	}
}

/* Free slots that the best pending task must not get: the guest slot while there is no guest. */
static uint32_t kept(void)
{
	return minimum_share_is_on() && minimum_share_guest() == NULL && CP_SLOTS > 1 ? 1 : 0;
}

/* Whether more tasks of a priority are pending than there are slots that become free. Those of suspended tasks are not counted:
 * nobody has asked these to make room, and their CTAs may run for long. */
static bool lack_slots(uint32_t priority)
{
	const struct task *task = pending[priority].head;

	for (uint32_t slots = task_table_leaving(); slots != 0 && task != NULL;
	     slots &= slots - 1) {
		if (!task_table_holder(bits_lowest(slots))->life.suspended) {
			task = task->next;
		}
	}
	return task != NULL;
}

bool task_management_make_room(uint32_t priority)
{
	struct task *victim;

	while (lack_slots(priority) && (victim = slot_victim(priority)) != NULL) {
		perf_count(&device.perf->evictions);
		slot_leave(victim);
		if (task_table_free() > kept()) {
			return true;
		}
	}
	return false;
}

bool task_management_run(void)
{
	while (pending_priorities != 0) {
		if (minimum_share_is_on()) {
			host_guest();
			if (slot_has_drained()) {
				return true; /* once it is gone, another guest may get its slot */
			}
		}
		if (pending_priorities == 0) {
			return false;
		}
		const uint32_t priority = bits_lowest(pending_priorities);

		if (task_table_free() <= kept() && !task_management_make_room(priority)) {
			return false;
		}
		take(priority);
		if (slot_has_drained()) {
			return true; /* the task that left may be pending again */
		}
	}
	return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/work_distribution.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/bits.h"
#include "firmware/cp/completion.h"
#include "firmware/cp/device.h"
#include "firmware/cp/launch.h"
#include "firmware/cp/perf.h"
#include "firmware/cp/policy.h"
#include "firmware/cp/sm_state.h"
#include "firmware/cp/task_management.h"
#include "firmware/cp/trace.h"

static struct task *holders[CP_SLOTS];            /* task of each slot, or NULL */
static uint32_t free_slots;                       /* bit s: slot s is free */
static struct task_list ready[CP_PRIORITIES + 1]; /* tasks with CTAs left, oldest first */
static uint32_t ready_priorities;                 /* bit p: ready[p] is not empty */
static uint32_t stamp;                            /* counts insertions */
static enum gg_task_mode device_mode;             /* of tasks that leave it to the device */
static uint32_t default_limit_us;                 /* time limit of a CTA */

void work_distribution_init(void)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		holders[slot] = NULL;
	}
	for (uint32_t priority = 0; priority <= CP_PRIORITIES; priority++) {
		ready[priority] = (struct task_list){ 0 };
	}
	free_slots = bits_ones(CP_SLOTS);
	ready_priorities = 0;
	stamp = 0;
	policy_init();
	device_mode = GG_TASK_MODE_LOAD_BALANCING;
	default_limit_us = 0;
}

void work_distribution_set_mode(enum gg_task_mode mode)
{
	device_mode = mode;
}

void work_distribution_set_time_limit(uint32_t limit_us)
{
	default_limit_us = limit_us;
}

bool work_distribution_has_slot(void)
{
	return free_slots != 0;
}

struct task *work_distribution_task(uint32_t slot)
{
	return holders[slot];
}

static void ready_add(struct task *task)
{
	task_list_append(&ready[task->priority], task);
	ready_priorities |= 1u << task->priority;
}

static void ready_remove(struct task *task)
{
	task_list_remove(&ready[task->priority], task);
	if (ready[task->priority].head == NULL) {
		ready_priorities &= ~(1u << task->priority);
	}
}

static uint32_t limit_ticks(const struct task *task)
{
	const uint32_t own_us = task->tmd.time_limit_us;
	const uint64_t limit_us = own_us != 0 ? own_us : default_limit_us;

	if (limit_us == 0) {
		return 0;
	}
	const uint64_t ticks = limit_us * device.cap->timebase_hz / 1000000u + 1u;

	return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

/* Half of what an SM holds: it refills while the other half runs. */
static uint32_t report_batch(const struct task *task)
{
	const uint32_t most = device.resources.units / task->needs.units;
	const uint32_t slots = most < device.resources.ctas ? most : device.resources.ctas;

	return slots > 1 ? slots / 2 : 1;
}

static void slot_show(const struct task *task)
{
	struct gg_slot *words = &device.slots[task->slot];

	words->in_flight = task->in_flight;
	words->next_lo = gg_low(task->position);
	words->next_hi = gg_high(task->position);
	words->left_lo = gg_low(task->left);
	words->left_hi = gg_high(task->left);
}

static void slot_fill(const struct task *task)
{
	struct gg_slot *words = &device.slots[task->slot];
	const uint64_t tmd = (uintptr_t)&task->tmd;

	words->generation++;
	words->tag = task->tag;
	words->priority = task->priority;
	words->tmd_lo = gg_low(tmd);
	words->tmd_hi = gg_high(tmd);
	words->stamp = stamp++;
	words->status = GG_OK;
	words->batch = report_batch(task);
	words->limit_ticks = limit_ticks(task);
	slot_show(task);
	words->state = GG_SLOT_STATE_READY;
}

void work_distribution_insert(struct task *task)
{
	const uint32_t slot = bits_lowest(free_slots);

	assert(free_slots != 0 && task->left != 0);
	free_slots &= free_slots - 1;
	holders[slot] = task;
	task->slot = (uint8_t)slot;
	slot_fill(task);
	ready_add(task);
	trace_event(task, (struct trace_event){ .type = GG_TRACE_TYPE_SLOT, .sm = TRACE_NO_SM });
}

/* The task leaves its slot: to the host when it is over, else back to the scheduler table. */
static void slot_empty(struct task *task)
{
	const uint32_t slot = task->slot;

	sm_state_forget(task, slot);
	device.slots[slot].state = GG_SLOT_STATE_FREE;
	holders[slot] = NULL;
	free_slots |= 1u << slot;
	task->slot = TASK_NO_SLOT;
	if (task->left != 0 && task->failure.status == GG_OK) {
		task_management_return(task);
	} else {
		completion_add(task);
	}
}

static void slot_drain(struct task *task, enum gg_slot_state state)
{
	ready_remove(task);
	device.slots[task->slot].state = state;
}

bool work_distribution_evict(uint32_t priority)
{
	const uint32_t lower = ready_priorities & ~bits_ones(priority + 1);

	if (lower == 0) {
		return false;
	}
	struct task *task = ready[bits_highest(lower)].tail;

	slot_drain(task, GG_SLOT_STATE_LEAVING);
	if (task->in_flight == 0) {
		slot_empty(task);
	}
	return true;
}

/* Method 500 (S0-R31, S0-R32): the task's policy chooses the SMs. */
static void issue(struct task *task)
{
	policy_issue(task->mode == GG_TASK_MODE_DEVICE ? device_mode
						       : (enum gg_task_mode)task->mode,
		     task);
	slot_show(task);
}

void work_distribution_run(void)
{
	while (ready_priorities != 0) {
		struct task *task = ready[bits_lowest(ready_priorities)].head;

		issue(task);
		if (task->left != 0) {
			perf_count(&device.perf->not_issued_sm);
			return; /* no SM has room for the first task: none for the others */
		}
		slot_drain(task, GG_SLOT_STATE_DRAINING);
	}
}

static void task_times_add(struct task_times *times, const struct gg_report *report)
{
	const uint64_t first = gg_join(report->first_lo, report->first_hi);
	const uint64_t last = gg_join(report->last_lo, report->last_hi);

	if (times->first == 0 || first < times->first) {
		times->first = first;
	}
	if (last > times->last) {
		times->last = last;
	}
}

/* The task ends with its first error: nothing more is issued, what runs is stopped. */
static void task_fail(struct task *task, uint32_t sm, const struct gg_report *report)
{
	if (task->failure.status != GG_OK) {
		return;
	}
	task->failure.status = (enum gg_status)(int32_t)report->status;
	task->fault = report->fault == 0
			      ? 0
			      : gg_put(GG_COMPLETION_FAULT_SM, sm) |
					gg_put(GG_COMPLETION_FAULT_SEQUENCE, report->fault);
	device.slots[task->slot].status = report->status;
	if (device.slots[task->slot].state == GG_SLOT_STATE_READY) {
		slot_drain(task, GG_SLOT_STATE_DRAINING);
	}
	launch_stop(task);
}

void work_distribution_reported(struct task *task, uint32_t sm, const struct gg_report *report)
{
	const uint32_t ctas = bits_count(report->starts);

	assert(ctas <= task->in_flight);
	task->in_flight -= ctas;
	task_times_add(&task->times, report);
	if (report->status == GG_OK) {
		task->done += ctas;
	} else {
		task_fail(task, sm, report);
	}
	device.slots[task->slot].in_flight = task->in_flight;
	if (task->in_flight == 0 && device.slots[task->slot].state != GG_SLOT_STATE_READY) {
		slot_empty(task);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/task_table.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/trace.h"

static struct task *holders[CP_SLOTS];            /* task of each slot, or NULL */
static uint32_t free_slots;                       /* bit s: slot s is free */
static uint32_t free_count;                       /* number of free slots */
static struct task_list ready[CP_PRIORITIES + 1]; /* tasks with CTAs to issue, oldest first */
static uint32_t ready_priorities;                 /* bit p: ready[p] is not empty */
static uint32_t blocked;                          /* bit s: the task of slot s is blocked */
static uint32_t leaving;                          /* bit s: it is leaving */
static uint32_t stamp;         /* stamp of the next task that is inserted or rotated */
static uint32_t default_limit; /* time limit of CTAs without one, in ticks; 0: none */

/** What the words of a slot say that are the same for tasks of the same place, or with the same kernel. */
static struct kernel {
	const struct task *task; /* their place; NULL: not known */
	uint32_t kept;           /* their `rules.kept`; 0: the words hold for no other task */
} kernels[CP_SLOTS];

static void forget_kernels(void)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		kernels[slot] = (struct kernel){ 0 };
	}
}

void task_table_init(void)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		holders[slot] = NULL;
	}
	for (uint32_t priority = 0; priority <= CP_PRIORITIES; priority++) {
		ready[priority] = (struct task_list){ 0 };
	}
	free_slots = bits_ones(CP_SLOTS);
	free_count = CP_SLOTS;
	ready_priorities = 0;
	blocked = 0;
	leaving = 0;
	stamp = 0;
	default_limit = 0;
	forget_kernels();
}

void task_table_set_time_limit(uint32_t limit_us)
{
	default_limit = limit_us != 0 ? device_ticks(limit_us) + 1 : 0;
	forget_kernels();
}

uint32_t task_table_free(void)
{
	return free_count;
}

uint32_t task_table_used(void)
{
	return ~free_slots & bits_ones(CP_SLOTS);
}

struct task *task_table_holder(uint32_t slot)
{
	return holders[slot];
}

uint32_t task_table_priorities(void)
{
	return ready_priorities;
}

struct task *task_table_first(uint32_t priority)
{
	return ready[priority].head;
}

struct task *task_table_last(uint32_t priority)
{
	return ready[priority].tail;
}

uint32_t task_table_blocked(void)
{
	return blocked;
}

uint32_t task_table_leaving(void)
{
	return leaving;
}

/* The task is nearly always the youngest. If not, the walk visits only the tasks that are younger. */
static void ready_add(struct task *task)
{
	struct task_list *list = &ready[task->rules.priority];
	struct task *before = list->tail;

	while (before != NULL && (int32_t)(before->turn.stamp - task->turn.stamp) > 0) {
		before = before->previous;
	}
	task_list_insert(list, task, before);
	ready_priorities |= 1u << task->rules.priority;
}

static void ready_remove(struct task *task)
{
	task_list_remove(&ready[task->rules.priority], task);
	if (ready[task->rules.priority].head == NULL) {
		ready_priorities &= ~(1u << task->rules.priority);
	}
}

/* CTAs that an SM collects for one report. Usually this is half of what an SM holds, so that the SM is refilled
 * while the other half runs. CTAs of a queue are reported one by one, since each one frees places in the ring; so
 * are CTAs of CGAs, since other CTAs may wait for them at a barrier. */
static uint32_t report_batch(const struct task *task)
{
	if (task_queue(task) != NULL || task_has_cgas(task)) {
		return 1;
	}
	const uint32_t most = device.resources.units / task->rules.needs.units;
	const uint32_t slots = most < device.resources.ctas ? most : device.resources.ctas;

	return slots > 1 ? slots / 2 : 1;
}

static inline void show(const struct task *task, struct gg_slot *words)
{
	words->in_flight = task->work.in_flight;
	gg_split(&words->next_lo, &words->next_hi, task->work.position);
	gg_split(&words->left_lo, &words->left_hi, task->work.left);
}

void task_table_show(const struct task *task)
{
	show(task, &device.slots[task->turn.slot]);
}

/* The words that are the same for tasks with the same kernel. */
static __attribute__((noinline)) void slot_fill_kernel(const struct task *task,
						       struct gg_slot *words)
{
	words->batch = report_batch(task);
	words->limit_ticks = task->tmd.time_limit_us != 0
				     ? device_ticks(task->tmd.time_limit_us) + 1
				     : default_limit;
}

static inline void slot_fill(struct task *task, struct gg_slot *words)
{
	const uint32_t generation = words->generation + 1;

	task->turn.name =
		gg_put(GG_PACKET_SLOT, task->turn.slot) | gg_put(GG_PACKET_GENERATION, generation);
	words->generation = generation;
	words->priority = task->rules.priority;
	words->tag = task->source.tag;
	words->status = GG_OK;
	words->reason = task->stall.reason;
	show(task, words);
}

uint32_t task_table_entered(void)
{
	return stamp;
}

/* Gives a task the lowest free slot, and the next stamp. */
static inline void slot_take(struct task *task)
{
	const uint32_t slot = bits_lowest(free_slots);

	BITS_ASSERT(free_slots != 0);
	free_slots &= free_slots - 1;
	free_count--;
	holders[slot] = task;
	task->turn.slot = (uint8_t)slot;
	task->turn.stamp = stamp++;
}

/* Apart from task_table_enter(), which calls nothing and so saves no registers. */
void task_table_prepare(const struct task *task)
{
	const uint32_t slot = bits_lowest(free_slots);
	struct kernel *kernel = &kernels[slot];

	if (kernel->task != task) {
		const uint64_t tmd = (uintptr_t)&task->tmd;

		kernel->task = task;
		gg_split(&device.slots[slot].tmd_lo, &device.slots[slot].tmd_hi, tmd);
	}
	if (task->rules.kept == 0 || kernel->kept != task->rules.kept) {
		kernel->kept = task->rules.kept;
		slot_fill_kernel(task, &device.slots[slot]);
	}
}

void task_table_insert(struct task *task)
{
	assert(task->work.left != 0);
	task_table_prepare(task);
	slot_take(task);
	task->turn.quota_left = task->tmd.quota;
	slot_fill(task, &device.slots[task->turn.slot]);
	task_table_make_ready(task);
	trace_event(task, trace_kind(GG_TRACE_TYPE_SLOT, TRACE_NO_SM), 0, 0);
}

void task_table_enter(struct task *task)
{
	slot_take(task);

	struct gg_slot *words = &device.slots[task->turn.slot];

	task->life.state = TASK_DRAINING;
	task->stall.reason = GG_REASON_NONE;
	slot_fill(task, words);
	words->stamp = task->turn.stamp;
	words->state = GG_SLOT_STATE_DRAINING;
}

void task_table_make_ready(struct task *task)
{
	task->life.state = TASK_READY;
	blocked &= ~(1u << task->turn.slot);
	ready_add(task);
	device.slots[task->turn.slot].stamp = task->turn.stamp;
	device.slots[task->turn.slot].state = GG_SLOT_STATE_READY;
}

void task_table_withdraw(struct task *task, enum task_state state)
{
	const uint32_t bit = 1u << task->turn.slot;

	if (task->life.state == TASK_READY) {
		ready_remove(task);
	}
	blocked = (blocked & ~bit) | (state == TASK_BLOCKED ? bit : 0u);
	leaving = (leaving & ~bit) | (state == TASK_LEAVING ? bit : 0u);
	task->life.state = (uint8_t)state;
	device.slots[task->turn.slot].state = state == TASK_BLOCKED    ? GG_SLOT_STATE_READY
					      : state == TASK_DRAINING ? GG_SLOT_STATE_DRAINING
								       : GG_SLOT_STATE_LEAVING;
}

void task_table_rotate(struct task *task)
{
	ready_remove(task);
	task->turn.stamp = stamp++;
	task->turn.quota_left = task->tmd.quota;
	task_table_make_ready(task);
}

void task_table_remove(struct task *task)
{
	const uint32_t slot = task->turn.slot;

	BITS_ASSERT(task->work.in_flight == 0 && task->life.state != TASK_READY);
	device.slots[slot].state = GG_SLOT_STATE_FREE;
	holders[slot] = NULL;
	free_slots |= 1u << slot;
	free_count++;
	task->turn.slot = TASK_NO_SLOT;
}

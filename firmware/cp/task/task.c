/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/task.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"

static struct task *places;   /* memory of the pool */
static uint32_t capacity;     /* number of places */
static uint32_t touched;      /* places handed out at least once */
static struct task *returned; /* places given back, linked by `next` */
struct task *task_pool_clean; /* the same of those that task_take_clean() may return */
static uint32_t free_places;  /* free places: given back, or never used */
static uint32_t serial;       /* serial number of the last task that was taken */

__attribute__((cold)) void task_pool_init(void *memory, uint64_t bytes)
{
	const uint64_t count = bytes / sizeof(struct task);

	places = memory;
	capacity = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	touched = 0;
	returned = NULL;
	task_pool_clean = NULL;
	free_places = capacity;
	serial = 0;
}

uint32_t task_pool_capacity(void)
{
	return capacity;
}

uint32_t task_pool_free(void)
{
	return free_places;
}

uint32_t task_pool_touched(void)
{
	return touched;
}

uint32_t task_pool_serial(void)
{
	return serial;
}

struct task *task_pool_place(uint32_t number)
{
	assert(number < touched);
	return &places[number];
}

static __attribute__((noinline)) struct task *task_pool_pop(void)
{
	struct task **chain = returned != NULL ? &returned : &task_pool_clean;
	struct task *task = *chain;

	if (free_places == 0) {
		return NULL;
	}
	free_places--;
	if (task != NULL) {
		*chain = task->next;
		return task;
	}
	return &places[touched++];
}

static void task_pool_push(struct task **chain, struct task *task)
{
	task->serial = 0;
	task->next = *chain;
	*chain = task;
	free_places++;
}

/* Begins a use of a place: a number, which is never 0. */
static inline void task_begin(struct task *task)
{
	serial += serial == UINT32_MAX ? 2 : 1;
	task->serial = serial;
}

/* A place may hold old data, so the state is zeroed here, and of the bitmap of SMs behind it those words that this device
 * uses. */
static void task_clear(struct task *task)
{
	memset(&task->next, 0,
	       offsetof(struct task, sms) - offsetof(struct task, next) +
		       device.sm_words * sizeof(task->sms[0]));
	task->turn.slot = TASK_NO_SLOT;
	task->stall.reason = GG_REASON_NONE;
}

struct task *task_take(void)
{
	struct task *task = task_pool_pop();

	if (task != NULL) {
		task_clear(task);
		task_begin(task);
	}
	return task;
}

void task_give(struct task *task)
{
	assert(task->work.in_flight == 0 && task->turn.slot == TASK_NO_SLOT && task->queue == NULL);
	task_pool_push(&returned, task);
}

/* Of a place that was never used, so that the stages go on with those that they have given back. */
static __attribute__((cold, noinline)) void make_clean(void)
{
	if (touched != capacity) {
		struct task *task = &places[touched++];

		task_clear(task);
		free_places--; /* it was free, and is given back now */
		task_pool_push(&task_pool_clean, task);
	}
}

struct task *task_clean(void)
{
	if (task_pool_clean == NULL) {
		make_clean();
	}
	return task_pool_clean;
}

/* In line in both functions that use it: it is on the path of every plain task. */
static inline void take_clean(void)
{
	struct task *task = task_pool_clean;

	task_pool_clean = task->next;
	free_places--;
	task_begin(task);
	task->work.done = 0;
	task->work.first = 0;
	task->work.last = 0;
}

void task_take_clean(void)
{
	take_clean();
}

struct task *task_take_known(void)
{
	struct task *task = task_pool_clean;

	if (task == NULL) {
		return task_take();
	}
	take_clean();
	task->work.in_flight = 0;
	task->work.packets = 0;
	return task;
}

void task_give_clean(struct task *task)
{
	BITS_ASSERT(task->work.in_flight == 0 && task->turn.slot == TASK_NO_SLOT);
	for (uint32_t word = 0; word < device.sm_words; word++) {
		if (task->sms[word] != 0) { /* without this it is a call of memset */
			task->sms[word] = 0;
		}
	}
	task_pool_push(&task_pool_clean, task);
}

__attribute__((cold)) void task_give_over(struct task *task)
{
	if (!task->rules.plain || task_has_failed(task) || task->life.suspended ||
	    (task->back.retried | task->back.losses | task->back.lost) != 0) {
		task_give(task);
		return;
	}
	if (task->stall.reasons != 0) {
		task->stall.reasons = 0;
		memset(task->stall.turns, 0, sizeof(task->stall.turns));
	}
	task_give_clean(task);
}

/* Other content of a place must leave `serial` alone, because edges and the walk over all places read it. */
void *task_take_place(void)
{
	struct task *place = task_pool_pop();

	if (place != NULL) {
		place->serial = 0;
	}
	return place;
}

void task_give_place(void *place)
{
	task_pool_push(&returned, place);
}

bool task_heap_holds(const struct task *task, uint64_t base, uint64_t bytes)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint64_t heap = gg_join(tmd->heap_lo, tmd->heap_hi);
	const uint64_t heap_bytes = gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi);

	return device_holds(base, bytes) && base >= heap && bytes <= heap_bytes &&
	       base - heap <= heap_bytes - bytes;
}

void task_fail(struct task *task, const struct refusal *failure, uint32_t fault)
{
	task->failure = *failure;
	task->fault = fault;
}

void task_answer(struct task *task, uint64_t value)
{
	task->failure.value = value;
}

bool task_refuse(struct task *task, enum gg_status status, uint32_t field, uint64_t value)
{
	task->failure = refusal_of(status, field, value);
	return false;
}

void task_list_insert(struct task_list *list, struct task *task, struct task *before)
{
	struct task *next = before != NULL ? before->next : list->head;

	task->previous = before;
	task->next = next;
	if (before != NULL) {
		before->next = task;
	} else {
		list->head = task;
	}
	if (next != NULL) {
		next->previous = task;
	} else {
		list->tail = task;
	}
}

void task_list_append(struct task_list *list, struct task *task)
{
	task->previous = list->tail;
	task->next = NULL;
	if (list->tail != NULL) {
		list->tail->next = task;
	} else {
		list->head = task;
	}
	list->tail = task;
}

void task_list_prepend(struct task_list *list, struct task *task)
{
	task_list_insert(list, task, NULL);
}

void task_list_remove(struct task_list *list, struct task *task)
{
	if (task->previous != NULL) {
		task->previous->next = task->next;
	} else {
		list->head = task->next;
	}
	if (task->next != NULL) {
		task->next->previous = task->previous;
	} else {
		list->tail = task->previous;
	}
	task->next = NULL;
	task->previous = NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/cp/device.h"

static struct task *places;       /* the pool */
static uint32_t capacity;         /* its places */
static uint32_t touched;          /* places handed out at least once */
static struct task_list returned; /* places given back */

void task_pool_init(void *memory, uint64_t bytes)
{
	const uint64_t count = bytes / sizeof(struct task);

	places = memory;
	capacity = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	touched = 0;
	returned = (struct task_list){ 0 };
}

uint32_t task_pool_capacity(void)
{
	return capacity;
}

bool task_pool_has_room(void)
{
	return returned.head != NULL || touched < capacity;
}

static struct task *task_pool_pop(void)
{
	struct task *task = returned.head;

	if (task != NULL) {
		task_list_remove(&returned, task);
		return task;
	}
	return touched < capacity ? &places[touched++] : NULL;
}

/* A place may be dirty, or memory that nobody cleared: the state is zeroed here, but of the SM
 * set only the words that this device uses, because this is on the path of every task. */
struct task *task_take(void)
{
	struct task *task = task_pool_pop();

	if (task == NULL) {
		return NULL;
	}
	memset(&task->next, 0, offsetof(struct task, sms) - offsetof(struct task, next));
	for (uint32_t word = 0; word < device.sm_words; word++) {
		task->sms[word] = 0;
	}
	task->slot = TASK_NO_SLOT;
	return task;
}

void task_give(struct task *task)
{
	assert(task->in_flight == 0 && task->slot == TASK_NO_SLOT);
	task_list_prepend(&returned, task);
}

bool task_refuse(struct task *task, enum gg_status status, uint32_t field, uint64_t value)
{
	task->failure = (struct refusal){ .status = status, .field = field, .value = value };
	return false;
}

void task_list_append(struct task_list *list, struct task *task)
{
	task->next = NULL;
	task->previous = list->tail;
	if (list->tail != NULL) {
		list->tail->next = task;
	} else {
		list->head = task;
	}
	list->tail = task;
}

void task_list_prepend(struct task_list *list, struct task *task)
{
	task->previous = NULL;
	task->next = list->head;
	if (list->head != NULL) {
		list->head->previous = task;
	} else {
		list->tail = task;
	}
	list->head = task;
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

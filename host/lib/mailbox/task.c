/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/task.h"

#include <stdlib.h>

#include "host/lib/core/heap.h"
#include "host/lib/core/pool.h"
#include "host/lib/mailbox/flight.h"
#include "host/lib/mailbox/memory.h"
#include "host/lib/mailbox/print.h"
#include "host/lib/mailbox/report.h"

void task_free(struct task *task)
{
	free(task->output.at);
	free(task->report_copy);
	free(task);
}

/** Frees a task, or leaves that to its end. */
static void task_forget(void *what)
{
	struct task *task = what;
	struct device *device = task->device;
	bool ended;

	(void)pthread_mutex_lock(&device->lock);
	task->handle = NULL;
	ended = task->ended;
	(void)pthread_mutex_unlock(&device->lock);
	if (ended)
		task_free(task);
}

static const struct handle_type type = { .kind = HANDLE_TASK, .end = task_forget };

struct task *task_create(struct device *device)
{
	struct task *task = calloc(1, sizeof(*task));

	if (!task)
		return NULL;
	task->device = device;
	task->handle = handle_make(&type, task, device->handle);
	if (task->handle)
		return task;
	free(task);
	return NULL;
}

void task_drop(struct task *task)
{
	handle_drop(task->handle);
	free(task);
}

void task_give_back(struct device *device, struct task *task)
{
	uint64_t left = 0;

	if (task->job)
		(void)pool_give(&device->jobs, &device->heap, task->job, &left);
	if (left > 0) /* A context that is made of it must not read the arguments. */
		(void)memory_clear(device, task->job, left);
	if (task->piece)
		(void)heap_give(&task->context->heap, task->piece);
	task->job = 0;
	task->piece = 0;
}

void task_end(struct device *device, struct task *task)
{
	flight_remove(&device->flight, task);
	task->ended = true;
	print_take(device, task);
	report_take(device, task);
	task_give_back(device, task);
	if (task->context)
		task->context->running--;
	if (task->module)
		task->module->running--;
	(void)pthread_cond_broadcast(&device->changed);
	if (!task->handle)
		task_free(task);
}

void task_release(struct task *task)
{
	handle_drop(task->handle);
	task_forget(task);
}

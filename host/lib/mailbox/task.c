/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/task.h"

#include <stdlib.h>

#include "host/lib/core/heap.h"
#include "host/lib/core/pool.h"
#include "host/lib/mailbox/flight.h"
#include "host/lib/mailbox/print.h"
#include "host/lib/mailbox/report.h"

struct gg_task *task_create(struct gg_device *device)
{
	struct gg_task *task = calloc(1, sizeof(*task));

	if (!task)
		return NULL;
	task->device = device;
	device->references++;
	return task;
}

void task_drop(struct gg_device *device, struct gg_task *task)
{
	free(task);
	device->references--;
}

void task_give_back(struct gg_device *device, struct gg_task *task)
{
	if (task->job)
		(void)pool_give(&device->jobs, &device->heap, task->job);
	if (task->piece)
		(void)heap_give(&task->context->heap, task->piece);
	task->job = 0;
	task->piece = 0;
}

static void free_handle(struct gg_task *task)
{
	free(task->output.at);
	free(task->report_copy);
	free(task);
}

void task_end(struct gg_device *device, struct gg_task *task)
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
	if (task->released) {
		free_handle(task);
		device->references--;
	}
}

void task_release(struct gg_task *task)
{
	struct gg_device *device = task->device;

	(void)pthread_mutex_lock(&device->lock);
	if (task->ended || device->closed) {
		free_handle(task);
		device_unlock_and_drop(device);
		return;
	}
	task->released = true;
	(void)pthread_mutex_unlock(&device->lock);
}

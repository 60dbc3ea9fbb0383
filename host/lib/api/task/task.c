/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for tasks, and what their handles tell. */
#include <string.h>

#include "host/lib/core/failure.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/mailbox/wait.h"

enum gg_status gg_task_wait(struct gg_task *task, uint32_t timeout_ms, struct gg_done *done)
{
	return task_wait(task, timeout_ms, done);
}

enum gg_status gg_task_wait_any(struct gg_task *const *tasks, uint32_t count, uint32_t timeout_ms,
				uint32_t *index)
{
	if (count == 0)
		return failure_set(GG_ERR_ARGUMENT, "count", 0, "There is no task to wait for");
	for (uint32_t i = 1; i < count; i++) {
		if (tasks[i]->device != tasks[0]->device)
			return failure_set(GG_ERR_ARGUMENT, "tasks", i,
					   "The tasks are of several devices");
	}
	return task_wait_any(tasks, count, timeout_ms, index);
}

enum gg_status gg_task_poll(struct gg_task *task, struct gg_done *done)
{
	struct gg_device *device = task->device;

	(void)pthread_mutex_lock(&device->lock);
	pump_drain(device);
	*done = task->done;
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}

enum gg_status gg_task_tag(struct gg_task *task, uint32_t *tag)
{
	(void)pthread_mutex_lock(&task->device->lock);
	*tag = task->done.tag;
	(void)pthread_mutex_unlock(&task->device->lock);
	return GG_OK;
}

enum gg_status gg_task_name(struct gg_task *task, uint64_t *address, uint32_t *generation)
{
	if (task->address == 0)
		return failure_set(GG_ERR_ARGUMENT, "task", task->done.tag,
				   "Command %u is not a task", task->done.tag);
	*address = task->address;
	*generation = task->generation;
	return GG_OK;
}

enum gg_status gg_task_release(struct gg_task *task)
{
	if (task)
		task_release(task);
	return GG_OK;
}

enum gg_status gg_task_output(struct gg_task *task, char *text, size_t size, size_t *bytes)
{
	struct gg_device *device = task->device;
	bool missing;

	(void)pthread_mutex_lock(&device->lock);
	*bytes = task->output.bytes;
	if (*bytes > 0 && size > 0)
		memcpy(text, task->output.at, *bytes < size ? *bytes : size);
	missing = task->output.missing;
	(void)pthread_mutex_unlock(&device->lock);
	return missing ? failure_status(GG_ERR_NO_MEMORY) : GG_OK;
}

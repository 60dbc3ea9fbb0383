/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for tasks, and what their handles tell. */
#include <stdlib.h>
#include <string.h>

#include "host/lib/core/failure.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/mailbox/wait.h"

enum gg_status gg_task_wait(struct gg_task *handle, uint32_t timeout_ms, struct gg_done *done)
{
	USE_TASK(task, handle);

	return task_wait(task, timeout_ms, done);
}

/** Tasks that a wait uses. */
struct used {
	struct handle_use *use;
	struct task **tasks;
	uint32_t count; /* tasks that were entered */
};

static enum gg_status enter_all(struct used *used, struct gg_task *const *handles, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		used->use[i] = handle_enter(HANDLE_TASK, handles[i]);
		used->tasks[i] = used->use[i].object;
		if (!used->tasks[i])
			return used->use[i].status;
		used->count++;
		if (used->tasks[i]->device != used->tasks[0]->device)
			return failure_set(GG_ERR_ARGUMENT, "tasks", i,
					   "The tasks are of several devices");
	}
	return GG_OK;
}

enum gg_status gg_task_wait_any(struct gg_task *const *handles, uint32_t count, uint32_t timeout_ms,
				uint32_t *index)
{
	struct used used = { 0 };
	enum gg_status status;

	if (count == 0 || !handles)
		return failure_set(GG_ERR_ARGUMENT, "count", 0, "There is no task to wait for");
	used.use = calloc(count, sizeof(*used.use));
	used.tasks = calloc(count, sizeof(*used.tasks));
	status = used.use && used.tasks ? enter_all(&used, handles, count)
					: failure_status(GG_ERR_NO_MEMORY);
	if (status == GG_OK)
		status = task_wait_any(used.tasks, count, timeout_ms, index);
	while (used.count > 0)
		handle_leave(&used.use[--used.count]);
	free(used.use);
	free(used.tasks);
	return status;
}

enum gg_status gg_task_poll(struct gg_task *handle, struct gg_done *done)
{
	USE_TASK(task, handle);

	struct device *device = task->device;

	(void)pthread_mutex_lock(&device->lock);
	pump_drain(device);
	*done = task->done;
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}

enum gg_status gg_task_tag(struct gg_task *handle, uint32_t *tag)
{
	USE_TASK(task, handle);

	(void)pthread_mutex_lock(&task->device->lock);
	*tag = task->done.tag;
	(void)pthread_mutex_unlock(&task->device->lock);
	return GG_OK;
}

enum gg_status gg_task_name(struct gg_task *handle, uint64_t *address, uint32_t *generation)
{
	USE_TASK(task, handle);

	if (task->address == 0)
		return failure_set(GG_ERR_ARGUMENT, "task", task->done.tag,
				   "Command %u is not a task", task->done.tag);
	*address = task->address;
	*generation = task->generation;
	return GG_OK;
}

enum gg_status gg_task_release(struct gg_task *handle)
{
	if (!handle)
		return GG_OK;

	USE_TASK(task, handle);

	return handle_release(&task_use);
}

enum gg_status gg_task_output(struct gg_task *handle, char *text, size_t size, size_t *bytes)
{
	USE_TASK(task, handle);

	struct device *device = task->device;
	bool missing;

	(void)pthread_mutex_lock(&device->lock);
	*bytes = task->output.bytes;
	if (*bytes > 0 && size > 0)
		memcpy(text, task->output.at, *bytes < size ? *bytes : size);
	missing = task->output.missing;
	(void)pthread_mutex_unlock(&device->lock);
	return missing ? failure_status(GG_ERR_NO_MEMORY) : GG_OK;
}

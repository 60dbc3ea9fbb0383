/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for tasks, and what their handles tell. */
#include <stdlib.h>
#include <string.h>

#include "host/include/ganger_inspect.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/mailbox/wait.h"

enum gg_status gg_task_wait(struct gg_task *handle, uint32_t timeout_ms, struct gg_done *done)
{
	USE_TASK(task, handle);

	return task_wait(task, timeout_ms, done);
}

/** Enters tasks of one device. `entered` is how many; also on an error. */
static enum gg_status enter_all(struct handle_use *uses, struct gg_task *const *handles,
				uint32_t count, uint32_t *entered)
{
	const struct task *first = NULL;

	for (*entered = 0; *entered < count; (*entered)++) {
		struct handle_use *use = &uses[*entered];
		const struct task *task;

		*use = handle_enter(HANDLE_TASK, handles[*entered]);
		task = use->object;
		if (!task)
			return use->status;
		first = first ? first : task;
		if (task->device == first->device)
			continue;
		handle_leave(use);
		return failure_set(GG_ERR_ARGUMENT, "tasks", *entered,
				   "The tasks are of several devices");
	}
	return GG_OK;
}

enum gg_status gg_task_wait_any(struct gg_task *const *tasks, uint32_t count, uint32_t timeout_ms,
				uint32_t *index)
{
	NEEDS(index);
	NEEDS_FOR(count > 0, tasks);

	struct handle_use *uses;
	uint32_t entered;
	enum gg_status status;

	if (count == 0)
		return failure_set(GG_ERR_ARGUMENT, "count", 0, "There is no task to wait for");
	uses = calloc(count, sizeof(*uses));
	if (!uses)
		return failure_status(GG_ERR_NO_MEMORY);
	status = enter_all(uses, tasks, count, &entered);
	if (status == GG_OK)
		status = task_wait_any(uses, count, timeout_ms, index);
	while (entered > 0)
		handle_leave(&uses[--entered]);
	free(uses);
	return status;
}

enum gg_status gg_completions_wait(struct gg_device *handle, uint32_t timeout_ms,
				   uint64_t *completed)
{
	USE_DEVICE(device, handle);
	NEEDS(completed);

	return task_wait_others(device, timeout_ms, completed);
}

enum gg_status gg_task_poll(struct gg_task *handle, struct gg_done *done)
{
	USE_TASK(task, handle);
	NEEDS(done);

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
	NEEDS(tag);

	(void)pthread_mutex_lock(&task->device->lock);
	*tag = task->done.tag;
	(void)pthread_mutex_unlock(&task->device->lock);
	return GG_OK;
}

enum gg_status gg_task_name(struct gg_task *handle, uint64_t *address, uint32_t *generation)
{
	USE_TASK(task, handle);
	NEEDS(address, generation);

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
	NEEDS(bytes);
	NEEDS_FOR(size > 0, text);

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

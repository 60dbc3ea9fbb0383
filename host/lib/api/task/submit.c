/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "firmware/abi/field.h"
#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/mailbox.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/work/job.h"
#include "host/lib/work/lists.h"

/** Copies into the handle what it needs to know of the job, which the task owns from now on. */
static void own_job(struct task *task, const struct gg_work *work, const struct job *job)
{
	task->job = job->in_context ? 0 : job->address;
	task->piece = job->in_context ? job->address : 0;
	task->print = job->print;
	task->report = job->report;
	task->report_bytes = job->report_bytes;
	task->print_bytes = job->tmd.print_bytes;
	task->address = job->address;
	task->generation = job->tmd.generation;
	if (work->type == GG_TASK_TYPE_QUEUE) {
		task->queue_capacity = work->queue.capacity;
		task->item_bytes = work->queue.item_bytes;
	}
}

static void count_running(struct task *task, uint32_t by)
{
	task->context->running += by;
	if (task->module)
		task->module->running += by;
}

/** Makes a job and posts it, without a doorbell. */
static enum gg_status post_job(struct task *task, const struct request *request, uint64_t deadline)
{
	struct device *device = request->device;
	const struct gg_work *work = request->work;
	struct gg_command command = { 0 };
	struct job job;
	enum gg_status status = job_create(request, false, &job);

	if (status != GG_OK)
		return status;
	own_job(task, work, &job);
	command.header = gg_put(GG_COMMAND_OPCODE, GG_OPCODE_SUBMIT) |
			 gg_put(GG_COMMAND_NO_INTERRUPT, work->flags & GG_WORK_NO_INTERRUPT);
	gg_split(&command.address_lo, &command.address_hi, task->address);
	command.argument0 = task->generation;
	status = mailbox_post(device, task, &command, deadline);
	if (status != GG_OK)
		task_give_back(device, task);
	return status;
}

/** Does all waits first, so that the lists are up to date when the task is posted. */
static enum gg_status await_and_post(struct task *task, const struct request *request,
				     uint64_t deadline)
{
	struct device *device = request->device;
	enum gg_status status = lists_await(request, deadline);

	if (status == GG_OK)
		status = mailbox_await_room(device, task->channel, deadline);
	if (status != GG_OK)
		return status;
	/* Tasks that completed meanwhile give their memory back first. */
	pump_drain(device);
	return post_job(task, request, deadline);
}

static enum gg_status check_work(const struct device *device, const struct request *request)
{
	const struct gg_work *work = request->work;

	if (request->device != device)
		return failure_set(GG_ERR_HANDLE, "module", 0,
				   "The work has a module or context of another device");
	if (!work->module && work->type != GG_TASK_TYPE_GRID_NULL &&
	    work->type != GG_TASK_TYPE_GRAPH)
		return failure_set(GG_ERR_ARGUMENT, "module", 0,
				   "Only work of type GRID_NULL or GRAPH can do without a module");
	if (work->flags & ~(GG_WORK_NO_INTERRUPT | GG_WORK_CUT_PRINTS | GG_WORK_FOLD))
		return failure_set(GG_ERR_FLAGS, "flags", work->flags,
				   "The work has unknown flags 0x%x", work->flags);
	return GG_OK;
}

/** Submits a request, without a doorbell. The lock is held. */
static enum gg_status submit_request(const struct request *request, uint64_t deadline,
				     struct gg_task **task)
{
	struct task *made = task_create(request->device);
	enum gg_status status;

	if (!made)
		return failure_status(GG_ERR_NO_MEMORY);
	made->module = request->module;
	made->context = request->context;
	made->channel = request->work->channel;
	/* Counted before the waits, in which the lock is released. */
	count_running(made, 1);
	status = await_and_post(made, request, deadline);
	if (status == GG_OK) {
		*task = made->handle;
		return GG_OK;
	}
	count_running(made, UINT32_MAX); /* One less. */
	task_drop(made);
	return status;
}

static enum gg_status submit_one(struct device *device, const struct gg_work *work,
				 uint64_t deadline, struct gg_task **task)
{
	struct request request;
	enum gg_status status = request_open(&request, work);

	if (status != GG_OK)
		return status;
	status = check_work(device, &request);
	if (status == GG_OK) {
		(void)pthread_mutex_lock(&device->lock);
		status = submit_request(&request, deadline, task);
		(void)pthread_mutex_unlock(&device->lock);
	}
	request_close(&request);
	return status;
}

enum gg_status gg_submit_many(const struct gg_work *work, uint32_t count, uint32_t timeout_ms,
			      struct gg_task **tasks, uint32_t *posted)
{
	NEEDS(posted);
	NEEDS_FOR(count > 0, work, tasks);

	uint64_t deadline = deadline_after(timeout_ms);
	struct request first; /* keeps the device */
	enum gg_status status;

	*posted = 0;
	if (count == 0)
		return GG_OK;
	status = request_open(&first, work);
	if (status != GG_OK)
		return status;
	for (uint32_t i = 0; status == GG_OK && i < count; i++) {
		status = submit_one(first.device, &work[i], deadline, &tasks[i]);
		*posted += status == GG_OK;
	}
	(void)pthread_mutex_lock(&first.device->lock);
	doorbell_ring_if_due(first.device);
	(void)pthread_mutex_unlock(&first.device->lock);
	request_close(&first);
	return status;
}

enum gg_status gg_submit(const struct gg_work *work, uint32_t timeout_ms, struct gg_task **task)
{
	NEEDS(task);

	struct gg_task *made = NULL;
	uint32_t posted;
	enum gg_status status = gg_submit_many(work, 1, timeout_ms, &made, &posted);

	if (status == GG_OK)
		*task = made;
	return status;
}

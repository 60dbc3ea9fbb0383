/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "firmware/abi/field.h"
#include "host/lib/context.h"
#include "host/lib/deadline.h"
#include "host/lib/failure.h"
#include "host/lib/job.h"
#include "host/lib/mailbox.h"
#include "host/lib/pump.h"

/** Makes a job and posts it, without a doorbell. The task owns the job then. */
static enum gg_status post_job(struct gg_task *task, const struct gg_work *work, uint64_t deadline)
{
	struct gg_device *device = task->device;
	struct gg_command command = { 0 };
	struct gg_tmd tmd;
	enum gg_status status = job_create(device, work, &tmd, &task->job);

	if (status != GG_OK)
		return status;
	command.header = gg_put(GG_COMMAND_OPCODE, GG_OPCODE_SUBMIT) |
			 gg_put(GG_COMMAND_NO_INTERRUPT, work->flags & GG_WORK_NO_INTERRUPT);
	command.address_lo = gg_low(task->job);
	command.address_hi = gg_high(task->job);
	command.argument0 = tmd.generation;
	/* Counted before a wait for room, in which the lock is released. */
	task->module->running++;
	task->context->running++;
	status = mailbox_post(device, task, &command, deadline);
	if (status != GG_OK) {
		task->module->running--;
		task->context->running--;
		(void)heap_give(&device->jobs, task->job);
	}
	return status;
}

static enum gg_status submit_one(struct gg_device *device, const struct gg_work *work,
				 uint64_t deadline, struct gg_task **task)
{
	struct gg_task *made;
	enum gg_status status;

	if (!work->module || work->module->context->device != device)
		return failure_set(GG_ERR_ARGUMENT, "module", 0,
				   "The work has no module of this device");
	if (work->flags & ~GG_WORK_NO_INTERRUPT)
		return failure_set(GG_ERR_FLAGS, "flags", work->flags,
				   "The work has unknown flags 0x%x", work->flags);
	made = mailbox_task(device);
	if (!made)
		return failure_status(GG_ERR_NO_MEMORY);
	made->module = work->module;
	made->context = work->module->context;
	made->channel = work->channel;
	/* What completed meanwhile gives its memory back first. */
	pump_drain(device);
	status = post_job(made, work, deadline);
	if (status == GG_OK)
		*task = made;
	else
		mailbox_drop(device, made);
	return status;
}

enum gg_status gg_submit_many(const struct gg_work *work, uint32_t count, uint32_t timeout_ms,
			      struct gg_task **tasks, uint32_t *posted)
{
	uint64_t deadline = deadline_after(timeout_ms);
	enum gg_status status = GG_OK;
	struct gg_device *device;

	*posted = 0;
	if (count == 0)
		return GG_OK;
	if (!work->module)
		return failure_set(GG_ERR_ARGUMENT, "module", 0, "The work has no module");
	device = work->module->context->device;
	(void)pthread_mutex_lock(&device->lock);
	for (uint32_t i = 0; status == GG_OK && i < count; i++) {
		status = submit_one(device, &work[i], deadline, &tasks[i]);
		*posted += status == GG_OK;
	}
	mailbox_ring_if_due(device);
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

enum gg_status gg_submit(const struct gg_work *work, uint32_t timeout_ms, struct gg_task **task)
{
	struct gg_task *made = NULL;
	uint32_t posted;
	enum gg_status status = gg_submit_many(work, 1, timeout_ms, &made, &posted);

	if (status == GG_OK)
		*task = made;
	return status;
}

enum gg_status gg_tmd_create(const struct gg_work *work, struct gg_tmd *tmd, uint64_t *address)
{
	struct gg_device *device;
	enum gg_status status;

	if (!work->module)
		return failure_set(GG_ERR_ARGUMENT, "module", 0, "The work has no module");
	device = work->module->context->device;
	(void)pthread_mutex_lock(&device->lock);
	status = job_create(device, work, tmd, address);
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

enum gg_status gg_tmd_destroy(struct gg_device *device, uint64_t address)
{
	enum gg_status status;

	(void)pthread_mutex_lock(&device->lock);
	status = heap_give(&device->jobs, address);
	(void)pthread_mutex_unlock(&device->lock);
	if (status != GG_OK)
		return failure_set(status, "address", address,
				   "gg_tmd_create() did not give this address");
	return GG_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/command.h"

#include "firmware/abi/field.h"
#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/mailbox.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/mailbox/wait.h"

/** Gives the handle the name of the task that the command submits, if it is a SUBMIT. */
static void take_name(struct task *task, const struct gg_raw *raw)
{
	if ((raw->opcode & 0xffu) != GG_OPCODE_SUBMIT)
		return;
	task->address = raw->address;
	task->generation = raw->argument[0];
}

enum gg_status command_post(struct device *device, const struct gg_raw *raw, uint32_t timeout_ms,
			    struct task **task)
{
	struct gg_command command = {
		.header =
			gg_put(GG_COMMAND_OPCODE, raw->opcode) | (raw->flags & ~GG_COMMAND_OPCODE),
		.address_lo = gg_low(raw->address),
		.address_hi = gg_high(raw->address),
		.argument0 = raw->argument[0],
		.argument1 = raw->argument[1],
		.argument2 = raw->argument[2],
		.argument3 = raw->argument[3],
	};
	enum gg_status status = GG_ERR_NO_MEMORY;
	struct task *made;

	(void)pthread_mutex_lock(&device->lock);
	made = task_create(device);
	if (made) {
		made->channel = raw->channel;
		take_name(made, raw);
		status = mailbox_post(device, made, &command, deadline_after(timeout_ms));
		doorbell_ring_if_due(device);
	}
	if (made && status != GG_OK)
		task_drop(made);
	(void)pthread_mutex_unlock(&device->lock);
	if (status == GG_OK)
		*task = made;
	return made ? status : failure_status(status);
}

enum gg_status command_done(struct device *device, const struct gg_raw *raw, uint32_t timeout_ms,
			    struct gg_done *done)
{
	uint64_t deadline = deadline_after(timeout_ms);
	struct task *task = NULL;
	enum gg_status status = command_post(device, raw, timeout_ms, &task);

	if (status != GG_OK)
		return status;
	status = task_wait(task, deadline_left(deadline, timeout_ms), done);
	task_release(task);
	return status;
}

enum gg_status command_call(struct device *device, const struct gg_raw *raw, uint32_t timeout_ms,
			    uint64_t *value)
{
	struct gg_done done;
	enum gg_status status = command_done(device, raw, timeout_ms, &done);

	if (status == GG_OK && value)
		*value = done.value;
	return status;
}

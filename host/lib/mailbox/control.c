/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/control.h"

#include "host/lib/core/failure.h"
#include "host/lib/mailbox/command.h"
#include "host/lib/mailbox/mailbox.h"

uint32_t control_last_open(const struct device *device, uint32_t except)
{
	for (uint32_t i = device->cap.channels; i > 0; i--) {
		if (i - 1 != except && mailbox_is_open(device, i - 1))
			return i - 1;
	}
	return except;
}

uint32_t control_channel(const struct device *device, uint32_t wanted)
{
	/* A wrong number is refused where the command is posted. */
	if (wanted >= device->cap.channels || mailbox_is_open(device, wanted))
		return wanted;
	return control_last_open(device, wanted);
}

uint32_t control_channel_of(const struct device *device, struct task *task)
{
	uint32_t last = device->cap.channels - 1;

	if (device->closed || !mailbox_has_taken(device, task))
		return task->channel;
	return control_channel(device, last);
}

enum gg_status control_task(struct task *task, enum gg_opcode opcode, uint32_t timeout_ms)
{
	struct device *device = task->device;
	struct gg_raw raw = {
		.opcode = opcode,
		.address = task->address,
		.argument = { task->generation, GG_TARGET_TASK },
	};

	if (task->address == 0)
		return failure_set(GG_ERR_ARGUMENT, "task", task->done.tag,
				   "Command %u is not a task", task->done.tag);
	(void)pthread_mutex_lock(&device->lock);
	raw.channel = control_channel(device, control_channel_of(device, task));
	(void)pthread_mutex_unlock(&device->lock);
	return command_call(device, &raw, timeout_ms, NULL);
}

enum gg_status control_query(struct device *device, uint32_t what, uint32_t timeout_ms,
			     uint64_t *value)
{
	struct gg_raw raw = {
		.channel = control_channel(device, 0),
		.opcode = GG_OPCODE_QUERY,
		.argument = { what },
	};

	return command_call(device, &raw, timeout_ms, value);
}

enum gg_status control_clock(struct device *device, uint32_t timeout_ms, uint64_t *ns)
{
	struct gg_raw raw = {
		.channel = control_channel(device, 0),
		.opcode = GG_OPCODE_NOP,
	};
	struct gg_done done;
	enum gg_status status = command_done(device, &raw, timeout_ms, &done);

	if (status == GG_OK)
		*ns = done.times[GG_TIME_DONE];
	return status;
}

enum gg_status control_fence(struct device *device, uint32_t channel, uint32_t timeout_ms)
{
	struct gg_raw raw = { .channel = channel, .opcode = GG_OPCODE_FENCE };

	return command_call(device, &raw, timeout_ms, NULL);
}

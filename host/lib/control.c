/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/control.h"

#include "host/lib/failure.h"
#include "host/lib/mailbox.h"

/** The last open channel but one. @return `except` if there is no other. */
static uint32_t last_open(const struct gg_device *device, uint32_t except)
{
	for (uint32_t i = device->cap.channels; i > 0; i--) {
		if (i - 1 != except && mailbox_is_open(device, i - 1))
			return i - 1;
	}
	return except;
}

uint32_t control_channel(const struct gg_device *device, uint32_t wanted)
{
	/* A wrong number is refused where the command is posted. */
	if (wanted >= device->cap.channels || mailbox_is_open(device, wanted))
		return wanted;
	return last_open(device, wanted);
}

uint32_t control_channel_of(const struct gg_device *device, struct gg_task *task)
{
	uint32_t last = device->cap.channels - 1;

	if (device->closed || !mailbox_has_taken(device, task))
		return task->channel;
	return control_channel(device, last);
}

enum gg_status control_task(struct gg_task *task, enum gg_opcode opcode, uint32_t timeout_ms)
{
	struct gg_device *device = task->device;
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
	return mailbox_call(device, &raw, timeout_ms, NULL);
}

enum gg_status gg_task_cancel(struct gg_task *task, uint32_t timeout_ms)
{
	return control_task(task, GG_OPCODE_CANCEL, timeout_ms);
}

enum gg_status gg_task_suspend(struct gg_task *task, uint32_t timeout_ms)
{
	return control_task(task, GG_OPCODE_SUSPEND, timeout_ms);
}

enum gg_status gg_task_resume(struct gg_task *task, uint32_t timeout_ms)
{
	return control_task(task, GG_OPCODE_RESUME, timeout_ms);
}

static enum gg_status check_channel(const struct gg_device *device, uint32_t channel)
{
	if (channel < device->cap.channels)
		return GG_OK;
	return failure_set(GG_ERR_ARGUMENT, "channel", channel,
			   "There is no channel %u: the device has %u", channel,
			   device->cap.channels);
}

static enum gg_status call_channel(struct gg_device *device, uint32_t through, uint32_t opcode,
				   uint32_t channel, uint32_t timeout_ms)
{
	struct gg_raw raw = {
		.channel = through,
		.opcode = opcode,
		.argument = { channel, GG_TARGET_CHANNEL },
	};

	return mailbox_call(device, &raw, timeout_ms, NULL);
}

enum gg_status gg_channel_cancel(struct gg_device *device, uint32_t channel, uint32_t timeout_ms)
{
	enum gg_status status = check_channel(device, channel);
	uint32_t through = channel;

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	if (!mailbox_is_open(device, channel) || mailbox_is_full(device, channel))
		through = last_open(device, channel);
	(void)pthread_mutex_unlock(&device->lock);
	return call_channel(device, through, GG_OPCODE_CANCEL, channel, timeout_ms);
}

enum gg_status gg_channel_suspend(struct gg_device *device, uint32_t channel, uint32_t timeout_ms)
{
	enum gg_status status = check_channel(device, channel);
	uint32_t through;

	if (status != GG_OK)
		return status;
	through = last_open(device, channel);
	if (through == channel)
		return failure_set(GG_ERR_ARGUMENT, "channel", channel,
				   "No other channel is open, and nobody could resume this one");
	return call_channel(device, through, GG_OPCODE_SUSPEND, channel, timeout_ms);
}

enum gg_status gg_channel_resume(struct gg_device *device, uint32_t channel, uint32_t timeout_ms)
{
	enum gg_status status = check_channel(device, channel);

	if (status != GG_OK)
		return status;
	return call_channel(device, last_open(device, channel), GG_OPCODE_RESUME, channel,
			    timeout_ms);
}

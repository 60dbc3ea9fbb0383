/* SPDX-License-Identifier: Apache-2.0 */
/* Cancels, suspends and resumes tasks and channels. */
#include "host/include/ganger_task.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/command.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/mailbox/mailbox.h"

enum gg_status gg_task_cancel(struct gg_task *handle, uint32_t timeout_ms)
{
	USE_TASK(task, handle);

	return control_task(task, GG_OPCODE_CANCEL, timeout_ms);
}

enum gg_status gg_task_suspend(struct gg_task *handle, uint32_t timeout_ms)
{
	USE_TASK(task, handle);

	return control_task(task, GG_OPCODE_SUSPEND, timeout_ms);
}

enum gg_status gg_task_resume(struct gg_task *handle, uint32_t timeout_ms)
{
	USE_TASK(task, handle);

	return control_task(task, GG_OPCODE_RESUME, timeout_ms);
}

static enum gg_status check_channel(const struct device *device, uint32_t channel)
{
	if (channel < device->cap.channels)
		return GG_OK;
	return failure_set(GG_ERR_ARGUMENT, "channel", channel,
			   "There is no channel %u: the device has %u", channel,
			   device->cap.channels);
}

static enum gg_status call_channel(struct device *device, uint32_t through, uint32_t opcode,
				   uint32_t channel, uint32_t timeout_ms)
{
	struct gg_raw raw = {
		.channel = through,
		.opcode = opcode,
		.argument = { channel, GG_TARGET_CHANNEL },
	};

	return command_call(device, &raw, timeout_ms, NULL);
}

enum gg_status gg_channel_cancel(struct gg_device *handle, uint32_t channel, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	enum gg_status status = check_channel(device, channel);
	uint32_t through = channel;

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	if (!mailbox_is_open(device, channel) || mailbox_is_full(device, channel))
		through = control_last_open(device, channel);
	(void)pthread_mutex_unlock(&device->lock);
	return call_channel(device, through, GG_OPCODE_CANCEL, channel, timeout_ms);
}

enum gg_status gg_channel_suspend(struct gg_device *handle, uint32_t channel, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	enum gg_status status = check_channel(device, channel);
	uint32_t through;

	if (status != GG_OK)
		return status;
	through = control_last_open(device, channel);
	if (through == channel)
		return failure_set(GG_ERR_ARGUMENT, "channel", channel,
				   "No other channel is open, and nobody could resume this one");
	return call_channel(device, through, GG_OPCODE_SUSPEND, channel, timeout_ms);
}

enum gg_status gg_channel_resume(struct gg_device *handle, uint32_t channel, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	enum gg_status status = check_channel(device, channel);

	if (status != GG_OK)
		return status;
	return call_channel(device, control_last_open(device, channel), GG_OPCODE_RESUME, channel,
			    timeout_ms);
}

enum gg_status gg_fence(struct gg_device *handle, uint32_t channel, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	return control_fence(device, channel, timeout_ms);
}

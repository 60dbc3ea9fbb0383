/* SPDX-License-Identifier: Apache-2.0 */
/* Raw access to the mailbox, for tests. */
#include "host/include/ganger_inspect.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/channel.h"
#include "host/lib/mailbox/command.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/transport/regs.h"

#define CHANNEL(channel, field) \
	(channel_at(device, channel) + (uint32_t)offsetof(struct gg_channel, field))

enum gg_status gg_doorbell(struct gg_device *handle)
{
	USE_DEVICE(device, handle);

	enum gg_status status;

	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	(void)pthread_mutex_lock(&device->lock);
	doorbell_ring(device);
	status = device_failure(device, device->broken, "doorbell");
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

enum gg_status gg_channel_put(struct gg_device *handle, uint32_t channel, uint32_t put)
{
	USE_DEVICE(device, handle);

	enum gg_status status = channel_check(device, channel);

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	device->channels[channel].put = put;
	regs_store(device->window, CHANNEL(channel, put), put);
	if (device->share)
		device->unrung |= 1u << channel % 32; /* else all channels are looked at */
	doorbell_ring(device);
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}

enum gg_status gg_channel_priority(struct gg_device *handle, uint32_t channel, uint32_t priority)
{
	USE_DEVICE(device, handle);

	enum gg_status status = channel_check(device, channel);

	if (status != GG_OK)
		return status;
	if (priority < 1 || priority > device->cap.priorities)
		return failure_set(GG_ERR_PRIORITY, "priority", priority,
				   "A channel's priority is 1 to %u", device->cap.priorities);
	(void)pthread_mutex_lock(&device->lock);
	regs_store(device->window, CHANNEL(channel, priority), priority);
	doorbell_ring(device);
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}

enum gg_status gg_command_post(struct gg_device *handle, const struct gg_raw *raw,
			       uint32_t timeout_ms, struct gg_task **task)
{
	USE_DEVICE(device, handle);
	NEEDS(raw, task);

	struct task *made;
	enum gg_status status = command_post(device, raw, timeout_ms, &made);

	if (status == GG_OK)
		*task = made->handle;
	return status;
}

enum gg_status gg_channel_read(struct gg_device *handle, uint32_t channel, struct gg_channel *words)
{
	USE_DEVICE(device, handle);
	NEEDS(words);

	return channel_read(device, channel, words);
}

enum gg_status gg_channel_reset(struct gg_device *handle, uint32_t channel, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	return channel_reset(device, channel, timeout_ms);
}

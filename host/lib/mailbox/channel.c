/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/channel.h"

#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/mailbox.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/transport/regs.h"

#define CHANNEL(channel, field) \
	(channel_at(device, channel) + (uint32_t)offsetof(struct gg_channel, field))

enum gg_status channel_check(const struct device *device, uint32_t channel)
{
	if (channel >= device->cap.channels)
		return failure_set(GG_ERR_ARGUMENT, "channel", channel, "There is no channel %u",
				   channel);
	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	return GG_OK;
}

enum gg_status channel_read(struct device *device, uint32_t channel, struct gg_channel *words)
{
	if (channel >= device->cap.channels)
		return failure_set(GG_ERR_ARGUMENT, "channel", channel, "There is no channel %u",
				   channel);
	regs_copy_out(device->window, channel_at(device, channel), words, sizeof(*words));
	return device_reached(device);
}

static bool reset_is_done(struct device *device, void *what)
{
	uint32_t channel = *(const uint32_t *)what;

	return regs_load(device->window, CHANNEL(channel, reset_done)) ==
	       device->channels[channel].reset;
}

/** Ends the tasks of a channel that the device has not taken. mailbox_has_taken() marks the others
 * as taken, because `get` starts again at 0 after the reset. */
static void end_untaken(struct device *device, uint32_t channel)
{
	for (uint32_t i = 0; i < device->flight.chains; i++) {
		struct task *task = device->flight.at[i].first;

		while (task) {
			struct task *next = task->next;

			if (task->channel == channel && !mailbox_has_taken(device, task)) {
				task->done.status = GG_ERR_CHANNEL;
				task->done.field = GG_FIELD_CHANNEL_PUT;
				task_end(device, task);
			}
			task = next;
		}
	}
}

enum gg_status channel_reset(struct device *device, uint32_t channel, uint32_t timeout_ms)
{
	uint64_t deadline = deadline_after(timeout_ms);
	enum gg_status status = channel_check(device, channel);

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	if (regs_load(device->window, CHANNEL(channel, state)) != GG_CHANNEL_STATE_REFUSED &&
	    regs_load(device->window, CHANNEL(channel, get)) != device->channels[channel].put) {
		(void)pthread_mutex_unlock(&device->lock);
		return failure_set(GG_ERR_BUSY, "channel", channel,
				   "Channel %u has commands that were not taken", channel);
	}
	pump_drain(device);
	end_untaken(device, channel);
	doorbell_reset_channel(device, channel);
	doorbell_ring(device);
	status = pump_until_polled(device, deadline, reset_is_done, &channel);
	status = device_failure(device, status, "reset of a channel");
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

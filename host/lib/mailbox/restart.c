/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/restart.h"

#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/flight.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/transport/regs.h"

#define CAP(field) ((uint32_t)offsetof(struct gg_cap, field))
#define CHANNEL(channel, field) \
	(channel_at(device, channel) + (uint32_t)offsetof(struct gg_channel, field))

/** The count of restarts: where several hosts use the device, the broker says when it has handed out all completions from
 * before. */
static uint32_t resets_now(const struct device *device)
{
	if (device->share)
		return __atomic_load_n(&device->share->resets, __ATOMIC_ACQUIRE);
	return regs_load(device->window, CAP(resets));
}

bool restart_was(const struct device *device)
{
	if ((device->cap.features & 1u << GG_FEATURE_RESTARTS) == 0)
		return false;
	return regs_load(device->window, CAP(state)) == GG_DEVICE_STATE_READY &&
	       resets_now(device) != device->resets;
}

static void end_flight(struct device *device)
{
	for (uint32_t i = 0; i < device->flight.chains; i++) {
		while (device->flight.at[i].first) {
			struct task *task = device->flight.at[i].first;

			task->done.complete = 1;
			task->done.status = GG_ERR_DEVICE_RESET;
			task->done.channel = task->channel;
			device->traffic.completed++;
			device->unanswered++;
			task_end(device, task);
		}
	}
}

void restart_take(struct device *device)
{
	device->resets = resets_now(device);
	end_flight(device);
	device_tell_posted(device);
	/* Nothing waits for the resets: the device looks for them before it reads a channel again. */
	for (uint32_t i = 0; i < device->cap.channels; i++)
		doorbell_reset_channel(device, i);
	doorbell_ring(device);
}

void restart_join(struct device *device)
{
	device->resets = resets_now(device);
	if (device->resets == 0 || device->observer)
		return;
	for (uint32_t i = 0; i < device->cap.channels; i++) {
		if (regs_load(device->window, CHANNEL(i, state)) == GG_CHANNEL_STATE_REFUSED)
			doorbell_reset_channel(device, i);
	}
	doorbell_ring_if_due(device);
}

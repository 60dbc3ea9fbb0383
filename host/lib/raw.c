/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "firmware/abi/field.h"
#include "host/lib/context.h"
#include "host/lib/deadline.h"
#include "host/lib/failure.h"
#include "host/lib/mailbox.h"
#include "host/lib/pump.h"
#include "host/lib/regs.h"

#define CHANNEL(channel, field) \
	(channel_at(device, channel) + (uint32_t)offsetof(struct gg_channel, field))

/** A task that the command names: what it submits. */
static void take_name(struct gg_task *task, const struct gg_raw *raw)
{
	if ((raw->opcode & 0xffu) != GG_OPCODE_SUBMIT)
		return;
	task->address = raw->address;
	task->generation = raw->argument[0];
}

enum gg_status gg_command_post(struct gg_device *device, const struct gg_raw *raw,
			       uint32_t timeout_ms, struct gg_task **task)
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
	struct gg_task *made;

	(void)pthread_mutex_lock(&device->lock);
	made = mailbox_task(device);
	if (made) {
		made->channel = raw->channel;
		take_name(made, raw);
		status = mailbox_post(device, made, &command, deadline_after(timeout_ms));
		mailbox_ring_if_due(device);
	}
	if (made && status != GG_OK)
		mailbox_drop(device, made);
	(void)pthread_mutex_unlock(&device->lock);
	if (status == GG_OK)
		*task = made;
	return made ? status : failure_status(status);
}

enum gg_status gg_doorbell(struct gg_device *device)
{
	enum gg_status status;

	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	(void)pthread_mutex_lock(&device->lock);
	mailbox_ring(device);
	status = pump_failure(device, device->broken, "doorbell");
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

/** Is it a channel, and may we write to it? */
static enum gg_status check_channel(const struct gg_device *device, uint32_t channel)
{
	if (channel >= device->cap.channels)
		return failure_set(GG_ERR_ARGUMENT, "channel", channel, "There is no channel %u",
				   channel);
	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	return GG_OK;
}

enum gg_status gg_channel_put(struct gg_device *device, uint32_t channel, uint32_t put)
{
	enum gg_status status = check_channel(device, channel);

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	device->channels[channel].put = put;
	regs_store(device->window, CHANNEL(channel, put), put);
	mailbox_ring(device);
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}

enum gg_status gg_channel_read(struct gg_device *device, uint32_t channel, struct gg_channel *words)
{
	if (channel >= device->cap.channels)
		return failure_set(GG_ERR_ARGUMENT, "channel", channel, "There is no channel %u",
				   channel);
	regs_copy_out(device->window, channel_at(device, channel), words, sizeof(*words));
	return device_reached(device);
}

enum gg_status gg_channel_priority(struct gg_device *device, uint32_t channel, uint32_t priority)
{
	enum gg_status status = check_channel(device, channel);

	if (status != GG_OK)
		return status;
	if (priority < 1 || priority > device->cap.priorities)
		return failure_set(GG_ERR_PRIORITY, "priority", priority,
				   "A channel's priority is 1 to %u", device->cap.priorities);
	(void)pthread_mutex_lock(&device->lock);
	regs_store(device->window, CHANNEL(channel, priority), priority);
	mailbox_ring(device);
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}

static bool reset_is_done(struct gg_device *device, void *what)
{
	uint32_t channel = *(const uint32_t *)what;

	return regs_load(device->window, CHANNEL(channel, reset_done)) ==
	       device->channels[channel].reset;
}

/** Ends the tasks of a channel that the device has not taken; the others are marked: `get` begins
 * anew with the reset. */
static void end_untaken(struct gg_device *device, uint32_t channel)
{
	for (uint32_t i = 0; i < device->flight.chains; i++) {
		struct gg_task *task = device->flight.at[i].first;

		while (task) {
			struct gg_task *next = task->next;

			if (task->channel == channel && !mailbox_has_taken(device, task)) {
				task->done.status = GG_ERR_CHANNEL;
				task->done.field = GG_FIELD_CHANNEL_PUT;
				pump_end(device, task);
			}
			task = next;
		}
	}
}

enum gg_status gg_channel_reset(struct gg_device *device, uint32_t channel, uint32_t timeout_ms)
{
	uint64_t deadline = deadline_after(timeout_ms);
	enum gg_status status = check_channel(device, channel);

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	if (regs_load(device->window, CHANNEL(channel, state)) != GG_CHANNEL_STATE_REFUSED) {
		(void)pthread_mutex_unlock(&device->lock);
		return failure_set(GG_ERR_ARGUMENT, "channel", channel, "Channel %u is not refused",
				   channel);
	}
	pump_drain(device);
	end_untaken(device, channel);
	device->channels[channel].put = 0;
	device->channels[channel].reset++;
	regs_store(device->window, CHANNEL(channel, put), 0);
	regs_fence();
	regs_store(device->window, CHANNEL(channel, reset), device->channels[channel].reset);
	mailbox_ring(device);
	status = pump_until_polled(device, deadline, reset_is_done, &channel);
	status = pump_failure(device, status, "reset of a channel");
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

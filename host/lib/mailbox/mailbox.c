/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/mailbox.h"

#include "host/lib/core/failure.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/flight.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/transport/regs.h"

#define CHANNEL(channel, field) \
	(channel_at(device, channel) + (uint32_t)offsetof(struct gg_channel, field))

static bool has_state(const struct device *device, uint32_t channel, enum gg_channel_state state)
{
	return regs_load(device->window, CHANNEL(channel, state)) == state;
}

/** The control processor boots again, or has done so and this process has not acted on it yet: all channels are refused
 * until then, which says nothing about what was written there. */
static bool is_restarting(const struct device *device)
{
	return (device->cap.features & 1u << GG_FEATURE_RESTARTS) != 0 &&
	       (regs_load(device->window, (uint32_t)offsetof(struct gg_cap, state)) ==
			GG_DEVICE_STATE_BOOTING ||
		regs_load(device->window, (uint32_t)offsetof(struct gg_cap, resets)) !=
			device->resets);
}

bool mailbox_is_refused(const struct device *device, uint32_t channel)
{
	return has_state(device, channel, GG_CHANNEL_STATE_REFUSED) &&
	       regs_load(device->window, CHANNEL(channel, reset_done)) ==
		       device->channels[channel].reset &&
	       !is_restarting(device);
}

bool mailbox_is_open(const struct device *device, uint32_t channel)
{
	return has_state(device, channel, GG_CHANNEL_STATE_OPEN);
}

bool mailbox_is_full(const struct device *device, uint32_t channel)
{
	uint32_t get = regs_load(device->window, CHANNEL(channel, get));

	return device->channels[channel].put - get >= device->cap.channel_entries;
}

bool mailbox_has_taken(const struct device *device, struct task *task)
{
	uint32_t get;

	if (task->taken || task->ended)
		return true;
	get = regs_load(device->window, CHANNEL(task->channel, get));
	task->taken = (int32_t)(task->sequence - get) < 0;
	return task->taken;
}

/** Commands that this host may have on their way. Where it shares the device it has a quota of tasks; other commands may
 * fill its completion ring. */
static uint32_t commands_most(const struct device *device, bool task)
{
	if (!device->share)
		return UINT32_MAX;
	return task ? __atomic_load_n(&device->share->most, __ATOMIC_ACQUIRE) : SHARE_ENTRIES;
}

/** What a command waits for. */
struct room {
	uint32_t channel;
	bool task; /**< The command is a task. */
};

/** A wait for room also ends when the channel is refused: then there will never be room. While the control processor boots
 * again there is none, so what is posted from then on is carried out. */
static bool has_room(struct device *device, void *what)
{
	const struct room *room = what;

	if (is_restarting(device))
		return false;
	return (!mailbox_is_full(device, room->channel) &&
		device->flight.count < commands_most(device, room->task)) ||
	       mailbox_is_refused(device, room->channel);
}

static enum gg_status wait_room(struct device *device, const struct room *room, uint64_t deadline)
{
	const uint32_t channel = room->channel;
	struct room wanted = *room;
	enum gg_status status;

	if (has_room(device, &wanted))
		return GG_OK;
	doorbell_ring_if_due(device);
	status = pump_until_polled(device, deadline, has_room, &wanted);
	if (status == GG_ERR_TIMEOUT && is_restarting(device))
		return failure_set(GG_ERR_TIMEOUT, "cap.state", GG_DEVICE_STATE_BOOTING,
				   "The control processor boots again, and was not up before the "
				   "deadline");
	if (status == GG_ERR_TIMEOUT && !mailbox_is_full(device, channel))
		return failure_set(GG_ERR_RING_FULL, "commands", device->flight.count,
				   "This host has %u commands on their way until the deadline, as "
				   "many as its share of the device allows",
				   device->flight.count);
	if (status == GG_ERR_TIMEOUT && has_state(device, channel, GG_CHANNEL_STATE_SUSPENDED))
		return failure_set(GG_ERR_RING_FULL, "channel.state", GG_CHANNEL_STATE_SUSPENDED,
				   "Channel %u is suspended, and it is full", channel);
	if (status == GG_ERR_TIMEOUT)
		return failure_set(GG_ERR_RING_FULL, "channel", channel,
				   "Channel %u stayed full until the deadline", channel);
	return device_failure(device, status, "room in the channel");
}

static enum gg_status check_channel(struct device *device, uint32_t channel)
{
	uint32_t put;

	if (device->observer)
		return failure_set(GG_ERR_BUSY, "device", 0,
				   "This process only observes the device: another one holds it");
	if (channel >= device->cap.channels)
		return failure_set(GG_ERR_ARGUMENT, "channel", channel,
				   "There is no channel %u: the device has %u", channel,
				   device->cap.channels);
	if (!mailbox_is_refused(device, channel))
		return GG_OK;
	put = regs_load(device->window, CHANNEL(channel, refused_put));
	return failure_done(GG_ERR_CHANNEL, GG_FIELD_CHANNEL_PUT, put, 0, 0);
}

/** A tag that no command on its way has. 0 is not a tag. */
static uint32_t fresh_tag(struct device *device)
{
	do {
		device->next_tag++;
	} while (device->next_tag == 0 || flight_find(&device->flight, device->next_tag));
	return device->next_tag;
}

/** Writes the entry first, and then the put word that makes it visible. */
static void write_entry(struct device *device, uint32_t channel, const struct gg_command *command)
{
	uint32_t entries = device->cap.channel_entries;
	uint32_t put = device->channels[channel].put;
	uint32_t index = channel * entries + (put & (entries - 1));

	regs_copy_in(device->window,
		     device->cap.commands_offset + index * (uint32_t)sizeof(*command), command,
		     sizeof(*command));
	regs_fence();
	device->channels[channel].put = put + 1;
	regs_store(device->window, CHANNEL(channel, put), put + 1);
	device->unrung |= 1u << channel % 32;
}

static enum gg_status await_room(struct device *device, const struct room *room, uint64_t deadline)
{
	enum gg_status status = check_channel(device, room->channel);

	if (status == GG_OK)
		status = wait_room(device, room, deadline);
	if (status == GG_OK)
		status = check_channel(device, room->channel);
	if (status == GG_OK && device->broken != GG_OK)
		status = device_failure(device, device->broken, "post a command");
	return status;
}

enum gg_status mailbox_await_room(struct device *device, uint32_t channel, uint64_t deadline)
{
	const struct room room = { .channel = channel, .task = true };

	return await_room(device, &room, deadline);
}

enum gg_status mailbox_may(const struct device *device, uint32_t opcode)
{
	const bool all = opcode == GG_OPCODE_CONFIG || opcode == GG_OPCODE_TRACE ||
			 opcode == GG_OPCODE_RESET_SM;

	if (!device->share || device->share->manages || !all)
		return GG_OK;
	return failure_set(GG_ERR_PERMISSION, "command.opcode", opcode,
			   "This changes the device for all of its hosts: only the user who booted "
			   "it may");
}

/** Turns a command of a host with a share into one of the device: its channels have other numbers there, and the broker,
 * which hands out the completions, has to be interrupted. */
static void translate(const struct device *device, uint32_t opcode, struct gg_command *command)
{
	const bool names = opcode == GG_OPCODE_CANCEL || opcode == GG_OPCODE_SUSPEND ||
			   opcode == GG_OPCODE_RESUME;

	if (!device->share)
		return;
	command->header &= ~GG_COMMAND_NO_INTERRUPT;
	if (!names || command->argument1 != GG_TARGET_CHANNEL)
		return;
	if (command->argument0 < device->cap.channels)
		command->argument0 += device->first_channel;
	else
		command->argument0 = UINT32_MAX; /* refused, as it would be without other hosts */
}

enum gg_status mailbox_post(struct device *device, struct task *task,
			    const struct gg_command *command, uint64_t deadline)
{
	const uint32_t opcode = gg_get(command->header, GG_COMMAND_OPCODE);
	const struct room room = { task->channel, opcode == GG_OPCODE_SUBMIT };
	struct gg_command entry = *command;
	enum gg_status status = mailbox_may(device, opcode);

	if (status == GG_OK)
		status = await_room(device, &room, deadline);
	if (status != GG_OK)
		return status;
	translate(device, opcode, &entry);
	entry.tag = fresh_tag(device);
	task->done.tag = entry.tag;
	task->sequence = device->channels[task->channel].put;
	task->quiet = gg_get(entry.header, GG_COMMAND_NO_INTERRUPT) != 0;
	if (flight_add(&device->flight, task) != GG_OK)
		return failure_status(GG_ERR_NO_MEMORY);
	write_entry(device, task->channel, &entry);
	device->traffic.posted++;
	device_tell_posted(device);
	return GG_OK;
}

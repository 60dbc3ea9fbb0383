/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/device_open.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/heap.h"
#include "host/lib/core/pool.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/flight.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/restart.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/transport/layout.h"
#include "host/lib/transport/reach.h"
#include "host/lib/transport/regs.h"
#include "host/lib/transport/transport.h"

#define LOOK_MS 5u

#define CAP(field)  ((uint32_t)offsetof(struct gg_cap, field))
#define POST(field) (device->cap.post_offset + (uint32_t)offsetof(struct gg_post, field))

/** Says why a device was not ready at the deadline. */
static enum gg_status not_ready(const struct device *device, uint32_t magic)
{
	if (magic != GG_ABI_MAGIC)
		return failure_set(GG_ERR_ABI_MAGIC, "cap.magic", magic,
				   "There is no capability block: the firmware did not start");
	return failure_set(GG_ERR_TIMEOUT, "cap.state", regs_load(device->window, CAP(state)),
			   "The firmware started but did not become ready before the deadline");
}

/** What is wrong with a machine that the firmware refuses, and what the value is. */
struct fault {
	const char *value;
	const char *text;
};

static const struct fault faults[] = {
	[GG_BOARD_FAULT_NONE] = { NULL, NULL },
	[GG_BOARD_FAULT_CORE] = { "core", "its core lacks instructions that the image uses" },
	[GG_BOARD_FAULT_MACHINE] = { "mailbox", "it has no mailbox block" },
	[GG_BOARD_FAULT_HARTS] = { "harts", "it has fewer harts than the board" },
	[GG_BOARD_FAULT_RAM] = { "ram", "it has less RAM than the board" },
	[GG_BOARD_FAULT_TIMER] = { "time", "its time does not run" },
	[GG_BOARD_FAULT_ROOM] = { "ram", "it has too little RAM for so many SMs: give it more, or "
					 "boot fewer SMs" },
};

/** Finds out what is wrong with the machine. @return a number of `faults`, GG_BOARD_FAULT_NONE: nothing
 * that is known. */
static uint32_t fault_of(const struct device *device, uint64_t *value)
{
	const uint64_t room = device->place.ram + device->place.ram_bytes - device->place.window;
	struct gg_error error;
	struct gg_cap cap;

	regs_copy_out(device->window, 0, &cap, sizeof(cap));
	*value = device->place.ram_bytes;
	if (cap.heap_bytes_lo == 0 && cap.heap_bytes_hi == 0) /* There is no error block either. */
		return cap.sms > 0 ? GG_BOARD_FAULT_ROOM : GG_BOARD_FAULT_NONE;
	if (cap.error_offset % 4 != 0 || cap.error_offset > room ||
	    room - cap.error_offset < sizeof(error))
		return GG_BOARD_FAULT_NONE;
	regs_copy_out(device->window, cap.error_offset, &error, sizeof(error));
	*value = gg_join(error.address_lo, error.address_hi);
	return error.board_fault < sizeof(faults) / sizeof(faults[0]) ? error.board_fault
								      : GG_BOARD_FAULT_NONE;
}

/** Says why the firmware gave up before it was ready. */
static enum gg_status panicked(const struct device *device)
{
	uint64_t value;
	const struct fault *fault = &faults[fault_of(device, &value)];

	if (!fault->text)
		return failure_status(GG_ERR_PANIC);
	return failure_set(GG_ERR_PANIC, fault->value, value,
			   "The firmware does not start on this machine: %s (%s = %llu)",
			   fault->text, fault->value, (unsigned long long)value);
}

/** Says why a device ended before it was ready. If we booted it, QEMU has ended. */
static enum gg_status ended_early(struct device *device, enum gg_status status)
{
	if (status != GG_ERR_DEVICE_LOST || !device->settled)
		return device_failure(device, status, "start of the firmware");
	return failure_set(GG_ERR_QEMU_FAILED, NULL, 0, "QEMU ended at start: %s",
			   transport_message(device->transport));
}

/** Waits until the firmware is ready. A QEMU that has ended may have done so because the firmware gave up after it was
 * looked at; its memory is still there, so it is looked at once more. */
static enum gg_status wait_ready(struct device *device, uint32_t timeout_ms)
{
	uint64_t deadline = deadline_after(timeout_ms);
	enum gg_status ended = GG_OK;

	for (;;) {
		uint32_t magic = regs_load(device->window, CAP(magic));
		uint32_t state = regs_load(device->window, CAP(state));
		uint32_t ms = deadline_left(deadline, LOOK_MS);
		enum gg_status status;

		if (magic == GG_ABI_MAGIC && state == GG_DEVICE_STATE_PANIC)
			return panicked(device);
		if (ended != GG_OK)
			return ended_early(device, ended);
		if (magic == GG_ABI_MAGIC && state == GG_DEVICE_STATE_READY)
			return GG_OK;
		if (reach_lost(device->window))
			return device_failure(device, GG_ERR_DEVICE_LOST, "start of the firmware");
		if (ms == 0)
			return not_ready(device, magic);
		status = (enum gg_status)transport_wait(device->transport, ms);
		if (status != GG_OK && status != GG_ERR_TIMEOUT && status != GG_ERR_CANCELLED)
			ended = status;
	}
}

/** The tag of the last command in a channel. */
static uint32_t last_tag(const struct device *device, uint32_t channel, uint32_t put)
{
	uint32_t entries = device->cap.channel_entries;
	uint32_t index = channel * entries + ((put - 1) & (entries - 1));
	uint32_t at = device->cap.commands_offset + index * (uint32_t)sizeof(struct gg_command);

	return regs_load(device->window, at + (uint32_t)offsetof(struct gg_command, tag));
}

/** Takes over put words, tags and completions from an earlier host. */
static enum gg_status take_over(struct device *device)
{
	device->channels = calloc(device->cap.channels, sizeof(*device->channels));
	if (!device->channels)
		return failure_status(GG_ERR_NO_MEMORY);
	for (uint32_t i = 0; i < device->cap.channels; i++) {
		struct gg_channel words;
		uint32_t tag;

		regs_copy_out(device->window, channel_at(device, i), &words, sizeof(words));
		device->channels[i].put = words.put;
		device->channels[i].reset = words.reset;
		if (words.put == 0)
			continue;
		tag = last_tag(device, i, words.put);
		if ((int32_t)(tag - device->next_tag) > 0)
			device->next_tag = tag;
	}
	if (device->share)
		device->next_tag = device->share->first_tag;
	/* Like tags, generations should not come back soon. */
	device->next_generation = device->next_tag;
	device->get = regs_load(ring_of(device),
				ring_post_at(device) + (uint32_t)offsetof(struct gg_post, get));
	device->rung = regs_load(device->window, POST(rung));
	for (uint32_t i = 0; i < device->cap.channels && doorbell_has_bells(device); i++) {
		const uint32_t byte = device->first_channel + i;

		device->channels[i].bell =
			(uint8_t)(regs_load(device->window, POST(bells) + byte / 4 * 4) >>
				  byte % 4 * 8);
	}
	restart_join(device);
	pump_drain(device);
	return device_reached(device);
}

/** Makes the copy of the capability block tell of this host's share alone: its channels are the channels 0, 1, … of this
 * process, and its part of the heap is the heap. */
static enum gg_status take_share(struct device *device)
{
	const struct share_memory *share = device->share;
	struct gg_cap *cap = &device->cap;
	const uint64_t heap = gg_join(cap->heap_lo, cap->heap_hi);
	const uint64_t bytes = gg_join(cap->heap_bytes_lo, cap->heap_bytes_hi);
	const uint32_t entries = cap->channel_entries * (uint32_t)sizeof(struct gg_command);

	if (!share)
		return GG_OK;
	if (share->channels == 0 || share->first_channel >= cap->channels ||
	    share->channels > cap->channels - share->first_channel || share->heap < heap ||
	    share->heap - heap > bytes || share->heap_bytes > bytes - (share->heap - heap))
		return failure_set(GG_ERR_ABI_VERSION, "share", share->host,
				   "The broker gives a share that the device does not have");
	device->ring.map = (uint8_t *)device->share;
	device->first_channel = share->first_channel;
	device->next_context = share->first_context;
	device->settled = true; /* The broker has cleaned it. */
	cap->channels = share->channels;
	cap->mailbox_offset += share->first_channel * (uint32_t)sizeof(struct gg_channel);
	cap->commands_offset += share->first_channel * entries;
	gg_split(&cap->heap_lo, &cap->heap_hi, share->heap);
	gg_split(&cap->heap_bytes_lo, &cap->heap_bytes_hi, share->heap_bytes);
	return GG_OK;
}

static enum gg_status add_memory(struct device *device, uint64_t start, uint64_t end)
{
	return start < end ? heap_add(&device->heap, start, end - start) : GG_OK;
}

/** The heap, but for memory of parked CTAs that an earlier host has taken. */
static enum gg_status add_heap(struct device *device)
{
	const struct gg_cap *cap = &device->cap;
	const uint32_t page = cap->config_offset + (uint32_t)offsetof(struct gg_config, park_page);
	const uint64_t heap = gg_join(cap->heap_lo, cap->heap_hi);
	const uint64_t end = heap + gg_join(cap->heap_bytes_lo, cap->heap_bytes_hi);
	const uint64_t parked = (uint64_t)regs_load(device->window, page) * SHARE_PAGE;
	const uint64_t parked_end = parked + share_parked_bytes(cap);

	if (parked_end == parked || device->share || parked < heap || parked_end > end)
		return add_memory(device, heap, end);
	device->parked = parked;
	const enum gg_status status = add_memory(device, heap, parked);

	return status != GG_OK ? status : add_memory(device, parked_end, end);
}

static enum gg_status start(struct device *device, uint32_t timeout_ms)
{
	enum gg_status status = wait_ready(device, timeout_ms);

	if (status != GG_OK)
		return status;
	regs_copy_out(device->window, 0, &device->cap, sizeof(device->cap));
	status = device_reached(device);
	if (status != GG_OK)
		return status;
	status = layout_check(&device->cap, &device->place);
	if (status == GG_OK)
		status = take_share(device);
	if (status != GG_OK)
		return status;
	if (add_heap(device) != GG_OK)
		return failure_status(GG_ERR_NO_MEMORY);
	return take_over(device);
}

/** Frees the tasks on their way, which were all released before. */
static void end_tasks(struct device *device)
{
	for (uint32_t i = 0; i < device->flight.chains; i++) {
		while (device->flight.at[i].first) {
			struct task *task = device->flight.at[i].first;

			device->flight.at[i].first = task->next;
			task_free(task);
		}
	}
	flight_clear(&device->flight);
}

/** Frees a device. Its contexts, modules and tasks have ended before. */
static void device_end(void *what)
{
	struct device *device = what;

	end_tasks(device);
	heap_clear(&device->heap);
	pool_clear(&device->jobs);
	free(device->orphans.at);
	free(device->channels);
	transport_close(device->transport);
	(void)pthread_cond_destroy(&device->changed);
	(void)pthread_mutex_destroy(&device->lock);
	free(device);
}

static void device_forked(void *what)
{
	const struct device *device = what;

	transport_forked(device->transport);
}

static const struct handle_type device_type = {
	.kind = HANDLE_DEVICE,
	.end = device_end,
	.forked = device_forked,
};

enum gg_status device_close(const struct handle_use *use)
{
	struct device *device = use->object;
	enum gg_status status = handle_release(use);

	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	device->closed = true;
	(void)pthread_cond_broadcast(&device->changed);
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}

enum gg_status device_open(struct transport *transport, const struct device_facts *facts,
			   uint32_t timeout_ms, struct gg_device **device)
{
	struct device *made = calloc(1, sizeof(*made));
	enum gg_status status;

	if (!made) {
		transport_close(transport);
		return failure_status(GG_ERR_NO_MEMORY);
	}
	made->transport = transport;
	made->place = facts->place;
	made->registers = (struct reach){
		.transport = transport,
		.offset = facts->place.window - facts->place.ram,
	};
	if (facts->ram)
		made->registers.map = facts->ram + made->registers.offset;
	made->window = &made->registers;
	made->observer = facts->observer;
	made->settled = facts->fresh;
	made->share = facts->share;
	made->fresh = facts->fresh;
	made->qemu_pid = facts->qemu_pid;
	(void)snprintf(made->board, sizeof(made->board), "%s", facts->board);
	(void)pthread_mutex_init(&made->lock, NULL);
	(void)deadline_cond_init(&made->changed);
	status = start(made, timeout_ms);
	if (status == GG_OK) {
		made->handle = handle_make(&device_type, made, NULL);
		status = made->handle ? GG_OK : failure_status(GG_ERR_NO_MEMORY);
	}
	if (status == GG_OK)
		*device = made->handle;
	else
		device_end(made);
	return status;
}

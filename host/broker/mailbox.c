/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* fallocate, mmap */
#include "host/broker/mailbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/abi/field.h"

#define BELLS_SINCE 5u /* minor version of the ABI that has bell bytes */

#define CAP(field)  ((uint32_t)offsetof(struct gg_cap, field))
#define POST(field) (mailbox->cap.post_offset + (uint32_t)offsetof(struct gg_post, field))
#define CHANNEL(channel, field)                                                          \
	(mailbox->cap.mailbox_offset + (channel) * (uint32_t)sizeof(struct gg_channel) + \
	 (uint32_t)offsetof(struct gg_channel, field))

/* ---- Words, in order ---------------------------------------------------------------------- */

static uint32_t load(const uint8_t *window, uint32_t offset)
{
	return __atomic_load_n((const uint32_t *)(const void *)(window + offset), __ATOMIC_ACQUIRE);
}

static void store(uint8_t *window, uint32_t offset, uint32_t value)
{
	__atomic_store_n((uint32_t *)(void *)(window + offset), value, __ATOMIC_RELEASE);
}

static void copy_out(const uint8_t *window, uint32_t offset, void *words, size_t bytes)
{
	for (uint32_t at = 0; at < bytes; at += 4) {
		((uint32_t *)words)[at / 4] = load(window, offset + at);
	}
}

static void copy_in(uint8_t *window, uint32_t offset, const void *words, size_t bytes)
{
	for (uint32_t at = 0; at < bytes; at += 4) {
		store(window, offset + at, ((const uint32_t *)words)[at / 4]);
	}
}

/* The device looks at its mailbox. EAGAIN means that a ring is on its way. */
static void ring(const struct mailbox *mailbox)
{
	const uint64_t one = 1;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	(void)!write(mailbox->ring, &one, sizeof(one));
}

/* The bell of a channel that nobody else uses now. */
static void raise_bell(const struct mailbox *mailbox, uint32_t channel)
{
	uint8_t *bell = mailbox->window + POST(bells) + channel;

	__atomic_store_n(bell, (uint8_t)(__atomic_load_n(bell, __ATOMIC_RELAXED) + 1),
			 __ATOMIC_RELEASE);
	ring(mailbox);
}

/* ---- Opening ------------------------------------------------------------------------------ */

/* Whether blocks that the broker uses lie in the window, at words. */
static bool fits(const struct gg_cap *cap, uint32_t offset, uint64_t bytes)
{
	return offset % 4 == 0 && offset <= cap->window_bytes &&
	       bytes <= cap->window_bytes - offset;
}

static bool is_power(uint32_t number)
{
	return number != 0 && (number & (number - 1)) == 0;
}

/* The firmware wrote the block, but hosts could write there, too. */
static bool check(const struct mailbox *mailbox, const struct gg_cap *cap)
{
	const uint64_t offset = (uint64_t)(mailbox->window - mailbox->ram);
	const uint64_t heap = gg_join(cap->heap_lo, cap->heap_hi) - mailbox->base;
	const uint64_t heap_bytes = gg_join(cap->heap_bytes_lo, cap->heap_bytes_hi);
	const uint64_t commands = (uint64_t)cap->channel_entries * sizeof(struct gg_command);
	const uint64_t ring_bytes =
		(uint64_t)cap->completion_entries * sizeof(struct gg_completion);

	return gg_get(cap->abi, GG_CAP_MAJOR) == GG_ABI_MAJOR &&
	       gg_get(cap->abi, GG_CAP_MINOR) >= BELLS_SINCE && cap->channels > 0 &&
	       cap->channels <= sizeof(((struct gg_post *)0)->bells) &&
	       is_power(cap->channel_entries) && is_power(cap->completion_entries) &&
	       cap->window_bytes <= mailbox->bytes - offset &&
	       fits(cap, cap->mailbox_offset, cap->channels * sizeof(struct gg_channel)) &&
	       fits(cap, cap->commands_offset, cap->channels * commands) &&
	       fits(cap, cap->post_offset, sizeof(struct gg_post)) &&
	       fits(cap, cap->completions_offset, ring_bytes) && heap <= mailbox->bytes &&
	       heap_bytes <= mailbox->bytes - heap;
}

static int refuse(int status, char *message, size_t size, const char *text)
{
	(void)snprintf(message, size, "%s", text);
	return status;
}

/* Maps RAM; its size cannot change. */
static bool map(struct mailbox *mailbox, const struct qemu *qemu, const struct wire_device *device)
{
	void *ram = device->abi_offset % 4096 != 0 || device->abi_offset >= device->ram_bytes
			    ? MAP_FAILED
			    : mmap(NULL, device->ram_bytes, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_NORESERVE, qemu->ram, 0);

	if (ram == MAP_FAILED || device->ram_bytes - device->abi_offset < sizeof(struct gg_cap)) {
		return false;
	}
	mailbox->ram = ram;
	mailbox->bytes = device->ram_bytes;
	mailbox->base = device->ram_base;
	mailbox->window = mailbox->ram + device->abi_offset;
	mailbox->file = qemu->ram;
	mailbox->ring = qemu->ring;
	return true;
}

int mailbox_open(struct mailbox *mailbox, const struct qemu *qemu, const struct wire_device *device,
		 char *message, size_t size)
{
	struct gg_cap cap;

	if (mailbox->cap.channels != 0) {
		return GG_OK;
	}
	if (!mailbox->ram && !map(mailbox, qemu, device)) {
		return refuse(GG_ERR_NO_MEMORY, message, size,
			      "the broker cannot map the device's memory");
	}
	if (load(mailbox->window, CAP(magic)) != GG_ABI_MAGIC ||
	    load(mailbox->window, CAP(state)) <= GG_DEVICE_STATE_BOOTING) {
		return refuse(GG_ERR_TIMEOUT, message, size, "the firmware has not started yet");
	}
	if (load(mailbox->window, CAP(state)) != GG_DEVICE_STATE_READY) {
		return refuse(GG_ERR_PANIC, message, size, "the firmware has stopped");
	}
	copy_out(mailbox->window, 0, &cap, sizeof(cap));
	if (!check(mailbox, &cap)) {
		return refuse(GG_ERR_ABI_VERSION, message, size,
			      "the device's firmware cannot be shared: its ABI is another one, or "
			      "older than 5");
	}
	mailbox->cap = cap;
	mailbox->get = load(mailbox->window, POST(get));
	return GG_OK;
}

/* ---- Completions -------------------------------------------------------------------------- */

uint32_t mailbox_resets(const struct mailbox *mailbox, uint32_t known)
{
	if ((mailbox->cap.features & 1u << GG_FEATURE_RESTARTS) == 0 ||
	    load(mailbox->window, CAP(state)) != GG_DEVICE_STATE_READY) {
		return known;
	}
	return load(mailbox->window, CAP(resets));
}

uint32_t mailbox_waiting(const struct mailbox *mailbox)
{
	const uint32_t count = load(mailbox->window, POST(put)) - mailbox->get;

	return count <= mailbox->cap.completion_entries ? count : 0;
}

bool mailbox_take(struct mailbox *mailbox, struct gg_completion *completion)
{
	const uint32_t index = mailbox->get & (mailbox->cap.completion_entries - 1);

	if (mailbox_waiting(mailbox) == 0) {
		return false;
	}
	copy_out(mailbox->window,
		 mailbox->cap.completions_offset + index * (uint32_t)sizeof(*completion),
		 completion, sizeof(*completion));
	mailbox->get++;
	return true;
}

void mailbox_taken(const struct mailbox *mailbox, bool full)
{
	store(mailbox->window, POST(get), mailbox->get);
	if (full) {
		store(mailbox->window, POST(rung), load(mailbox->window, POST(rung)) + 1);
		ring(mailbox);
	}
}

/* ---- Channels and memory ------------------------------------------------------------------ */

void mailbox_reset(const struct mailbox *mailbox, uint32_t channel)
{
	const uint32_t done = load(mailbox->window, CHANNEL(channel, reset_done));
	uint32_t reset = load(mailbox->window, CHANNEL(channel, reset)) + 1;

	reset += reset == done; /* it must be another one than the last that was done */
	store(mailbox->window, CHANNEL(channel, priority), 0);
	store(mailbox->window, CHANNEL(channel, put), 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	store(mailbox->window, CHANNEL(channel, reset), reset);
	raise_bell(mailbox, channel);
}

bool mailbox_is_reset(const struct mailbox *mailbox, uint32_t channel)
{
	return load(mailbox->window, CHANNEL(channel, reset_done)) ==
	       load(mailbox->window, CHANNEL(channel, reset));
}

void mailbox_post(const struct mailbox *mailbox, uint32_t channel, const struct gg_command *command)
{
	const uint32_t entries = mailbox->cap.channel_entries;
	const uint32_t put = load(mailbox->window, CHANNEL(channel, put));
	const uint32_t index = channel * entries + (put & (entries - 1));

	copy_in(mailbox->window, mailbox->cap.commands_offset + index * (uint32_t)sizeof(*command),
		command, sizeof(*command));
	store(mailbox->window, CHANNEL(channel, put), put + 1);
	raise_bell(mailbox, channel);
}

void mailbox_clear(const struct mailbox *mailbox, uint64_t address, uint64_t bytes)
{
	const uint64_t offset = address - mailbox->base;

	/* A hole reads as zeros, and costs nothing until it is used. */
	if (bytes > 0 && fallocate(mailbox->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				   (off_t)offset, (off_t)bytes) != 0) {
		(void)memset(mailbox->ram + offset, 0, bytes);
	}
}

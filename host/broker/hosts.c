/* SPDX-License-Identifier: Apache-2.0 */
#include "host/broker/hosts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "firmware/abi/field.h"

#define MOST_LEAST 16u /* tasks that a host may have on their way at first, at least */
#define MOST_MOST  (SHARE_ENTRIES / 2u) /* other commands have the rest of its ring */
#define CLEAN_MS   2                    /* between looks at what is cleaned */
#define LOOK_MS    100                  /* an interrupt that was lost is noticed after so long */

void hosts_init(struct hosts *hosts, uint32_t count)
{
	*hosts = (struct hosts){ .count = count };
	for (uint32_t number = 0; number < SHARES_MOST; number++) {
		hosts->shares[number].file = -1;
		hosts->shares[number].interrupt = -1;
	}
}

/* ---- Division ----------------------------------------------------------------------------- */

/* Memory for CTAs that are parked is at the end of the heap, where it needs no more than this part of it. */
#define PARK_PART 4u

/* Equal parts of channels, heap and tasks; what does not divide is left over. */
static void divide(struct hosts *hosts)
{
	const struct gg_cap *cap = &hosts->mailbox.cap;
	const uint64_t heap = gg_join(cap->heap_lo, cap->heap_hi);
	const uint64_t whole = gg_join(cap->heap_bytes_lo, cap->heap_bytes_hi);
	const uint64_t parked = share_parked_bytes(cap);
	const bool parks = parked != 0 && parked <= whole / PARK_PART;
	const uint64_t end = (heap + whole - (parks ? parked : 0)) / SHARE_PAGE * SHARE_PAGE;
	const uint64_t first = (heap + SHARE_PAGE - 1) / SHARE_PAGE * SHARE_PAGE;
	const uint64_t bytes =
		end > first ? (end - first) / hosts->count / SHARE_PAGE * SHARE_PAGE : 0;
	const uint32_t channels = cap->channels / hosts->count;
	uint32_t most = cap->tasks_max / hosts->count;

	most = most < MOST_LEAST ? MOST_LEAST : most > MOST_MOST ? MOST_MOST : most;
	for (uint32_t number = 0; number < hosts->count; number++) {
		struct share *share = &hosts->shares[number];

		share->first_channel = number * channels;
		share->channels = channels;
		share->heap = first + number * bytes;
		share->heap_bytes = bytes;
		share->park_page = parks ? (uint32_t)(end / SHARE_PAGE) : 0;
		share->most = share->most != 0 ? share->most : most;
	}
}

/* Opens the mailbox at the first host. */
static int begin(struct hosts *hosts, const struct qemu *qemu, const struct wire_device *device,
		 char *message, size_t size)
{
	if (hosts->used) {
		return GG_OK;
	}
	const int status = mailbox_open(&hosts->mailbox, qemu, device, message, size);

	if (status != GG_OK) {
		return status;
	}
	if (hosts->mailbox.cap.channels < hosts->count) {
		(void)snprintf(message, size, "the device has %u channels: not enough for %u hosts",
			       hosts->mailbox.cap.channels, hosts->count);
		return GG_ERR_ARGUMENT;
	}
	divide(hosts);
	hosts->used = true;
	return GG_OK;
}

/* ---- Completions -------------------------------------------------------------------------- */

/* The share that a channel belongs to, or NULL. */
static struct share *share_of(struct hosts *hosts, uint32_t channel)
{
	for (uint32_t number = 0; number < hosts->count; number++) {
		struct share *share = &hosts->shares[number];

		if (channel - share->first_channel < share->channels &&
		    share->state != WIRE_SHARE_FREE) {
			return share;
		}
	}
	return NULL;
}

/* Hands out what is in the ring now. */
static uint32_t hand_out(struct hosts *hosts)
{
	const uint32_t waiting = mailbox_waiting(&hosts->mailbox);
	struct gg_completion completion;
	uint32_t full = 0;

	for (uint32_t number = 0; number < waiting && mailbox_take(&hosts->mailbox, &completion);
	     number++) {
		struct share *share =
			share_of(hosts, gg_get(completion.source, GG_COMPLETION_CHANNEL));

		if (share && !share_complete(share, &completion)) {
			full |= 1u << (share - hosts->shares);
		}
	}
	if (waiting > 0) {
		mailbox_taken(&hosts->mailbox, waiting == hosts->mailbox.cap.completion_entries);
	}
	return full;
}

/* Hands out the completions, and looks whether they are the last of a control processor that has booted again. */
static uint32_t listen(struct hosts *hosts)
{
	const uint32_t resets = mailbox_resets(&hosts->mailbox, hosts->resets);
	const uint32_t full = hand_out(hosts);

	if (resets != hosts->resets) {
		hosts->resets = resets;
		for (uint32_t number = 0; number < hosts->count; number++) {
			share_restart(&hosts->shares[number], &hosts->mailbox, resets);
		}
	}
	return full;
}

/* ---- Hosts -------------------------------------------------------------------------------- */

/* Says who has the shares. */
static int all_taken(const struct hosts *hosts, char *message, size_t size)
{
	int used = snprintf(message, size, "all %u shares of the device are taken:", hosts->count);

	for (uint32_t number = 0; number < hosts->count && used > 0 && (size_t)used < size;
	     number++) {
		const struct share *share = &hosts->shares[number];

		used += snprintf(message + used, size - (size_t)used, "%s process %d (user %u)",
				 number > 0 ? "," : "", (int)share->pid, (unsigned)share->uid);
	}
	return GG_ERR_BUSY;
}

int hosts_attach(struct hosts *hosts, const struct qemu *qemu, const struct wire_device *device,
		 pid_t pid, uid_t uid, uint32_t *share, char *message, size_t size)
{
	int status = begin(hosts, qemu, device, message, size);
	bool cleaning = false;

	if (status != GG_OK) {
		return status;
	}
	(void)listen(hosts); /* who does not take them is told in the next turn */
	for (uint32_t number = 0; number < hosts->count; number++) {
		struct share *one = &hosts->shares[number];

		cleaning = cleaning || one->state == WIRE_SHARE_CLEANING;
		if (one->state != WIRE_SHARE_FREE) {
			continue;
		}
		if (!share_give(one, number, ++hosts->turns, hosts_may_manage(uid),
				hosts->resets)) {
			(void)snprintf(message, size, "the broker has no memory for another host");
			return GG_ERR_NO_MEMORY;
		}
		one->pid = pid;
		one->uid = uid;
		*share = number;
		return GG_OK;
	}
	if (!cleaning) {
		return all_taken(hosts, message, size);
	}
	(void)snprintf(message, size,
		       "a host has gone, and its tasks do not end: see `ganger hosts`");
	return GG_ERR_TIMEOUT;
}

void hosts_leave(struct hosts *hosts, uint32_t share)
{
	share_leave(&hosts->shares[share], &hosts->mailbox);
}

uint32_t hosts_turn(struct hosts *hosts)
{
	uint32_t full;

	if (!hosts->used) {
		return 0;
	}
	full = listen(hosts);
	for (uint32_t number = 0; number < hosts->count; number++) {
		share_wake(&hosts->shares[number]);
		if (hosts->shares[number].state == WIRE_SHARE_CLEANING) {
			share_clean(&hosts->shares[number], &hosts->mailbox);
		}
	}
	return full;
}

int hosts_timeout(const struct hosts *hosts)
{
	int timeout = -1;

	for (uint32_t number = 0; number < hosts->count; number++) {
		if (hosts->shares[number].state == WIRE_SHARE_CLEANING) {
			return CLEAN_MS;
		}
		if (hosts->shares[number].state == WIRE_SHARE_HELD) {
			timeout = LOOK_MS;
		}
	}
	return timeout;
}

int hosts_interrupt(const struct hosts *hosts, const struct qemu *qemu)
{
	return hosts->used ? qemu->interrupt : -1;
}

void hosts_list(const struct hosts *hosts, struct wire_hosts *list)
{
	list->count = hosts->count;
	for (uint32_t number = 0; number < hosts->count; number++) {
		const struct share *share = &hosts->shares[number];
		struct wire_host *host = &list->list[number];

		*host = (struct wire_host){
			.state = share->state,
			.pid = share->state == WIRE_SHARE_FREE ? 0 : share->pid,
			.uid = share->state == WIRE_SHARE_FREE ? 0 : share->uid,
			.first_channel = share->first_channel,
			.channels = share->channels,
			.most = share->most,
			.heap = share->heap,
			.heap_bytes = share->heap_bytes,
			.completed = share->completed,
		};
		if (share->memory) {
			host->on_way = __atomic_load_n(&share->memory->posted, __ATOMIC_ACQUIRE) -
				       share->memory->post.put;
		}
	}
}

int hosts_quota(struct hosts *hosts, uint32_t host, uint32_t most)
{
	if (hosts->count < 2 || host >= hosts->count || most == 0 || most > MOST_MOST) {
		return GG_ERR_ARGUMENT;
	}
	hosts->shares[host].most = most;
	if (hosts->shares[host].memory) {
		__atomic_store_n(&hosts->shares[host].memory->most, most, __ATOMIC_RELEASE);
	}
	return GG_OK;
}

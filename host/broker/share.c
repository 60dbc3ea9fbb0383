/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* memfd_create, mmap */
#include "host/broker/share.h"

#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/abi/field.h"

#define TURN_SHIFT 16u /* each host has 65,536 numbers of contexts, and of tags to begin with */
#define CLEAN_TAG  0xc1ea0000u /* of the broker's own commands; the step is added */

/* ---- Giving and taking -------------------------------------------------------------------- */

static bool make_memory(struct share *share)
{
	void *memory = MAP_FAILED;

	share->interrupt = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	share->file = memfd_create("ganger-share", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (share->interrupt >= 0 && share->file >= 0 &&
	    ftruncate(share->file, (off_t)sizeof(*share->memory)) == 0 &&
	    fcntl(share->file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0) {
		memory = mmap(NULL, sizeof(*share->memory), PROT_READ | PROT_WRITE, MAP_SHARED,
			      share->file, 0);
	}
	share->memory = memory == MAP_FAILED ? NULL : memory;
	return share->memory != NULL;
}

static void drop_memory(struct share *share)
{
	if (share->memory) {
		(void)munmap(share->memory, sizeof(*share->memory));
	}
	if (share->file >= 0) {
		(void)close(share->file);
	}
	if (share->interrupt >= 0) {
		(void)close(share->interrupt);
	}
	share->memory = NULL;
	share->file = -1;
	share->interrupt = -1;
	share->news = false;
}

bool share_give(struct share *share, uint32_t number, uint32_t turn, bool manages, uint32_t resets)
{
	if (!make_memory(share)) {
		drop_memory(share);
		return false;
	}
	*share->memory = (struct share_memory){
		.magic = SHARE_MAGIC,
		.version = SHARE_VERSION,
		.host = number,
		.first_channel = share->first_channel,
		.channels = share->channels,
		.first_tag = turn << TURN_SHIFT,
		.first_context = turn << TURN_SHIFT,
		.manages = manages,
		.heap = share->heap,
		.heap_bytes = share->heap_bytes,
		.most = share->most,
		.resets = resets,
		.park_page = share->park_page,
	};
	share->state = WIRE_SHARE_HELD;
	return true;
}

static void reset_all(const struct share *share, const struct mailbox *mailbox)
{
	for (uint32_t number = 0; number < share->channels; number++) {
		mailbox_reset(mailbox, share->first_channel + number);
	}
}

void share_leave(struct share *share, const struct mailbox *mailbox)
{
	drop_memory(share);
	share->state = WIRE_SHARE_CLEANING;
	share->step = 0;
	share->asked = false;
	reset_all(share, mailbox);
}

void share_restart(struct share *share, const struct mailbox *mailbox, uint32_t resets)
{
	(void)memset(share->graphs, 0, sizeof(share->graphs));
	share->step = 0;
	share->asked = false;
	if (share->memory) {
		__atomic_store_n(&share->memory->resets, resets, __ATOMIC_RELEASE);
		share->news = true;
	} else {
		reset_all(share, mailbox);
	}
}

/* ---- Completions -------------------------------------------------------------------------- */

/* A launch that keeps a graph completes with its handle. Others complete with 0, or with a number that is no handle; to free
 * that does no harm. */
static void note_graph(struct share *share, const struct gg_completion *completion)
{
	const uint32_t handle = completion->value_lo;

	if (completion->status == GG_OK && handle != 0 && completion->value_hi == 0 &&
	    gg_get(completion->source, GG_COMPLETION_OPCODE) == GG_OPCODE_SUBMIT) {
		share->graphs[handle % SHARE_GRAPHS] = handle;
	}
}

static void take_answer(struct share *share, const struct gg_completion *completion)
{
	if (share->asked && completion->tag == CLEAN_TAG + share->step) {
		share->answered = true;
		share->status = (int32_t)completion->status;
	}
}

bool share_complete(struct share *share, const struct gg_completion *completion)
{
	struct share_memory *memory = share->memory;
	struct gg_completion own = *completion;

	note_graph(share, completion);
	if (!memory) {
		take_answer(share, completion);
		return true;
	}
	const uint32_t put = memory->post.put;

	if (put - __atomic_load_n(&memory->post.get, __ATOMIC_ACQUIRE) >= SHARE_ENTRIES) {
		return false;
	}
	own.source -= gg_put(GG_COMPLETION_CHANNEL, share->first_channel);
	memory->ring[put % SHARE_ENTRIES] = own;
	__atomic_store_n(&memory->post.put, put + 1, __ATOMIC_RELEASE);
	share->completed++;
	share->news = true;
	return true;
}

void share_wake(struct share *share)
{
	const uint64_t one = 1;

	if (share->news) {
		share->news = false;
		(void)!write(share->interrupt, &one, sizeof(one));
	}
}

/* ---- Cleaning ----------------------------------------------------------------------------- */

/* The command of a step, and its channel: a CANCEL for each channel, a FENCE in each, a GRAPH for each place of the
 * graphs. Returns false when this step has none. */
static bool command_of(const struct share *share, struct gg_command *command, uint32_t *channel)
{
	const uint32_t number = share->step % share->channels;
	const uint32_t pass = share->step / share->channels;
	uint32_t opcode = GG_OPCODE_GRAPH;

	*command = (struct gg_command){ .tag = CLEAN_TAG + share->step };
	*channel = share->first_channel;
	if (pass == 0) {
		opcode = GG_OPCODE_CANCEL;
		command->argument0 = share->first_channel + number;
		command->argument1 = GG_TARGET_CHANNEL;
	} else if (pass == 1) {
		opcode = GG_OPCODE_FENCE;
		*channel = share->first_channel + number;
	} else {
		command->argument1 = share->graphs[share->step - 2 * share->channels];
		command->argument2 = GG_GRAPH_ACTION_FREE;
	}
	command->header = gg_put(GG_COMMAND_OPCODE, opcode);
	return opcode != GG_OPCODE_GRAPH || command->argument1 != 0;
}

static bool all_reset(const struct share *share, const struct mailbox *mailbox)
{
	for (uint32_t number = 0; number < share->channels; number++) {
		if (!mailbox_is_reset(mailbox, share->first_channel + number)) {
			return false;
		}
	}
	return true;
}

static void finish(struct share *share, const struct mailbox *mailbox)
{
	mailbox_clear(mailbox, share->heap, share->heap_bytes);
	(void)memset(share->graphs, 0, sizeof(share->graphs));
	share->state = WIRE_SHARE_FREE;
}

void share_clean(struct share *share, const struct mailbox *mailbox)
{
	const uint32_t graphs = 2 * share->channels; /* first step of them */
	uint32_t channel = share->first_channel;
	struct gg_command command;

	if (share->asked && share->answered) {
		/* What is refused, because another host cancels just now or because there is no room, is asked again. That a
		 * graph was freed before is no reason to. */
		share->step += share->status == GG_OK || share->step >= graphs;
		share->asked = false;
	}
	if (share->asked || !all_reset(share, mailbox)) {
		return;
	}
	while (share->step < graphs + SHARE_GRAPHS && !command_of(share, &command, &channel)) {
		share->step++;
	}
	if (share->step == graphs + SHARE_GRAPHS) {
		finish(share, mailbox);
		return;
	}
	share->asked = true;
	share->answered = false;
	mailbox_post(mailbox, channel, &command);
}

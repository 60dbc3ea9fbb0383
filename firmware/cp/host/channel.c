/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/host/channel.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/quarantine.h"
#include "hal/fence.h"
#include "hal/mmio.h"

#define INTERVALS (CP_FENCES + 1) /* one for each fence in flight, and the open one */

/** Why a channel is not read. */
enum shut {
	REFUSED = 1 << 0,   /* the put word was out of range: until a reset */
	SUSPENDED = 1 << 1, /* by the host: until it is resumed */
};

/** The CP's state of a channel. */
struct channel {
	uint32_t put;    /* the last put word in range; counts are modulo 2^32 */
	uint32_t get;    /* commands taken */
	uint32_t reset;  /* the last reset request that was done */
	uint32_t shut;   /* why it is not read: a set of enum shut */
	uint32_t waits;  /* fences in flight */
	uint32_t oldest; /* place of the oldest interval whose fence is in flight, or `open` */
	uint32_t open;   /* place of the open interval */
	/* By place. The places are used in turn, and followed instead of computed: not all cores can divide. */
	uint32_t counts[INTERVALS];     /* tasks of each interval without a completion */
	struct task *fences[INTERVALS]; /* fence that closed each interval */
};

static struct channel channels[CP_CHANNELS];
static uint32_t fences;      /* in flight, of all channels */
static uint32_t last_chosen; /* channels of equal priority take turns, from the one behind this */

#define BELLS (CP_CHANNELS / 4) /* words of bell bytes */

_Static_assert(CP_CHANNELS % 4 == 0, "each byte of a word of bells is that of a channel");

/** What was last read of the words by which hosts ring. */
static struct {
	uint32_t rung;
	uint32_t bells[BELLS];
} heard;

static uint32_t news; /* bit c: channel c was rung for, and not looked at since */

_Static_assert((CP_CHANNEL_ENTRIES & (CP_CHANNEL_ENTRIES - 1)) == 0, "ring counts wrap at 2^32");

void channel_init(void)
{
	for (uint32_t index = 0; index < CP_CHANNELS; index++) {
		channels[index] = (struct channel){ 0 };
	}
	fences = 0;
	last_chosen = CP_CHANNELS - 1;
	memset(&heard, 0, sizeof(heard));
	news = bits_ones(CP_CHANNELS);
}

static void channel_show(const struct channel *channel, struct gg_channel *words)
{
	words->state = (channel->shut & REFUSED) != 0 ? GG_CHANNEL_STATE_REFUSED
		       : channel->shut != 0           ? GG_CHANNEL_STATE_SUSPENDED
						      : GG_CHANNEL_STATE_OPEN;
}

__attribute__((cold)) void channel_suspend(uint32_t channel, bool suspended)
{
	channels[channel].shut =
		(channels[channel].shut & REFUSED) | (suspended ? (uint32_t)SUSPENDED : 0);
	news |= 1u << channel;
	channel_show(&channels[channel], &device.channels[channel]);
}

/* Empties the ring and opens the channel when the host asks for that, which it does after a refusal; also a suspended
 * one, which its host may have left behind. */
static void channel_reset(struct channel *channel, struct gg_channel *words)
{
	const uint32_t reset = mmio_read32(&words->reset);

	if (reset == channel->reset) {
		return;
	}
	channel->reset = reset;
	channel->get = 0;
	channel->put = 0;
	channel->shut = 0;
	if (part_is_here(GG_FEATURE_RETRIES)) {
		quarantine_lift((uint32_t)(channel - channels));
	}
	words->get = 0;
	channel_show(channel, words);
	mmio_write32(&words->reset_done, reset);
}

static void channel_refuse(struct channel *channel, struct gg_channel *words, uint32_t put)
{
	channel->shut |= REFUSED;
	channel->put = channel->get;
	words->refused_put = put;
	channel_show(channel, words);
}

__attribute__((cold)) void channel_refuse_all(void)
{
	for (uint32_t index = 0; index < CP_CHANNELS; index++) {
		struct gg_channel *words = &device.channels[index];

		channels[index].reset = mmio_read32(&words->reset);
		channel_refuse(&channels[index], words, mmio_read32(&words->put));
	}
}

/* All channels that have commands or a reset request: a host has rung without saying for which one. */
static __attribute__((cold, noinline)) void look_at_all(void)
{
	const struct gg_channel *words = device.channels;

	for (uint32_t index = 0; index < CP_CHANNELS; index++) {
		if (((mmio_read32(&words[index].put) ^ channels[index].get) |
		     (mmio_read32(&words[index].reset) ^ channels[index].reset)) != 0) {
			news |= 1u << index;
		}
	}
}

bool channel_listen(void)
{
	const struct gg_post *post = device.post;
	const uint32_t rung = mmio_read32(&post->rung);

#pragma GCC unroll 2
	for (uint32_t word = 0; word < BELLS; word++) {
		const uint32_t bells = mmio_read32(&post->bells[word]);
		uint32_t changed = bells ^ heard.bells[word];

		if (changed == 0) {
			continue;
		}
		heard.bells[word] = bells;
		do {
			const uint32_t byte = bits_lowest(changed) / 8;

			changed &= ~(0xffu << 8 * byte);
			news |= 1u << (word * 4 + byte);
		} while (changed != 0);
	}
	if (rung != heard.rung) {
		heard.rung = rung;
		look_at_all();
	}
	return news != 0;
}

/* Reads the words of a channel. Returns whether it has commands that may be taken. */
static bool channel_look(struct channel *channel, struct gg_channel *words)
{
	channel_reset(channel, words);

	const uint32_t put = mmio_read32(&words->put);

	if (put == channel->get || channel->shut != 0) {
		return false; /* a bell comes before there is more, or it is resumed */
	}
	if (put - channel->get > CP_CHANNEL_ENTRIES) {
		channel_refuse(channel, words, put);
		return false;
	}
	channel->put = put;
	return true;
}

/* An invalid priority counts as the lowest. */
static uint32_t channel_priority(const struct gg_channel *words)
{
	const uint32_t priority = mmio_read32(&words->priority);

	return priority >= 1 && priority <= CP_PRIORITIES ? priority : CP_PRIORITIES;
}

/* The only channel that has news; CP_CHANNELS if it has no commands. */
static uint32_t channel_only(uint32_t index)
{
	if (!channel_look(&channels[index], &device.channels[index])) {
		news &= ~(1u << index);
		return CP_CHANNELS;
	}
	last_chosen = index;
	fence_acquire(); /* read the commands after the put word */
	return index;
}

uint32_t channel_choose(uint32_t skip, bool *more)
{
	uint32_t chosen = CP_CHANNELS;
	uint32_t best = CP_PRIORITIES + 1;
	uint32_t candidates = 0;
	uint32_t index = last_chosen;
	uint32_t left = news & ~skip;

	*more = false;
	if (left != 0 &&
	    (left & (left - 1)) == 0) { /* nearly always: no priority need be asked for */
		return channel_only(bits_lowest(left));
	}
	for (; left != 0; left &= ~(1u << index)) {
		const uint32_t after = left & ~bits_ones(index + 1);

		index = bits_lowest(after != 0 ? after : left);
		if (!channel_look(&channels[index], &device.channels[index])) {
			news &= ~(1u << index);
			continue;
		}
		const uint32_t priority = channel_priority(&device.channels[index]);

		candidates++;
		if (priority < best) {
			best = priority;
			chosen = index;
		}
	}
	*more = candidates > 1;
	if (candidates != 0) {
		last_chosen = chosen;
		fence_acquire(); /* read the commands after the put words */
	}
	return chosen;
}

bool channel_alone(struct channel_run *run)
{
	if ((news & (news - 1)) != 0) {
		return false;
	}
	const uint32_t number = bits_lowest(news);
	struct channel *channel = &channels[number];
	struct gg_channel *words = &device.channels[number];
	const uint32_t count = mmio_read32(&words->put) - channel->get;

	/* A count of 0 is none of the numbers below. */
	if (mmio_read32(&words->reset) != channel->reset || channel->shut != 0 ||
	    count - 1 >= CP_CHANNEL_ENTRIES) {
		return false;
	}
	run->number = number;
	run->count = count;
	run->channel = channel;
	run->words = words;
	run->ring = device.commands[number].entries;
	fence_acquire(); /* read the commands after the put word */
	return true;
}

const struct gg_command *channel_run_command(const struct channel_run *run, uint32_t number)
{
	return &run->ring[(run->channel->get + number) % CP_CHANNEL_ENTRIES];
}

void channel_run_taken(const struct channel_run *run, uint32_t count)
{
	struct channel *channel = run->channel;
	const uint32_t get = channel->get + count;

	last_chosen = run->number;
	channel->get = get;
	channel->put = get;
	run->words->accepted += count;
	if (count == run->count) {
		news = 0;
	}
	fence_full(); /* the entries must be read before the host may overwrite them */
	mmio_write32(&run->words->get, get);
}

bool channel_has_command(uint32_t channel)
{
	return channels[channel].get != channels[channel].put && channels[channel].shut == 0;
}

struct gg_command channel_peek(uint32_t index)
{
	assert(channel_has_command(index));
	return device.commands[index].entries[channels[index].get % CP_CHANNEL_ENTRIES];
}

void channel_advance(uint32_t index)
{
	struct channel *channel = &channels[index];

	channel->get++;
	if (channel->get == channel->put) {
		news &= ~(1u << index); /* a bell comes after each later change of the put word */
	}
	fence_full(); /* the entry must be read before the host may overwrite it */
	mmio_write32(&device.channels[index].get, channel->get);
}

static inline void count_accepted(struct channel *channel, struct task *task)
{
	uint32_t *counted = &channel->counts[channel->open];

	task->source.counted = counted;
	(*counted)++;
}

void channel_task_accepted(struct task *task)
{
	count_accepted(&channels[task->source.channel], task);
}

void channel_run_accepted(const struct channel_run *run, struct task *task)
{
	count_accepted(run->channel, task);
}

bool channel_can_fence(uint32_t channel)
{
	return channels[channel].waits < CP_FENCES;
}

static uint32_t place_after(uint32_t place)
{
	return place + 1 < INTERVALS ? place + 1 : 0;
}

/* Completes the fences that wait for no task any more, oldest first. */
static void channel_settle(struct channel *channel)
{
	while (channel->waits != 0 && channel->counts[channel->oldest] == 0) {
		completion_add(channel->fences[channel->oldest]);
		channel->oldest = place_after(channel->oldest);
		channel->waits--;
		fences--;
	}
}

void channel_fence_accepted(struct task *fence)
{
	struct channel *channel = &channels[fence->source.channel];

	channel->fences[channel->open] = fence;
	channel->waits++;
	fences++;
	channel->open = place_after(channel->open);
	channel->counts[channel->open] = 0;
	channel_settle(channel);
}

void channel_task_finished(const struct task *task)
{
	(*task->source.counted)--;
	if (fences != 0) {
		channel_settle(&channels[task->source.channel]);
	}
}

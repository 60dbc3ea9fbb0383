/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/model/driver_tell.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/wave/wave.h"
#include "firmware/sm/wave_share.h"

#define COMPLETION_WORDS 7

/* Bits of packet.pull, which no packet of a wave has: it stands for a share of a wave; the wave is closed. */
#define TELL_WAVE   (1u << 28)
#define TELL_CLOSED (1u << 29)

static uint32_t packets_taken[CP_SMS];
static uint32_t answers_taken[CP_SMS];
static uint32_t lent_to[CP_SMS]; /* slots of whose waves the SM was sent a share, a bit each */

uint32_t tell_assigned[CP_SMS];

void tell_begin(void)
{
	memset(packets_taken, 0, sizeof(packets_taken));
	memset(answers_taken, 0, sizeof(answers_taken));
	memset(lent_to, 0, sizeof(lent_to));
}

void tell_forget(uint32_t sm)
{
	packets_taken[sm] = 0;
	answers_taken[sm] = 0;
	lent_to[sm] = 0;
}

/* The slots in use: the words of each, and the TMD's correlation, which names the task. */
static uint32_t *tell_slots(uint32_t *out)
{
	uint32_t *count = out++;

	*count = 0;
	for (uint32_t index = 0; index < CP_SLOTS; index++) {
		const struct gg_slot *slot = &device.slots[index];

		if (slot->state == GG_SLOT_STATE_FREE) {
			continue;
		}
		const uint64_t address = gg_join(slot->tmd_lo, slot->tmd_hi);
		const struct gg_tmd *tmd = (const struct gg_tmd *)(uintptr_t)address;
		const uint32_t words[] = {
			index,           slot->generation, tmd->correlation,
			slot->state,     slot->stamp,      slot->priority,
			slot->in_flight, slot->next_lo,    slot->left_lo,
			slot->status,    slot->reason,     device.waves[index].entry.open,
		};

		memcpy(out, words, sizeof(words));
		out += sizeof(words) / sizeof(words[0]);
		(*count)++;
	}
	return out;
}

/* Whether what is known of an SM is behind. A slot's new wave is the only one that its SMs are lent to. */
static bool is_lent(uint32_t sm)
{
	const uint32_t wave = device.launch[sm].header.wave;

	lent_to[sm] |= wave != 0 ? 1u << gg_get(wave, GG_LAUNCH_SLOT) : 0;
	lent_to[sm] &= wave_behind;
	return lent_to[sm] != 0;
}

static uint32_t *tell_sms(uint32_t *out)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		const struct gg_sm_state *state = &device.sms[sm];
		const uint32_t words[] = {
			state->task_assign,    state->state_sync, state->cta_launch,
			state->free_units,     state->free_ctas,  state->free_warps,
			state->stop_slot,      state->share_lo,   state->share_sms,
			state->share_sequence, is_lent(sm),
		};

		memcpy(out, words, sizeof(words));
		out += sizeof(words) / sizeof(words[0]);
	}
	return out;
}

/* An SM takes its share of a wave, which is told as a packet. */
static uint32_t *tell_wave(uint32_t *out, uint32_t sm, uint32_t word)
{
	const uint32_t slot = gg_get(word, GG_LAUNCH_SLOT);
	const struct gg_wave *entry = &device.waves[slot].entry;
	const uint32_t rank = gg_get(word, GG_LAUNCH_RANK);
	struct gg_packet packet = device.waves[slot].packet;

	assert(entry->run == 0); /* there are no CGAs */
	gg_split(&packet.first_lo, &packet.first_hi, wave_share_first(entry, &packet, rank));
	packet.starts = wave_share_starts(entry, &packet, rank);
	packet.pull = entry->open != 0 ? TELL_WAVE : TELL_WAVE | TELL_CLOSED;
	tell_assigned[sm] = packet.assign;
	device.launch[sm].header.wave = 0;
	*out++ = sm;
	memcpy(out, &packet, sizeof(packet));
	return out + sizeof(packet) / 4;
}

/* Shares and packets that were sent since the last time; the SMs take them at once. */
static uint32_t *tell_packets(uint32_t *out)
{
	uint32_t *count = out++;

	*count = 0;
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		const struct launch_rings *rings = &device.launch[sm];

		if (rings->header.wave != 0) {
			out = tell_wave(out, sm, rings->header.wave);
			(*count)++;
		}
		for (; packets_taken[sm] != rings->header.launch_put; packets_taken[sm]++) {
			*out++ = sm;
			memcpy(out, &rings->packets[packets_taken[sm] % CP_LAUNCH_ENTRIES],
			       sizeof(struct gg_packet));
			tell_assigned[sm] =
				rings->packets[packets_taken[sm] % CP_LAUNCH_ENTRIES].assign;
			out += sizeof(struct gg_packet) / 4;
			(*count)++;
		}
		device.sms[sm].launch_get = packets_taken[sm];
	}
	return out;
}

static uint32_t *tell_answers(uint32_t *out)
{
	uint32_t *count = out++;

	*count = 0;
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		const struct launch_rings *rings = &device.launch[sm];

		for (; answers_taken[sm] != rings->header.request_get; answers_taken[sm]++) {
			const uint32_t at = answers_taken[sm] % CP_LAUNCH_ENTRIES;

			*out++ = sm;
			*out++ = rings->answers[at].answer_status;
			*out++ = rings->answers[at].answer_field;
			(*count)++;
		}
	}
	return out;
}

static int by_tag(const void *left, const void *right)
{
	const uint32_t *one = left;
	const uint32_t *other = right;

	return one[0] < other[0] ? -1 : one[0] > other[0];
}

/* In the order of their tags: their order within a turn means nothing. */
static uint32_t *tell_completions(uint32_t *out)
{
	struct gg_post *post_ends = device.post;
	uint32_t *count = out++;

	*count = 0;
	for (; post_ends->get != post_ends->put; post_ends->get++) {
		const struct gg_completion *done =
			&device.completions[post_ends->get % CP_COMPLETION_ENTRIES];
		const uint32_t words[COMPLETION_WORDS] = { done->tag,    done->status,
							   done->field,  done->value_lo,
							   done->source, done->ctas_lo,
							   done->retried };

		memcpy(out, words, sizeof(words));
		out += sizeof(words) / sizeof(words[0]);
		(*count)++;
	}
	qsort(count + 1, *count, COMPLETION_WORDS * sizeof(uint32_t), by_tag);
	return out;
}

uint32_t *tell(uint32_t *out)
{
	out = tell_slots(out);
	out = tell_sms(out);
	out = tell_packets(out);
	out = tell_answers(out);
	return tell_completions(out);
}

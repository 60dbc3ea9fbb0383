/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_device.h"

#include <assert.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/sm/wave_share.h"

struct fake_cta fake_ctas[CP_SMS * 32];
uint32_t fake_cta_count;
void (*fake_take_streams)(uint32_t sm, const struct gg_packet *packet);

static uint32_t packets_taken[CP_SMS];

/* By SM and slot: CTAs of a wave of which the SM is a part, a bit each, and those of them that have ended. */
static uint32_t wave_starts[CP_SMS][CP_SLOTS];
static uint32_t wave_ended[CP_SMS][CP_SLOTS];

/* CTAs that are parked, and how many. */
static struct fake_cta parked[CP_SMS];
static uint32_t parked_count;

void fake_device_init(uint32_t sms)
{
	fake_cta_count = 0;
	parked_count = 0;
	memset(packets_taken, 0, sizeof(packets_taken));
	memset(wave_starts, 0, sizeof(wave_starts));
	memset(wave_ended, 0, sizeof(wave_ended));
	fake_memory_init(sms);
	fake_rooms_init();
}

void fake_post(uint32_t channel, struct gg_command command)
{
	struct gg_channel *words = &device.channels[channel];

	device.commands[channel].entries[words->put % CP_CHANNEL_ENTRIES] = command;
	words->put++;
	((unsigned char *)device.post->bells)[channel]++;
}

void fake_submit(uint32_t channel, uint32_t tag, const struct gg_tmd *tmd)
{
	const uint64_t address = fake_put_tmd(tmd);

	fake_post(channel, (struct gg_command){ .header = GG_OPCODE_SUBMIT,
						.tag = tag,
						.address_lo = gg_low(address),
						.address_hi = gg_high(address) });
}

void fake_settle(uint32_t limit)
{
	fake_hal.asked = 0;
	while (fake_turn()) {
		assert(limit-- > 0);
		fake_hal.asked = 0;
	}
}

void fake_bell(uint32_t sm)
{
	((unsigned char *)device.bells)[sm]++;
}

void fake_sm_stop(uint32_t sm)
{
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm == sm) {
			fake_ctas[index] = fake_ctas[--fake_cta_count];
		}
	}
	packets_taken[sm] = 0;
	memset(wave_starts[sm], 0, sizeof(wave_starts[sm]));
	memset(wave_ended[sm], 0, sizeof(wave_ended[sm]));
	device.sms[sm].hart_state = GG_HART_STATE_STOPPED;
	fake_hal.stopped[sm] = true;
	fake_bell(sm);
}

void fake_sm_start(uint32_t sm)
{
	assert(device.launch[sm].header.launch_put == 0 && device.launch[sm].header.wave == 0);
	device.sms[sm].hart_state = GG_HART_STATE_STARTED;
	device.sms[sm].features = device.cap->features;
	fake_bell(sm);
}

static void report(const struct fake_cta *cta, uint32_t starts, enum gg_status status);

/* Parks the CTAs that are here. Where each keeps what it has says the packet. */
static void park(uint32_t sm, const struct gg_packet *packet)
{
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		const struct fake_cta cta = fake_ctas[index];

		if (cta.sm == sm && cta.task == packet->task && (cta.start & packet->starts) != 0) {
			assert(parked_count < CP_SMS);
			parked[parked_count] = cta;
			parked[parked_count++].kept = gg_join(packet->first_lo, packet->first_hi);
			fake_ctas[index] = fake_ctas[--fake_cta_count];
			fake_wave_leave(sm, cta.slot);
			report(&cta, cta.start, (enum gg_status)1);
		}
	}
}

/* Nobody else on the SM has a unit of a CTA that comes back. */
static void check_units(const struct fake_cta *cta)
{
	const uint32_t units = cta->start * bits_ones(cta->units);

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		const struct fake_cta *other = &fake_ctas[index];

		assert(other->sm != cta->sm ||
		       (other->start * bits_ones(other->units) & units) == 0);
	}
}

/* CTAs come back to the units of the SM that they had; their task may have another slot. */
static void restore(uint32_t sm, uint32_t slot, const struct gg_packet *packet)
{
	for (uint32_t starts = packet->starts; starts != 0; starts &= starts - 1) {
		uint32_t index = 0;

		while (parked[index].sm != sm || parked[index].start != bits_isolate(starts) ||
		       parked[index].kept != gg_join(packet->first_lo, packet->first_hi)) {
			index++;
			assert(index < parked_count);
		}
		assert(parked[index].units == packet->units);
		check_units(&parked[index]);
		fake_ctas[fake_cta_count] = parked[index];
		fake_ctas[fake_cta_count].slot = slot;
		fake_ctas[fake_cta_count++].task = packet->task;
		parked[index] = parked[--parked_count];
	}
}

uint32_t fake_parked(void)
{
	return parked_count;
}

static void take_packet(uint32_t sm, const struct gg_packet *packet)
{
	if ((packet->pull & GG_PACKET_PARK_SAVE) != 0) {
		park(sm, packet);
		return;
	}

	const uint32_t slot = gg_get(packet->task, GG_PACKET_SLOT);
	const struct gg_tmd *tmd = (const struct gg_tmd *)(uintptr_t)gg_join(
		device.slots[slot].tmd_lo, device.slots[slot].tmd_hi);
	const uint32_t items = gg_get(tmd->queue_items, GG_TMD_QUEUE_ITEMS);
	uint64_t cta = gg_join(packet->first_lo, packet->first_hi);
	uint32_t first = packet->queue_position;

	/* the SM has what it needs to acknowledge before it takes the packet (S0-C2) */
	assert(gg_get(packet->assign, GG_SM_STATE_SLOT) == slot &&
	       gg_get(packet->assign, GG_SM_STATE_VALID) != 0);
	device.sms[sm].sync_ack = packet->assign;
	if ((packet->pull & GG_PACKET_PARK_RESTORE) != 0) {
		restore(sm, slot, packet);
		return;
	}
	if (packet->pull != 0) {
		fake_take_streams(sm, packet);
		return;
	}
	for (uint32_t starts = packet->starts; starts != 0; starts &= starts - 1) {
		fake_ctas[fake_cta_count++] = (struct fake_cta){
			.sm = sm,
			.slot = slot,
			.task = packet->task,
			.start = bits_isolate(starts),
			.units = packet->units,
			.cga = packet->cga,
			.cta = cta++,
			.first = first,
			.items = (starts & (starts - 1)) == 0 ? packet->queue_last : items,
		};
		first += items;
	}
}

/* An SM finds the ids of a wave's CGAs in its members. */
static uint32_t wave_cga(uint32_t sm, const struct gg_packet *packet, uint32_t starts)
{
	const uint32_t unit = (uint32_t)__builtin_ctz(starts | 1u << 31);
	const struct gg_member *member = (const struct gg_member *)&device.clusters[sm]
						 .members[unit * (sizeof(struct gg_member) / 4)];

	return packet->cga == 0
		       ? 0
		       : packet->cga | gg_put(GG_PACKET_CGA_ID, gg_get(member->cga, GG_MEMBER_ID));
}

static void take_wave(uint32_t sm, uint32_t word)
{
	const uint32_t slot = gg_get(word, GG_LAUNCH_SLOT);
	const struct gg_wave *entry = &device.waves[slot].entry;
	const uint32_t rank = gg_get(word, GG_LAUNCH_RANK);
	struct gg_packet packet = device.waves[slot].packet;

	assert(gg_get(word, GG_LAUNCH_VALID) != 0);
	assert(word == fake_seen[sm].wave);
	uint64_t first = wave_share_first(entry, &packet, rank);
	uint32_t left = wave_share_starts(entry, &packet, rank);

	device.launch[sm].header.wave = 0;
	if (entry->open == 0) {
		wave_starts[sm][slot] = left;
		wave_ended[sm][slot] = 0;
	}
	do {
		packet.starts = wave_share_run(entry, left);
		left &= ~packet.starts;
		gg_split(&packet.first_lo, &packet.first_hi, first);
		packet.cga = wave_cga(sm, &device.waves[slot].packet, packet.starts);
		take_packet(sm, &packet);
		first += entry->stride;
	} while (left != 0);
}

uint32_t fake_take_packets(uint32_t sm)
{
	struct launch_rings *rings = &device.launch[sm];

	if (device.sms[sm].hart_state == GG_HART_STATE_STOPPED) {
		return fake_cta_count;
	}
	if (rings->header.wave != 0) {
		take_wave(sm, rings->header.wave);
	}
	assert(packets_taken[sm] == rings->header.launch_put ||
	       fake_seen[sm].packets == rings->header.launch_put);
	while (packets_taken[sm] != rings->header.launch_put) {
		take_packet(sm, &rings->packets[packets_taken[sm] % CP_LAUNCH_ENTRIES]);
		packets_taken[sm]++;
	}
	device.sms[sm].launch_get = packets_taken[sm];
	return fake_cta_count;
}

static void report(const struct fake_cta *cta, uint32_t starts, enum gg_status status)
{
	struct gg_sm_state *words = &device.sms[cta->sm];

	device.launch[cta->sm].reports[words->report_put % CP_LAUNCH_ENTRIES] = (struct gg_report){
		.task = cta->task,
		.starts = starts,
		.status = (uint32_t)status,
		.first_lo = gg_low(fake_hal.now),
		.last_lo = gg_low(fake_hal.now + 1),
		.cta_lo = gg_low(cta->cta),
		.cta_hi = gg_high(cta->cta),
	};
	words->report_put++;
	fake_bell(cta->sm);
}

void fake_wave_count(uint32_t sm, uint32_t slot, uint32_t ctas)
{
	struct gg_wave *entry = &device.waves[slot].entry;
	const uint32_t ticks = gg_low(fake_hal.now - gg_join(entry->since_lo, entry->since_hi));

	entry->first = ticks < entry->first ? ticks : entry->first;
	entry->last = ticks + 1 > entry->last ? ticks + 1 : entry->last;
	entry->left--;
	wave_starts[sm][slot] = 0;
	device.sms[sm].wave_ctas = ctas;
	device.sms[sm].wave_ack = entry->serial;
	if (entry->left == 0 || entry->open != 0) {
		fake_bell(sm);
	}
}

uint32_t fake_wave(uint32_t sm, uint32_t slot)
{
	if (device.waves[slot].entry.open != 0) {
		wave_starts[sm][slot] = 0;
	}
	return wave_starts[sm][slot];
}

void fake_wave_leave(uint32_t sm, uint32_t slot)
{
	wave_starts[sm][slot] = 0;
}

/* A CTA of a wave ends. True if the SM does not report it. */
static bool end_in_wave(const struct fake_cta *cta, enum gg_status status)
{
	const uint32_t starts = wave_starts[cta->sm][cta->slot];
	uint32_t *ended = &wave_ended[cta->sm][cta->slot];

	if (starts == 0) {
		return false;
	}
	if (status == GG_OK && device.waves[cta->slot].entry.open == 0) {
		const struct gg_cluster *words = &device.clusters[cta->sm];

		*ended |= cta->start;
		if (*ended == starts && words->come[0] != words->go[0]) {
			wave_starts[cta->sm][cta->slot] = 0;
			report(cta, *ended, GG_OK);
		} else if (*ended == starts) {
			fake_wave_count(cta->sm, cta->slot, bits_count(starts));
		}
		return true;
	}
	wave_starts[cta->sm][cta->slot] = 0;
	if (*ended != 0) {
		report(cta, *ended, GG_OK);
	}
	return false;
}

void fake_end(uint32_t index, enum gg_status status)
{
	const struct fake_cta cta = fake_ctas[index];

	assert(index < fake_cta_count);
	if (!end_in_wave(&cta, status)) {
		report(&cta, cta.start, status);
	}
	fake_ctas[index] = fake_ctas[--fake_cta_count];
}

void fake_look(void)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
			const struct fake_cta cta = {
				.sm = sm,
				.slot = slot,
				.task = gg_put(GG_PACKET_SLOT, slot) |
					gg_put(GG_PACKET_GENERATION, device.slots[slot].generation)
			};

			if (wave_starts[sm][slot] == 0 || device.waves[slot].entry.open == 0) {
				continue;
			}
			assert((fake_seen[sm].open >> slot & 1u) != 0);
			wave_starts[sm][slot] = 0;
			if (wave_ended[sm][slot] != 0) {
				report(&cta, wave_ended[sm][slot], GG_OK);
			}
		}
	}
}

bool fake_completion(struct gg_completion *completion)
{
	struct gg_post *post = device.post;

	if (post->get == post->put) {
		return false;
	}
	*completion = device.completions[post->get % CP_COMPLETION_ENTRIES];
	post->get++;
	return true;
}

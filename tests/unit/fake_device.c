/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_device.h"

#include <assert.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"

struct fake_cta fake_ctas[CP_SMS * 32];
uint32_t fake_cta_count;
void (*fake_take_streams)(uint32_t sm, const struct gg_packet *packet);

static uint32_t packets_taken[CP_SMS];

void fake_device_init(uint32_t sms)
{
	fake_cta_count = 0;
	memset(packets_taken, 0, sizeof(packets_taken));
	fake_memory_init(sms);
	fake_rooms_init();
}

void fake_post(uint32_t channel, struct gg_command command)
{
	struct gg_channel *words = &device.channels[channel];

	device.commands[channel].entries[words->put % CP_CHANNEL_ENTRIES] = command;
	words->put++;
	device.post->rung++;
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

static void take_packet(uint32_t sm, const struct gg_packet *packet)
{
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
			.cta = cta++,
			.first = first,
			.items = (starts & (starts - 1)) == 0 ? packet->queue_last : items,
		};
		first += items;
	}
}

uint32_t fake_take_packets(uint32_t sm)
{
	struct launch_rings *rings = &device.launch[sm];

	if (device.sms[sm].hart_state == GG_HART_STATE_STOPPED) {
		return fake_cta_count;
	}
	while (packets_taken[sm] != rings->header.launch_put) {
		take_packet(sm, &rings->packets[packets_taken[sm] % CP_LAUNCH_ENTRIES]);
		packets_taken[sm]++;
	}
	device.sms[sm].launch_get = packets_taken[sm];
	return fake_cta_count;
}

void fake_end(uint32_t index, enum gg_status status)
{
	const struct fake_cta cta = fake_ctas[index];
	struct gg_sm_state *words = &device.sms[cta.sm];

	assert(index < fake_cta_count);
	device.launch[cta.sm].reports[words->report_put % CP_LAUNCH_ENTRIES] = (struct gg_report){
		.task = cta.task,
		.starts = cta.start,
		.status = (uint32_t)status,
		.first_lo = gg_low(fake_hal.now),
		.last_lo = gg_low(fake_hal.now + 1),
		.cta_lo = gg_low(cta.cta),
		.cta_hi = gg_high(cta.cta),
	};
	words->report_put++;
	fake_bell(cta.sm);
	fake_ctas[index] = fake_ctas[--fake_cta_count];
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

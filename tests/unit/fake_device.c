/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_device.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/start/layout.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/start/pool.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/trace.h"
#include "hal/doorbell.h"
#include "hal/ipi.h"
#include "hal/timer.h"

#define TMDS   2048u               /* TMDs that are kept at once */
#define ALLOC  (4096 + TMDS * 256) /* where fake_alloc() begins */
#define GRAPHS 0x400000u           /* bytes for task graphs */
#define ASKED  100000u             /* looks at the clock in a turn: more are an endless loop */

struct fake_hal fake_hal;
struct fake_cta fake_ctas[CP_SMS * 32];
uint32_t fake_cta_count;
void (*fake_take_streams)(uint32_t sm, const struct gg_packet *packet);

static unsigned char *window;
static unsigned char *heap;
static unsigned char *units;
static void *pool;
static void *graphs;
static uint32_t next_tmd;
static uint32_t next_alloc;
static uint32_t packets_taken[CP_SMS];

uint64_t timer_now(void)
{
	assert(fake_hal.asked++ < ASKED);
	return ++fake_hal.now;
}

void ipi_send(uint32_t hart)
{
	assert(hart >= 1 && hart <= device.sms_count);
	fake_hal.sm_rings[hart - 1]++;
}

void doorbell_ring_host(void)
{
	fake_hal.host_rings++;
}

static void fake_memory(void)
{
	if (window == NULL) {
		window = aligned_alloc(4096, FAKE_WINDOW);
		heap = aligned_alloc(4096, FAKE_HEAP_SIZE);
		units = aligned_alloc(4096, CP_SMS * FAKE_UNITS_STRIDE);
		pool = calloc(FAKE_TASKS, pool_bytes_of_a_task());
		graphs = aligned_alloc(4096, GRAPHS);
		assert(graphs != NULL);
		assert(window != NULL && heap != NULL && units != NULL && pool != NULL);
	}
	memset(window, 0, FAKE_WINDOW);
	memset(heap, 0, FAKE_HEAP_SIZE);
}

static void fake_map(uint32_t sms)
{
	struct gg_cap *cap = (struct gg_cap *)window;
	const struct layout_input input = {
		.abi_base = 0x80080000u,
		.memory_end = 0xf0000000u,
		.sms = sms,
		.sm_area_bytes = 4096,
	};
	struct layout layout;

	cap->timebase_hz = 10000000;
	assert(layout_make(&input, cap, &layout) == GG_OK && cap->window_bytes <= FAKE_WINDOW);
	layout_map(cap, window);
	device.resources = (struct sm_resources){
		.ctas = 8, .warps = 64, .units = 32, .shared_bytes = 65536, .private_bytes = 2097152
	};
	device.unit_shared_shift = 11;
	device.unit_private_shift = 16;
	device.memory = heap;
	device.memory_base = FAKE_HEAP;
	device.memory_bytes = FAKE_HEAP_SIZE;
	device.units = units;
	device.units_base = FAKE_UNITS;
	device.units_stride = FAKE_UNITS_STRIDE;
	device.size_max = UINT64_MAX;
}

void fake_device_init(uint32_t sms)
{
	fake_memory();
	fake_hal = (struct fake_hal){ 0 };
	fake_cta_count = 0;
	next_tmd = 0;
	next_alloc = ALLOC;
	memset(packets_taken, 0, sizeof(packets_taken));
	device = (struct device){ 0 };
	fake_map(sms);
	pool_init(pool, (uint64_t)FAKE_TASKS * pool_bytes_of_a_task());
	graph_init(graphs, GRAPHS);
	loop_init();
	trace_switch(false);
	for (uint32_t sm = 0; sm < sms; sm++) {
		sm_state_add(sm);
	}
	config_init();
}

struct gg_tmd fake_tmd(uint32_t ctas)
{
	return (struct gg_tmd){
		.header = gg_put(GG_TMD_VERSION, GG_TMD_VERSION_1) | gg_put(GG_TMD_PRIORITY, 5),
		.entry_lo = FAKE_HEAP,
		.code_lo = FAKE_HEAP,
		.code_bytes = 4096,
		.grid_x = ctas,
		.grid_yz = 0x00010001,
		.block_xy = 0x00010001,
		.block_z = 1,
		.private_bytes = 1024,
	};
}

uint64_t fake_put_tmd(const struct gg_tmd *tmd)
{
	const uint32_t offset = 4096 + next_tmd++ % TMDS * 256;

	memcpy(heap + offset, tmd, sizeof(*tmd));
	return FAKE_HEAP + offset;
}

uint64_t fake_alloc(uint32_t bytes)
{
	const uint32_t offset = next_alloc;

	next_alloc += (bytes + 255) / 256 * 256;
	assert(next_alloc <= FAKE_HEAP_SIZE);
	return FAKE_HEAP + offset;
}

void *fake_at(uint64_t address)
{
	return heap + (address - FAKE_HEAP);
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
	while (loop_turn()) {
		assert(limit-- > 0);
		fake_hal.asked = 0;
	}
}

void fake_bell(uint32_t sm)
{
	((unsigned char *)device.bells)[sm]++;
}

bool fake_acknowledge(uint32_t sm)
{
	struct gg_sm_state *words = &device.sms[sm];

	if (words->sync_ack == words->task_assign || words->hart_state == GG_HART_STATE_STOPPED) {
		return false;
	}
	words->sync_ack = words->task_assign;
	fake_bell(sm);
	return true;
}

void fake_acknowledge_all(void)
{
	bool any = true;

	while (any) {
		fake_settle(1000);
		any = false;
		for (uint32_t sm = 0; sm < device.sms_count; sm++) {
			any |= fake_acknowledge(sm);
		}
	}
}

static void take_packet(uint32_t sm, const struct gg_packet *packet)
{
	const uint32_t slot = gg_get(packet->task, GG_PACKET_SLOT);
	const struct gg_tmd *tmd = (const struct gg_tmd *)(uintptr_t)gg_join(
		device.slots[slot].tmd_lo, device.slots[slot].tmd_hi);
	const uint32_t items = gg_get(tmd->queue_items, GG_TMD_QUEUE_ITEMS);
	uint64_t cta = gg_join(packet->first_lo, packet->first_hi);
	uint32_t first = packet->queue_position;

	assert(device.sms[sm].sync_ack == device.sms[sm].task_assign); /* S0-C2 */
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

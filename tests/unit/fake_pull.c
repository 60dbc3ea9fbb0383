/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_pull.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/pull/local_queue.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

struct fake_hand fake_hands[CP_SMS][CP_SLOTS];
uint32_t fake_packets;
uint32_t fake_reports;
uint64_t fake_items;
uint8_t fake_marks[FAKE_MARKS];
bool fake_by_tag;

#define NOT_AN_ITEM 0x80000000u /* in the high word of pull.running */

/* As SMs do: what is in hand is in the PULL block. */
static void show_hand(uint32_t sm, uint32_t slot)
{
	const struct fake_hand *hand = &fake_hands[sm][slot];
	struct gg_hand *words = (struct gg_hand *)(void *)&device.pulls[sm].hands[16 * slot];

	words->id = hand->task;
	gg_split(&words->first_lo, &words->first_hi, hand->next);
	words->items = (uint32_t)hand->left;
	words->left = (uint32_t)hand->left;
}

static void show_running(uint32_t sm, uint32_t unit, uint64_t item)
{
	uint32_t *running = &device.pulls[sm].running[2 * unit];

	device.pulls[sm].last[unit] = gg_low(item);
	gg_split(&running[0], &running[1], item);
}

static void run_own(uint32_t sm, struct fake_hand *hand, const struct gg_packet *packet)
{
	uint32_t starts = packet->starts;
	const uint32_t items = gg_get(packet->pull, GG_PACKET_PULL_ITEMS);

	for (uint32_t at = 0; at < items; at++) {
		hand->running[bits_lowest(starts)] = packet->first_lo + at;
		hand->busy |= bits_isolate(starts);
		show_running(sm, bits_lowest(starts), packet->first_lo + at);
		starts &= starts - 1;
	}
}

static void take_streams(uint32_t sm, const struct gg_packet *packet)
{
	struct fake_hand *hand = &fake_hands[sm][gg_get(packet->task, GG_PACKET_SLOT)];
	const uint64_t items = gg_get(packet->pull, GG_PACKET_PULL_ITEMS);

	assert_true(gg_get(packet->pull, GG_PACKET_PULL_VALID) == 1);
	assert_true(hand->streams == 0 || hand->task == packet->task);
	assert_int_equal(hand->streams & packet->starts, 0);
	if (items != 0 && hand->left != 0) {
		/* an item for each stream, since there is one chunk in hand at a time */
		assert_true(items <= bits_count(packet->starts));
		run_own(sm, hand, packet);
	} else if (items != 0) {
		hand->next = gg_join(packet->first_lo, packet->first_hi);
		hand->left = items;
	}
	for (uint32_t starts = packet->starts & ~hand->busy; starts != 0; starts &= starts - 1) {
		show_running(sm, bits_lowest(starts), (uint64_t)NOT_AN_ITEM << 32);
	}
	hand->task = packet->task;
	show_hand(sm, gg_get(packet->task, GG_PACKET_SLOT));
	hand->streams |= packet->starts;
	hand->more |= gg_get(packet->pull, GG_PACKET_PULL_MORE) != 0 ? packet->starts : 0;
	fake_packets++;
}

void fake_pull_init(uint32_t sms, bool atomics)
{
	fake_device_init(sms);
	memset(fake_hands, 0, sizeof(fake_hands));
	memset(fake_marks, 0, sizeof(fake_marks));
	fake_packets = fake_reports = 0;
	fake_items = 0;
	fake_by_tag = false;
	fake_take_streams = take_streams;
	for (uint32_t sm = 0; sm < sms; sm++) {
		device.sms[sm].features = atomics ? 1u << GG_FEATURE_ATOMICS : 0;
	}
}

void fake_pull_init_waves(uint32_t sms)
{
	fake_pull_init(sms, true);
	device.cap->features |= 1u << GG_FEATURE_ATOMICS;
}

struct gg_tmd fake_pull_grid(uint32_t ctas, uint32_t chunk)
{
	struct gg_tmd tmd = fake_with_mode(fake_tmd(ctas), GG_TASK_MODE_PULL);

	tmd.chunk = chunk;
	return tmd;
}

static struct work_entry *entry_of(uint32_t slot)
{
	return (struct work_entry *)(void *)&device.work[slot];
}

static enum work_result pull(uint32_t sm, uint32_t slot, struct work_grant *grant)
{
	struct local_queue *local =
		(struct local_queue *)(void *)&device.locals[sm_state_gpc(sm) * CP_SLOTS + slot];
	enum work_result result = local_take(local, entry_of(slot), sm, 0, NULL, grant);

	if (result == WORK_NOT_APPROVED || result == WORK_WAIT) {
		result = work_pull(entry_of(slot), sm, 0, NULL, grant);
	}
	return result;
}

/* Whether a stream has an item to run. */
static bool has_item(uint32_t sm, uint32_t slot, struct fake_hand *hand, bool more)
{
	struct work_grant grant;

	if (!work_approved(entry_of(slot), sm) || device.slots[slot].status != 0) {
		return false;
	}
	if (hand->left == 0 && more && pull(sm, slot, &grant) == WORK_GRANTED) {
		assert_int_equal(grant.id, hand->task);
		hand->next = grant.first;
		hand->left = grant.items;
	}
	return hand->left != 0;
}

static void report(uint32_t sm, struct fake_hand *hand, enum gg_status status)
{
	struct gg_sm_state *words = &device.sms[sm];
	const bool last = hand->streams == 0;
	const uint64_t rest = last ? hand->left : 0;

	device.launch[sm].reports[words->report_put++ % CP_LAUNCH_ENTRIES] = (struct gg_report){
		.task = hand->task,
		.starts = hand->ended,
		.status = (uint32_t)status,
		.first_lo = gg_low(fake_hal.now),
		.last_lo = gg_low(fake_hal.now + 1),
		.cta_lo = gg_low(hand->next),
		.cta_hi = gg_high(hand->next),
		.pull_ctas = hand->ctas,
		.pull_rest = (uint32_t)rest | (last ? GG_REPORT_PULL_LAST : 0),
	};
	hand->ended = 0;
	hand->ctas = 0;
	hand->left = last ? 0 : hand->left;
	show_hand(sm, gg_get(hand->task, GG_PACKET_SLOT));
	fake_reports++;
	fake_bell(sm);
	fake_settle(1000);
}

/* An SM of a closed wave counts itself when all of its streams have ended, with nothing in hand. */
static void count(uint32_t sm, uint32_t slot, struct fake_hand *hand)
{
	assert_int_equal(hand->left, 0);
	fake_wave_count(sm, slot, (uint32_t)hand->ctas);
	hand->ended = 0;
	hand->ctas = 0;
	fake_settle(1000);
}

/* An SM that was told to end reports each stream at once; another one its last. */
static void report_ended(uint32_t sm, uint32_t slot, struct fake_hand *hand)
{
	const bool stopped = device.slots[slot].status != 0;
	const bool hurry = stopped || !work_approved(entry_of(slot), sm);

	if (hand->ended != 0 && stopped) {
		fake_wave_leave(sm, slot);
	}
	if (hand->ended != 0 && fake_wave(sm, slot) != 0) {
		if (hand->ended == fake_wave(sm, slot)) {
			count(sm, slot, hand);
		}
	} else if (hand->ended != 0 && (hand->streams == 0 || hurry)) {
		report(sm, hand, stopped ? GG_ERR_CANCELLED : GG_OK);
	}
}

bool fake_pull_begin(uint32_t sm)
{
	bool any = false;

	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		struct fake_hand *hand = &fake_hands[sm][slot];
		uint32_t idle = hand->streams & ~hand->busy;

		for (; idle != 0; idle &= idle - 1) {
			const uint32_t bit = bits_isolate(idle);

			if (has_item(sm, slot, hand, (hand->more & bit) != 0)) {
				show_running(sm, bits_lowest(idle), hand->next);
				hand->running[bits_lowest(idle)] = hand->next++;
				hand->left--;
				show_hand(sm, slot);
				hand->busy |= bit;
			} else {
				hand->streams &= ~bit;
				hand->more &= ~bit;
				hand->ended |= bit;
			}
		}
		any = any || hand->streams != 0;
		report_ended(sm, slot, hand);
	}
	return any;
}

static void mark(uint32_t slot, uint64_t item)
{
	const uint64_t place =
		fake_by_tag ? device.slots[slot].tag % FAKE_SMALL * FAKE_SMALL + item : item;

	if (place < FAKE_MARKS) {
		fake_marks[place]++;
	}
}

static void done(uint32_t sm, uint32_t slot, struct fake_hand *hand)
{
	const uint32_t bit = bits_isolate(hand->busy);

	hand->busy &= ~bit;
	show_running(sm, bits_lowest(bit), (uint64_t)NOT_AN_ITEM << 32);
	if (device.slots[slot].status == 0) {
		hand->ctas++;
		fake_items++;
		mark(slot, hand->running[bits_lowest(bit)]);
	}
}

void fake_pull_begin_all(void)
{
	fake_take_all();
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		fake_pull_begin(sm);
	}
}

void fake_pull_done(uint32_t sm, uint32_t ctas)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		struct fake_hand *hand = &fake_hands[sm][slot];

		while (hand->busy != 0 && ctas != 0) {
			done(sm, slot, hand);
			ctas--;
		}
	}
	fake_pull_begin(sm);
}

uint32_t fake_streams(uint32_t sm, uint32_t slot)
{
	return bits_count(fake_hands[sm][slot].streams);
}

void fake_pull_finish(void)
{
	bool any = true;

	while (any) {
		fake_stop_all();
		fake_look();
		any = fake_take_all() != 0;
		fake_end_all();
		for (uint32_t sm = 0; sm < device.sms_count; sm++) {
			any = fake_pull_begin(sm) || any;
			fake_pull_done(sm, 32);
		}
	}
}

void fake_pull_lose(uint32_t sm)
{
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm == sm) {
			fake_ctas[index] = fake_ctas[--fake_cta_count];
		}
	}
	memset(fake_hands[sm], 0, sizeof(fake_hands[sm]));
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		fake_wave_leave(sm, slot);
	}
	device.sms[sm].hart_state = GG_HART_STATE_STOPPED;
	fake_bell(sm);
	fake_settle(1000);
}

void fake_pull_expect_tag(uint32_t tag, uint32_t items)
{
	uint8_t *marks = &fake_marks[tag % FAKE_SMALL * FAKE_SMALL];

	for (uint32_t item = 0; item < FAKE_SMALL; item++) {
		if (marks[item] != (item < items)) {
			fail_msg("item %u of %u was done %u times", item, items, marks[item]);
		}
	}
	memset(marks, 0, FAKE_SMALL);
}

void fake_pull_expect_once(uint64_t items)
{
	for (uint64_t item = 0; item < items; item++) {
		if (fake_marks[item] != 1) {
			fail_msg("item %llu was done %u times", (unsigned long long)item,
				 fake_marks[item]);
		}
	}
	assert_true(items == FAKE_MARKS || fake_marks[items] == 0);
	memset(fake_marks, 0, items);
}

void fake_pull_expect_nothing_left(void)
{
	fake_expect_none();
	assert_int_equal(task_table_free(), CP_SLOTS);
	assert_int_equal(pull_slots(), 0);
	assert_int_equal(range_free(), CP_RANGES);
	assert_int_equal(sm_state_resident(), 0);
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		assert_int_equal(device.work[slot].state, WORK_FREE);
		for (uint32_t gpc = 0; gpc < CP_GPCS; gpc++) {
			assert_int_equal(pull_local(gpc, slot)->state, 0);
		}
	}
}

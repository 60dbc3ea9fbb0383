/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_streams.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/position.h"
#include "firmware/sm/schedule.h"
#include "hal/ipi.h"
#include "hal/timer.h"

struct streams streams;
static struct gg_cta blocks[STREAMS_SMS][SM_UNITS_MAX];

/* The capability block, and behind it the others. */
static struct {
	struct gg_cap cap;
	struct gg_config config;
	struct work_entry work[SM_SLOTS];
	struct local_queue local[2 * SM_SLOTS];
	struct gg_pull pull[STREAMS_SMS];
	struct gg_launch launch[STREAMS_SMS];
	struct gg_report reports[STREAMS_SMS][STREAMS_RING];
	struct gg_sm_state state[STREAMS_SMS];
	uint8_t bells[STREAMS_SMS];
} device __attribute__((aligned(64)));

void streams_prime(uint32_t sm)
{
	struct sm_task *task = &streams.sm[sm].tasks[STREAMS_SLOT];

	pull_prime(task);
	task->flat = position_is_flat(task);
}

static void init_sm(uint32_t number, uint32_t near)
{
	struct sm *sm = &streams.sm[number];

	device.config.group[number] = gg_put(GG_CONFIG_GPC, number < near ? 0 : 1);
	sm->boot.sm = number;
	sm->boot.slice_ticks = 1000;
	sm->cap = &device.cap;
	sm->pull = &device.pull[number];
	sm->rings = &device.launch[number];
	sm->reports = device.reports[number];
	sm->state = &device.state[number];
	sm->bell = &device.bells[number];
	sm->primes = 1;
	sm->tasks[STREAMS_SLOT] = (struct sm_task){
		.tmd = &streams.tmd, .name = STREAMS_NAME, .primed = 1, .batch = 1
	};
	hand_init(sm);
	streams_prime(number);
}

void streams_init(uint32_t near)
{
	memset(&streams, 0, sizeof(streams));
	memset(&device, 0, sizeof(device));
	device.cap.sm_units = SM_UNITS_MAX;
	device.cap.launch_entries = STREAMS_RING;
	device.cap.config_offset = (uint32_t)((uintptr_t)&device.config - (uintptr_t)&device.cap);
	device.cap.work_offset = (uint32_t)((uintptr_t)device.work - (uintptr_t)&device.cap);
	device.cap.local_offset = (uint32_t)((uintptr_t)device.local - (uintptr_t)&device.cap);
	device.config.far_ticks = 50;
	device.config.latency[1] = 100;
	streams.tmd.header = gg_put(GG_TMD_MODE, GG_TASK_MODE_PULL);
	streams.tmd.grid_x = 16;
	streams.tmd.grid_yz = gg_put(GG_TMD_GRID_Y, 16) | gg_put(GG_TMD_GRID_Z, 16);
	for (uint32_t number = 0; number < STREAMS_SMS; number++) {
		init_sm(number, near);
	}
}

void streams_flat(void)
{
	streams.tmd.grid_x = STREAMS_ITEMS;
	streams.tmd.grid_yz = gg_put(GG_TMD_GRID_Y, 1) | gg_put(GG_TMD_GRID_Z, 1);
	for (uint32_t number = 0; number < STREAMS_SMS; number++) {
		streams_prime(number);
	}
}

struct work_entry *streams_entry(void)
{
	return &device.work[STREAMS_SLOT];
}

struct local_queue *streams_local(void)
{
	return &device.local[SM_SLOTS + STREAMS_SLOT];
}

struct gg_pull *streams_block(uint32_t sm)
{
	return &device.pull[sm];
}

void streams_place(uint64_t first, uint64_t items, uint32_t fixed)
{
	uint32_t all[WORK_SM_WORDS] = { (1u << STREAMS_SMS) - 1 }, group[WORK_SM_WORDS] = { 0 };
	const struct work_order order = {
		.id = STREAMS_NAME,
		.first = first,
		.items = items,
		.groups = 2,
		.policy = { .fixed = fixed },
		.approved = all,
		.words = WORK_SM_WORDS,
	};

	for (uint32_t sm = 0; sm < STREAMS_SMS; sm++) {
		group[0] |= gg_get(device.config.group[sm], GG_CONFIG_GPC) << sm;
	}
	if (work_place(streams_entry(), &order, &streams.seen) != GG_OK) {
		__builtin_trap();
	}
	(void)local_open(streams_local(), streams_entry(), group, 1);
	work_open(streams_entry());
}

void streams_approve(uint32_t sm, bool approved)
{
	uint32_t *word = &streams_entry()->approved[0];

	*word = approved ? *word | 1u << sm : *word & ~(1u << sm);
}

void streams_send(uint32_t sm, uint32_t starts, uint64_t first, uint32_t items, bool more)
{
	const struct gg_packet packet = {
		.task = STREAMS_NAME,
		.starts = starts,
		.units = 1,
		.first_lo = gg_low(first),
		.first_hi = gg_high(first),
		.pull = GG_PACKET_PULL_VALID | (more ? GG_PACKET_PULL_MORE : 0) |
			gg_put(GG_PACKET_PULL_ITEMS, items),
	};

	pull_packet(&streams.sm[sm], &packet);
}

bool streams_begin(uint32_t sm, uint32_t unit)
{
	struct sm_cta *cta = &streams.sm[sm].ctas[unit];

	streams.sm[sm].now = streams.clock;
	if (!pull_next(&streams.sm[sm], cta)) {
		streams_end(sm, unit, GG_OK);
		return false;
	}
	cta->state = SM_CTA_STARTED;
	cta->start = streams.clock;
	cta->block = (uintptr_t)&blocks[sm][unit];
	blocks[sm][unit].cta_linear = cta->linear;
	blocks[sm][unit].last = gg_low(cta->linear) + cta->more;
	return true;
}

/* What the SM has not seen when it is lost is not done. */
static void done_from(uint64_t item, const struct sm_cta *cta, bool ended)
{
	const bool next = (cta->stream & SM_STREAM_OWN) != 0;
	const uint64_t end = cta->launch + (ended && !next ? 1 : 0);

	for (; item < end; item++) {
		if (item < STREAMS_ITEMS) {
			streams.runs[item]++;
		} else {
			streams.outside++;
		}
	}
}

/* The kernel goes on by as many CTAs, or to the end of its run. */
static void go_on(struct gg_cta *block, uint32_t passed)
{
	const uint32_t most = block->last - gg_low(block->cta_linear);

	block->cta_linear += passed < most ? passed : most;
}

void streams_trap(uint32_t sm, uint32_t unit, uint32_t passed)
{
	struct sm_cta *cta = &streams.sm[sm].ctas[unit];
	const uint64_t first = cta->launch;

	streams.sm[sm].now = streams.clock;
	go_on(&blocks[sm][unit], passed);
	run_settle(&streams.sm[sm], cta);
	done_from(first, cta, false);
}

/* As cta.c does. */
void streams_end(uint32_t sm, uint32_t unit, int32_t status)
{
	struct sm *me = &streams.sm[sm];
	struct sm_task *task = &me->tasks[STREAMS_SLOT];
	struct sm_cta *cta = &me->ctas[unit];

	me->now = streams.clock;
	if (status == GG_OK && cta->state == SM_CTA_STARTED) {
		const uint64_t first = cta->launch;

		go_on(&blocks[sm][unit], streams.goes_on ? UINT32_MAX : 0);
		pull_ended(me, cta);
		done_from(first, cta, true);
		return;
	}
	if (cta->state == SM_CTA_STREAM) {
		cta->start = me->now;
	}
	schedule_remove(me, cta);
	pull_leave(me, cta, status);
	cta->state = SM_CTA_FREE;
	task->resident--;
	report_gather(me, cta, status, 0);
	if (status == GG_OK) {
		pull_left(me, task);
	}
	report_settle(me, task);
}

uint32_t streams_run(uint32_t sm)
{
	uint32_t ctas = 0;

	while (streams.sm[sm].tasks[STREAMS_SLOT].resident != 0) {
		for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
			if (streams.sm[sm].ctas[unit].state != SM_CTA_FREE &&
			    streams_begin(sm, unit)) {
				ctas++;
				streams_end(sm, unit, GG_OK);
			}
		}
	}
	return ctas;
}

const struct gg_report *streams_report(uint32_t sm)
{
	if (streams.get[sm] == device.state[sm].report_put) {
		return NULL;
	}
	device.launch[sm].report_get = streams.get[sm] + 1;
	return &device.reports[sm][streams.get[sm]++ % STREAMS_RING];
}

static uint32_t add(uint64_t *items, uint32_t count, uint64_t item)
{
	uint32_t place = count;

	for (uint32_t at = 0; at < count; at++) {
		if (items[at] == item) {
			return count;
		}
	}
	for (; place > 0 && items[place - 1] > item; place--) {
		items[place] = items[place - 1];
	}
	items[place] = item;
	return count + 1;
}

uint32_t streams_uncompleted(uint32_t sm, uint32_t starts, uint64_t *items)
{
	const struct gg_pull *block = &device.pull[sm];
	const struct gg_hand *hand = (const struct gg_hand *)&block->hands[16 * STREAMS_SLOT];
	const uint64_t end = gg_join(hand->first_lo, hand->first_hi) + hand->items;
	uint32_t count = 0;

	for (uint64_t item = end - hand->left; hand->left != 0 && item < end; item++) {
		count = add(items, count, item);
	}
	for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
		const uint32_t high = block->running[2 * unit + 1];

		if ((starts >> unit & 1u) != 0 && (high & HAND_NONE) == 0) {
			const uint32_t low = block->running[2 * unit];

			for (uint32_t at = 0; at <= block->last[unit] - low; at++) {
				count = add(items, count, gg_join(low, high) + at);
			}
		}
	}
	return count;
}

const struct hand *streams_hand(uint32_t sm)
{
	return hand_of(&streams.sm[sm], STREAMS_SLOT);
}

void streams_expect_runs(uint64_t first, uint64_t items)
{
	for (uint64_t item = 0; item < STREAMS_ITEMS; item++) {
		assert(streams.runs[item] == (item >= first && item - first < items));
	}
	assert(streams.outside == 0);
}

/* ---- the rest of the runtime ---- */

uint64_t timer_now(void)
{
	return streams.clock++;
}

void ipi_send(uint32_t hart)
{
	(void)hart;
	streams.bells++;
}

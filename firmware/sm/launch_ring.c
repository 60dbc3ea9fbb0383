/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/launch_ring.h"

#include "firmware/abi/field.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/cta.h"
#include "firmware/sm/park/park.h"
#include "firmware/sm/position.h"
#include "firmware/sm/protect.h"
#include "firmware/sm/pull/pull.h"
#include "firmware/sm/report.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/units.h"
#include "firmware/sm/wave.h"
#include "firmware/sm/wave_share.h"
#include "hal/fence.h"
#include "hal/mmio.h"

/* As long as CTAs of the task are resident it is the same task as before, and its state stays valid. */
static void launch_ring_prime(struct sm *sm, uint32_t number, uint32_t units)
{
	const struct gg_slot *slot = &sm->slots[number];
	struct sm_task *task = &sm->tasks[number];

	if (task->resident != 0) {
		return;
	}
	sm_assert(task->gathered.starts == 0);
	sm->primes++;
	task->tmd = (const struct gg_tmd *)(uintptr_t)gg_join(slot->tmd_lo, slot->tmd_hi);
	task->entry = (uintptr_t)gg_join(task->tmd->entry_lo, task->tmd->entry_hi);
	task->name =
		gg_put(GG_PACKET_SLOT, number) | gg_put(GG_PACKET_GENERATION, slot->generation);
	task->primed = sm->primes;
	task->tag = slot->tag;
	task->batch = slot->batch;
	task->limit = slot->limit_ticks;
	task->items = gg_get(task->tmd->header, GG_TMD_TYPE) == GG_TASK_TYPE_QUEUE
			      ? gg_get(task->tmd->queue_items, GG_TMD_QUEUE_ITEMS)
			      : 0;
	protect_prime(sm, task, units);
	pull_prime(task);
	task->flat = position_is_flat(task);
	task->bare = task->flat && task->items == 0 && task->tmd->coalesce_us == 0;
	fence_i(); /* the task's code may have been written since the last fence */
}

/* The CP has sent a packet with another assignment than the last: takes the state of the task and acknowledges it. The
 * CP hears of that when the SM next rings. */
static void launch_ring_assignment(struct sm *sm, uint32_t assign, uint32_t units)
{
	const uint32_t number = gg_get(assign, GG_SM_STATE_SLOT);

	sm->assigned = assign;
	if (mmio_read32(&sm->state->share_sequence) != sm->share_sequence) {
		sm_assert(sm->arrived + sm->blocked == 0);
		units_take_share(sm);
		protect_forget(sm);
	}
	sm_assert(number < SM_SLOTS);
	launch_ring_prime(sm, number, units);
	fence_release(); /* the task's state is read before the acknowledgement is written */
	mmio_write32(&sm->state->sync_ack, assign);
}

/* Queue task: give a CTA its items and go on to those of the next one. Words are copied one by one, because the copy
 * of a struct is a call of memcpy, which is more code. */
static SM_APART void launch_ring_items(struct sm_cta *cta, struct sm_items *items)
{
	cta->items.position = items->position;
	cta->items.place = items->place;
	cta->items.count = items->count;
	position_items_next(cta->task, items);
}

static void launch_ring_ctas(struct sm *sm, const struct gg_packet *packet, struct sm_task *task,
			     uint32_t starts, uint64_t first)
{
	const bool queued = task->items != 0;
	const bool bare = task->bare;
	uint64_t launch = first;
	struct sm_cta *cta = sm->ctas;
	uint32_t unit = 0;
	struct sm_items items;

	if (queued) {
		position_items(task, packet->queue_position, &items);
	}
	for (; starts != 0; starts >>= 1, unit++, cta++) {
		if ((starts & 1u) == 0) {
			continue;
		}
		schedule_arrive(sm, packet, task, cta, unit);
		position_take(&sm->raster, cta, launch);
		launch++;
		if (bare) {
			continue;
		}
		if (queued) {
			items.count = starts == 1 ? packet->queue_last : items.count;
			launch_ring_items(cta, &items);
		}
		if (packet->cga != 0) {
			cga_join(sm, cta);
		}
	}
	schedule_arrived(sm, task, gg_low(launch - first));
}

/* Whether all CTAs of a packet lie in the units of the SM. */
static bool launch_ring_fits(const struct sm *sm, const struct gg_packet *packet)
{
	const uint32_t last = sm->cap->sm_units - packet->units; /* where one can start at most */

	return last < sm->cap->sm_units && packet->starts >> last >> 1 == 0;
}

/* A packet whose units are no new CTAs. */
static SM_COLD void launch_ring_others(struct sm *sm, const struct gg_packet *packet,
				       struct sm_task *task)
{
	if (gg_get(packet->pull, GG_PACKET_PULL_VALID) != 0) {
		pull_packet(sm, packet);
	} else if (task->name == packet->task) {
		park_packet(sm, packet, task);
	}
}

/* `starts` and `first` are those of the packet, or the SM's own of a wave's. */
static void launch_ring_packet(struct sm *sm, const struct gg_packet *packet, uint32_t starts,
			       uint64_t first)
{
	const uint32_t slot = gg_get(packet->task, GG_PACKET_SLOT);
	struct sm_task *task = &sm->tasks[slot];

	if (packet->assign != sm->assigned) {
		if (gg_get(packet->pull, GG_PACKET_PARK_SAVE) != 0) {
			launch_ring_others(sm, packet,
					   task); /* the task may have ended meanwhile */
			return;
		}
		launch_ring_assignment(sm, packet->assign, packet->units);
	}
	sm_assert(slot < SM_SLOTS && task->name == packet->task && task->primed != 0 &&
		  launch_ring_fits(sm, packet));
	if (packet->pull != 0) {
		launch_ring_others(sm, packet, task);
	} else {
		launch_ring_ctas(sm, packet, task, starts, first);
	}
}

/* The SM's share of a wave. It takes the task's state in any case: the same assignment may have come long ago. */
static SM_APART void launch_ring_wave(struct sm *sm, uint32_t word)
{
	const uint32_t slot = gg_get(word, GG_LAUNCH_SLOT);
	const uint32_t rank = gg_get(word, GG_LAUNCH_RANK);
	const struct gg_wave *entry = wave_entry(sm, slot);
	const struct gg_packet *packet = (const struct gg_packet *)(entry + 1);
	const uint32_t starts = wave_share_starts(entry, packet, rank);
	uint64_t first = wave_share_first(entry, packet, rank);
	uint32_t left = starts;

	sm->assigned = 0;
	do {
		const uint32_t run = wave_share_run(entry, left);

		launch_ring_packet(sm, packet, run, first);
		first += entry->stride;
		left &= ~run;
	} while (left != 0);
	wave_join(sm, &sm->tasks[slot], starts);
	fence_release(); /* the entry is read before the word is cleared */
	mmio_write32(&sm->rings->wave, 0);
	sm->idle_yields = 0;
}

void launch_ring_take(struct sm *sm)
{
	const uint32_t entries = sm->cap->launch_entries;
	const uint32_t put = mmio_read32(&sm->rings->launch_put);

	if (SM_WAVES != 0) {
		fence_acquire(); /* a wave that came before the packets is taken before them */
		const uint32_t wave = mmio_read32(&sm->rings->wave);

		if (wave != 0) {
			fence_acquire(); /* the word before the entry that it leads to */
			launch_ring_wave(sm, wave);
		}
	}
	if (put == sm->launch_get) {
		return;
	}
	sm_assert(put - sm->launch_get <= entries);
	fence_acquire(); /* read the count before the packets that it shows */
	while (sm->launch_get != put) {
		const struct gg_packet *packet = &sm->packets[sm->launch_get & (entries - 1)];

		launch_ring_packet(sm, packet, packet->starts,
				   gg_join(packet->first_lo, packet->first_hi));
		sm->launch_get++;
	}
	fence_release(); /* the packets are read before their places become free */
	mmio_write32(&sm->state->launch_get, put);
	sm->idle_yields = 0;
}

static SM_COLD void launch_ring_obey(struct sm *sm, uint32_t stop)
{
	const uint32_t slot = gg_get(stop, GG_PACKET_SLOT);

	sm->stopped = stop;
	fence_acquire(); /* see all that the CP launched before it wrote the word: none of it may start after this */
	launch_ring_take(sm);
	sm_assert(
		slot <
		SM_SLOTS); /* any other asks the SM itself to stop, as it would on a bug of its own */
	if (sm->tasks[slot].name == (stop & ~(GG_SM_STATE_STOP_TURN | GG_SM_STATE_STOP_MEMBERS))) {
		cta_cancel(sm, &sm->tasks[slot], (stop & GG_SM_STATE_STOP_MEMBERS) != 0);
		report_settle(sm, &sm->tasks[slot]);
	}
	fence_release();
	mmio_write32(&sm->state->stop_ack, stop);
	bell_note(sm);
}

void launch_ring_stop(struct sm *sm)
{
	const uint32_t stop = mmio_read32(&sm->state->stop_slot);

	if (stop != sm->stopped) {
		launch_ring_obey(sm, stop);
	}
}

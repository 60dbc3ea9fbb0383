/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/wave.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/pull/pull.h"
#include "hal/atomic.h"
#include "hal/fence.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"

static uint32_t wave_slot(const struct sm_task *task)
{
	return gg_get(task->name, GG_PACKET_SLOT);
}

struct gg_wave *wave_entry(const struct sm *sm, uint32_t slot)
{
	return (struct gg_wave *)((uintptr_t)sm->cap + sm->cap->wave_offset +
				  slot * (sizeof(struct gg_wave) + sizeof(struct gg_packet)));
}

/* A wave that is open already is reported as any other packet. */
void wave_join(struct sm *sm, struct sm_task *task, uint32_t starts)
{
	if (mmio_read32(&wave_entry(sm, wave_slot(task))->open) == 0) {
		sm->wave = task;
		sm->wave_starts = starts;
		task->batch = UINT32_MAX;
	}
}

static void wave_leave(struct sm *sm, struct sm_task *task)
{
	sm->wave = NULL;
	task->batch = sm->slots[wave_slot(task)].batch;
}

SM_COLD struct sm_task *wave_look(struct sm *sm)
{
	struct sm_task *task = sm->wave;

	if (mmio_read32(&wave_entry(sm, wave_slot(task))->open) == 0) {
		return NULL;
	}
	wave_leave(sm, task);
	return task;
}

/* Whether all CTAs of the packet have ended well, and their times can be told in 32 bits. Streams have run what they
 * took, and nothing was left to take. */
static bool wave_is_through(const struct sm *sm, const struct sm_task *task, uint64_t since)
{
	const struct sm_gathered *gathered = &task->gathered;

	return gathered->starts == sm->wave_starts && gathered->status == GG_OK &&
	       gg_high(gathered->last - since) == 0 && (!task->pull || pull_is_through(task));
}

/* Counts this SM in the wave of a slot. Returns whether it is the last and has to ring: a launch unit rings itself. */
static bool wave_last(struct gg_wave *entry, uint32_t slot)
{
	if (launch_unit_here()) {
		launch_unit_count(slot);
		return false;
	}
	return atomic_add(&entry->left, UINT32_MAX) == 1;
}

/* All that is read of the entry is read before the SM counts itself, because the next wave may begin after that. */
bool wave_count(struct sm *sm, struct sm_task *task)
{
	struct gg_wave *entry = wave_entry(sm, wave_slot(task));
	const uint64_t since = gg_join(entry->since_lo, entry->since_hi);
	const uint32_t serial = entry->serial;

	wave_leave(sm, task);
	if (!wave_is_through(sm, task, since)) {
		return false;
	}
	atomic_least(&entry->first, gg_low(task->gathered.first - since));
	atomic_most(&entry->last, gg_low(task->gathered.last - since));
	const bool last = wave_last(entry, wave_slot(task));

	mmio_write32(&sm->state->wave_ctas, task->gathered.ctas);
	fence_release(); /* the number before the word that says whose it is */
	mmio_write32(&sm->state->wave_ack, serial);
	fence_full();
	if (last || mmio_read32(&entry->open) != 0) {
		bell_note(sm);
	}
	return true;
}

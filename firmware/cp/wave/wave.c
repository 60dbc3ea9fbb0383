/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/wave/wave.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave_out.h"
#include "hal/fence.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"

uint32_t wave_slots;
uint32_t wave_closed;
uint32_t wave_behind;

static uint32_t fresh; /* open ones that wave_look() has not looked at */

void wave_init(void)
{
	wave_slots = 0;
	wave_closed = 0;
	wave_behind = 0;
	fresh = 0;
	wave_serial = 0;
	wave_wanted = false;
}

void wave_walk(void)
{
	wave_wanted = false;
}

__attribute__((cold, noinline)) void wave_settle_slot(uint32_t slot)
{
	struct wave *wave = &wave_out[slot];
	struct task *task = task_table_holder(slot);
	const struct gg_wave *entry = &device.waves[slot].entry;
	const struct gg_packet *packet = &device.waves[slot].packet;
	uint64_t first = gg_join(packet->first_lo, packet->first_hi);
	uint32_t more = entry->extra;

	wave_set_behind(wave_behind & ~(1u << slot));
	sm_state_return(wave->sms, wave->ctas);
	for (uint32_t rank = 0; bits_next(wave->ranks, device.sm_words, &rank); rank++) {
		const uint32_t sm = sm_state_sm(rank);
		const uint32_t ctas = entry->each + (more != 0 ? wave_more(entry) : 0);

		launch_out[sm][slot] = sm_state_reserve(sm, task, ctas);
		sm_state_assign_as(sm, packet->assign);
		if (retry_is_on(task)) {
			retry_note(task, sm, launch_out[sm][slot], first);
			first += ctas;
		}
		more -= more != 0 ? 1 : 0;
	}
	task_work_sms(task, wave->sms);
}

/* The word before the interrupts, and both before wave_look() is called and wave_counted() looks at what the SMs have
 * counted. */
__attribute__((cold, noinline)) void wave_open(uint32_t slot)
{
	if ((wave_behind >> slot & 1u) != 0) {
		wave_settle_slot(slot);
	}
	perf_count(&device.perf->waves_opened);
	mmio_write32(&device.waves[slot].entry.open, 1);
	fence_full();
	if (launch_unit_here()) {
		launch_unit_expect(
			slot,
			0); /* who counts itself from now on sees that it is open, and rings */
	}
	wave_closed &= ~(1u << slot);
	fresh |= 1u << slot;
	due_set(DUE_WAVE);
	for (uint32_t sm = 0; bits_next(wave_out[slot].sms, device.sm_words, &sm); sm++) {
		sm_interrupt(sm);
	}
}

void wave_settle(void)
{
	while (wave_behind != 0) {
		const uint32_t slot = bits_lowest(wave_behind);

		if (device.waves[slot].packet.pull != 0) {
			wave_open(slot); /* which settles it */
		} else {
			wave_settle_slot(slot);
		}
	}
}

__attribute__((cold)) void wave_want(void)
{
	wave_wanted = true;
	for (uint32_t slots = wave_closed; slots != 0; slots &= slots - 1) {
		wave_open(bits_lowest(slots));
	}
}

uint32_t wave_slots_of(uint32_t sm)
{
	uint32_t found = 0;

	for (uint32_t slots = wave_slots; slots != 0; slots &= slots - 1) {
		const uint32_t slot = bits_lowest(slots);

		found |= (uint32_t)bits_has(wave_out[slot].sms, sm) << slot;
	}
	return found;
}

bool wave_is_over(uint32_t slot)
{
	return (wave_closed >> slot & 1u) != 0 &&
	       (launch_unit_here() ? launch_unit_left(slot)
				   : mmio_read32(&device.waves[slot].entry.left)) == 0;
}

__attribute__((cold)) uint32_t wave_look(void)
{
	const uint32_t slots = fresh & wave_slots;

	due_clear(DUE_WAVE);
	fresh = 0;
	return slots;
}

bool wave_counted(uint32_t slot, uint32_t sm)
{
	return ((wave_closed | fresh) >> slot & 1u) == 0 && bits_has(wave_out[slot].sms, sm) &&
	       mmio_read32(&device.sms[sm].wave_ack) == device.waves[slot].entry.serial;
}

__attribute__((cold)) void wave_reported(uint32_t slot, uint32_t sm)
{
	struct wave *wave = &wave_out[slot];

	if (!bits_has(wave->sms, sm)) {
		return;
	}
	if ((wave_closed >> slot & 1u) != 0) {
		wave_open(slot);
	}
	if (retry_first_time(task_table_holder(slot), sm, launch_starts(sm, slot)) == 0) {
		bits_clear(wave->sms, sm);
		wave->count--;
		wave_slots &= wave->count == 0 ? ~(1u << slot) : UINT32_MAX;
	}
}

struct wave_end wave_times(uint32_t slot)
{
	const struct gg_wave *entry = &device.waves[slot].entry;
	const uint64_t since = gg_join(entry->since_lo, entry->since_hi);

	fence_acquire(); /* the times after the word that says that they are there */
	return (struct wave_end){ .first = since + mmio_read32(&entry->first),
				  .last = since + mmio_read32(&entry->last) };
}

/* Gives back what the SMs of a wave hold, after somebody has looked at them. */
static __attribute__((cold, noinline)) void give_back(const struct task *task,
						      const struct wave *wave)
{
	const uint32_t slot = task->turn.slot;

	for (uint32_t sm = 0; bits_next(wave->sms, device.sm_words, &sm); sm++) {
		const uint32_t starts = launch_starts(sm, slot);

		launch_out_end(sm, slot, starts);
		sm_state_hear(sm);
		sm_state_release(sm, task, starts, bits_count(starts));
	}
}

struct wave_end wave_collect(struct task *task)
{
	const uint32_t slot = task->turn.slot;
	const struct wave *wave = &wave_out[slot];
	struct wave_end end = wave_times(slot);

	if ((wave_behind >> slot & 1u) != 0) {
		sm_state_return(wave->sms, wave->ctas);
		if (task->pass.number != 0) {
			task_work_sms(task, wave->sms); /* its graph has each of them only once */
		}
		device.perf->assignments += wave->size;
		device.perf->acks += wave->size;
	} else {
		give_back(task, wave);
	}
	wave_set_behind(wave_behind & ~(1u << slot));
	wave_slots &= ~(1u << slot);
	wave_closed &= ~(1u << slot);
	end.sms = wave->size;
	end.ctas = wave->ctas;
	return end;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/wave/wave_launch.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/sms/sm_room.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave.h"
#include "firmware/cp/wave/wave_out.h"
#include "hal/fence.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"
#include "hal/timer.h"

/* The SMs of a wave by number, where that is not their rank. */
static __attribute__((cold, noinline)) void find_numbers(struct wave *wave)
{
	memset(wave->sms, 0, sizeof(wave->sms));
	for (uint32_t rank = 0; bits_next(wave->ranks, device.sm_words, &rank); rank++) {
		bits_set(wave->sms, sm_state_sm(rank));
	}
}

/* Takes the first SMs of some, as many as the wave is for. Returns false if one of them is not idle. */
static bool choose(struct wave *wave, const struct wave_share *share)
{
	uint32_t left = share->sms;

	wave->size = left;
	wave->count = left;
	wave->ctas = share->ctas;
	for (uint32_t word = 0; word < device.sm_words; word++) {
		uint32_t ranks = share->ranks[word];

		while (bits_count(ranks) > left) {
			ranks &= ~(1u << bits_highest(ranks));
		}
		left -= bits_count(ranks);
		wave->ranks[word] = ranks;
		wave->sms[word] = ranks;
	}
	if (sm_state_is_ranked()) {
		find_numbers(wave);
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		if ((wave->sms[word] & ~sm_state_idle[word]) != 0) {
			return false;
		}
	}
	return true;
}

/* SMs of a wave may still be assigned to another task whose CTAs on them have ended. */
static __attribute__((cold, noinline)) void unassign(const struct wave *wave, uint32_t slots)
{
	for (; slots != 0; slots &= slots - 1) {
		const uint32_t slot = bits_lowest(slots);
		const struct task *holder = task_table_holder(slot);

		for (uint32_t word = 0; word < device.sm_words; word++) {
			uint32_t both = wave->sms[word] & holder->sms[word];

			for (; both != 0; both &= both - 1) {
				sm_state_forget_only(word * 32 + bits_lowest(both), slot);
			}
		}
	}
}

/* Prepares the entry that the SMs read and count themselves in. */
static void begin(const struct task *task, const struct wave_share *share, uint64_t first,
		  bool closed)
{
	const struct task_needs *needs = &task->rules.needs;
	const uint32_t slot = task->turn.slot;
	struct gg_wave *entry = &device.waves[slot].entry;
	struct gg_packet *packet = &device.waves[slot].packet;

	wave_serial++;
	if (launch_unit_here()) {
		launch_unit_expect(slot, share->sms);
	} else {
		entry->left = share->sms;
	}
	entry->first = UINT32_MAX;
	entry->last = 0;
	entry->open = !closed;
	entry->serial = wave_serial;
	gg_split(&entry->since_lo, &entry->since_hi, timer_now());
	entry->extra = share->extra;
	entry->each = share->each;
	entry->run = share->run;
	entry->stride = share->run * share->sms;
	entry->starts_more = share->extra == 0 ? 0
					       : sm_room_starts(sm_room_units, needs->units,
								share->each + wave_more(entry));
	packet->task = task_table_name(task);
	packet->starts =
		share->each == 0 ? 0 : sm_room_starts(sm_room_units, needs->units, share->each);
	gg_split(&packet->first_lo, &packet->first_hi, first);
	packet->units = needs->units;
	packet->pull = share->pull;
	packet->assign = gg_put(GG_SM_STATE_SLOT, slot) | gg_put(GG_SM_STATE_VALID, 1) |
			 gg_put(GG_SM_STATE_WAVED, 1) | gg_put(GG_SM_STATE_SEQUENCE, wave_serial);
}

/* How many bits of a word are 1 from the lowest up. */
static inline uint32_t ones_at(uint32_t word)
{
	return word == UINT32_MAX ? 32 : bits_lowest(~word);
}

/* Tells SMs that follow one another their ranks. `word` is that of the first; returns what the next one gets. */
static inline uint32_t send_run(uint32_t sm, uint32_t count, uint32_t word, bool at_once)
{
	struct launch_rings *ring = &device.launch[sm];

	/* Counted by harts, as sm_interrupt() does, which saves an instruction for each. */
	for (uint32_t hart = sm + 1, end = hart + count; hart != end; hart++, ring++) {
		mmio_write32(&ring->header.wave, word);
		if (!at_once) {
			ipi_send(hart);
		}
		word += gg_put(GG_LAUNCH_RANK, 1);
	}
	return word;
}

static __attribute__((cold, noinline)) void send_ranked(const struct wave *wave, uint32_t word)
{
	for (uint32_t rank = 0; bits_next(wave->ranks, device.sm_words, &rank); rank++) {
		word = send_run(sm_state_sm(rank), 1, word, false);
	}
}

/* Tells each SM its rank in the wave. Nearly always the SMs are in the order of their numbers. */
static void send(const struct wave *wave, uint32_t slot)
{
	uint32_t word = gg_put(GG_LAUNCH_SLOT, slot) | gg_put(GG_LAUNCH_VALID, 1);

	if (sm_state_is_ranked()) {
		send_ranked(wave, word);
		return;
	}
	const bool at_once = launch_unit_here();

	for (uint32_t index = 0; index < device.sm_words; index++) {
		uint32_t sm = index * 32;

		for (uint32_t bits = wave->ranks[index]; bits != 0;) {
			const uint32_t gap = bits_lowest(bits);

			sm += gap;
			bits >>= gap;
			word = send_run(sm, ones_at(bits), word, at_once);
			bits &= bits + 1; /* without the run, which is at its low end */
		}
	}
	if (at_once) {
		sm_interrupt_set(wave->sms[0]);
	}
}

/* Prepares a wave whose SMs are chosen. */
static __attribute__((cold, noinline)) void
prepare(const struct task *task, const struct wave_share *share, uint64_t first, bool closed)
{
	const uint32_t slot = task->turn.slot;
	const uint32_t others = task_table_used() & ~(1u << slot);

	if (others != 0) {
		unassign(&wave_out[slot], others);
	}
	begin(task, share, first, closed);
}

/* Sends a wave that is prepared. */
static void launch(const struct task *task, uint32_t pull, uint32_t cga)
{
	const uint32_t slot = task->turn.slot;
	const struct wave *wave = &wave_out[slot];
	struct wave_block *block = &device.waves[slot];

	block->packet.cga = cga;
	perf_count(&device.perf->waves); /* whoever sees a CTA of it run finds it counted */
	fence_release();                 /* the entry before the words that lead to it */
	send(wave, slot);
	sm_state_lend(wave->sms, wave->ctas);
	device.perf->packets += wave->size;
	if (pull == 0) {
		perf_add(&device.perf->ctas_lo, &device.perf->ctas_hi, wave->ctas);
	}
	wave_set_behind(wave_behind | 1u << slot);
	if (block->entry.open != 0) {
		wave_settle_slot(slot);
		return;
	}
	wave_slots |= 1u << slot;
	wave_closed |= 1u << slot;
}

bool wave_may(const struct task *task, uint64_t ctas)
{
	return ctas == task->work.left && !wave_wanted && device_has_atomics();
}

/* To few SMs there is a wave only if it is closed, and if each of them has one CTA or they are all that there are: what has room while
 * others wait is not known of the SMs of a closed wave. */
const uint32_t *wave_prepare(const struct task *task, const struct wave_share *share)
{
	const uint32_t slot = task->turn.slot;
	const uint32_t fewest = CP_WAVE_SMS;
	const bool closed = wave_may(task, share->pull != 0 ? task->work.left : share->ctas);
	struct wave *wave = &wave_out[slot];
	const bool few = closed && (share->ctas <= share->sms || share->sms == device.sms_count);

	if ((share->sms < fewest && !few) || task->work.packets != 0 || task_queue(task) != NULL ||
	    trace_is_on() || (share->pull != 0 && !closed)) {
		return NULL;
	}
	BITS_ASSERT((wave_slots >> slot & 1u) ==
		    0); /* the task before is over, so each of its SMs was taken as ended */
	if (!choose(wave, share)) {
		return NULL;
	}
	prepare(task, share, task->work.position, closed);
	return wave->ranks;
}

void wave_send(struct task *task, const struct wave_share *share, uint32_t cga)
{
	const struct wave *wave = &wave_out[task->turn.slot];

	launch(task, share->pull, cga);
	task_work_issue_wave(task, wave->size, wave->ctas);
	if (share->pull == 0) {
		task_work_advance(task, wave->ctas);
	}
}

const uint32_t *wave_launch(struct task *task, const struct availability *levels,
			    const struct availability_fill *fill, uint32_t pull)
{
	const uint32_t top = bits_highest(levels->filled);
	const uint32_t each = top - fill->final;
	const struct wave_share share = {
		.ranks = levels->sms[top],
		.sms = each != 0 ? levels->count[top] : fill->extra,
		.each = each,
		.extra = fill->extra,
		.ctas = (uint32_t)fill->ctas,
		.pull = pull,
	};

	/* Without `extra`, SMs that had the final level before get none. */
	const uint32_t lowest = fill->final + (fill->extra == 0 ? 1u : 0u);

	if ((levels->filled & ~bits_ones(lowest)) != 1u << top ||
	    wave_prepare(task, &share) == NULL) {
		return NULL;
	}
	wave_send(task, &share, 0);
	return wave_out[task->turn.slot].sms;
}

__attribute__((cold, noinline)) bool wave_fits(const struct task_needs *needs, uint32_t ctas,
					       uint32_t pull, struct wave_share *share)
{
	const bool whole = sm_state_resident() == 0;
	const uint32_t sms = bits_count_all(sm_state_idle, device.sm_words);

	*share = (struct wave_share){
		.ranks = sm_state_idle, .sms = ctas, .extra = ctas, .ctas = ctas, .pull = pull
	};
	if (pull != 0 || ctas >= sms) {
		const uint32_t most = sms * sm_state_slots_whole(needs);

		if ((!whole && ctas != sms) || sms == 0 || (ctas > most) != (pull != 0)) {
			return false;
		}
		ctas = pull == 0 ? ctas : most;
		share->ctas = ctas;
		share->sms = sms;
		share->each = ctas / sms;
		share->extra = ctas - share->each * sms;
	}
	return (whole || sm_state_idle_is_best(needs)) && device_has_atomics();
}

__attribute__((noinline)) const uint32_t *wave_launch_idle(struct task *task,
							   const struct wave_share *share)
{
	struct wave *wave = &wave_out[task->turn.slot];

	(void)choose(wave, share);
	prepare(task, share, 0, true);
	launch(task, share->pull, 0);
	return wave->sms;
}

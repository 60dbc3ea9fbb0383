/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/pull/pull_recall.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "hal/mmio.h"

/* The SM looks at its bit in the entry before each CTA. */
static void recall(uint32_t slot, uint32_t sm)
{
	uint32_t *word = &pull_entry(slot)->approved[sm / 32];

	if (!pull_is_recalled(slot, sm)) {
		mmio_write32(word, *word & ~(1u << sm % 32));
		perf_count(&device.perf->pull_recalls);
	}
}

static void recall_all(uint32_t slot, const uint32_t *sms)
{
	for (uint32_t sm = 0; bits_next(sms, device.sm_words, &sm); sm++) {
		recall(slot, sm);
	}
}

/* About how many CTAs of a task fit into what streams of another task hold. At least 1, because the rest of the SM
 * may be free. */
static uint32_t room_in(const struct task *holder, uint32_t streams, const struct task *task)
{
	const uint32_t by_units = streams * holder->rules.needs.units / task->rules.needs.units;
	const uint32_t by_warps = streams * holder->rules.needs.warps / task->rules.needs.warps;
	const uint32_t least = by_units < by_warps ? by_units : by_warps;

	return least < 1 ? 1 : least;
}

/* Only endless streams are recalled. Streams of one item each end by themselves, and may have been issued for the
 * minimum share. */
static uint64_t recall_for(const struct task *holder, const struct task *task, uint64_t wanted)
{
	const uint32_t *endless = pull_slot(holder->turn.slot)->endless;

	for (uint32_t sm = 0; wanted != 0 && bits_next(endless, device.sm_words, &sm); sm++) {
		if (!task->rules.restricted || bits_has(task->allowed, sm)) {
			const uint32_t room = room_in(
				holder, bits_count(launch_starts(sm, holder->turn.slot)), task);

			recall(holder->turn.slot, sm);
			wanted -= room < wanted ? room : wanted;
		}
	}
	return wanted;
}

/* Recalls SMs from the PULL grids of a priority that are in slots. Returns for how many CTAs there is still no room. */
static uint64_t recall_of(uint32_t priority, const struct task *task, uint64_t wanted)
{
	for (uint32_t slots = pull_slots(); wanted != 0 && slots != 0; slots &= slots - 1) {
		const struct task *holder = task_table_holder(bits_lowest(slots));

		if (holder->rules.priority == priority && holder != task) {
			wanted = recall_for(holder, task, wanted);
		}
	}
	return wanted;
}

void pull_recall_room(const struct task *task)
{
	uint64_t wanted = task->work.left;

	for (uint32_t priority = CP_PRIORITIES; priority > task->rules.priority && wanted != 0;
	     priority--) {
		wanted = recall_of(priority, task, wanted);
	}
}

void pull_recall_due(const struct task *task)
{
	uint64_t wanted = 1;

	for (uint32_t priority = CP_PRIORITIES; priority > 0 && wanted != 0; priority--) {
		if (priority != task->rules.priority) {
			wanted = recall_of(priority, task, wanted);
		}
	}
}

void pull_recall_task(struct task *task)
{
	recall_all(task->turn.slot, pull_slot(task->turn.slot)->pulling);
}

void pull_recall_endless(const struct task *task)
{
	recall_all(task->turn.slot, pull_slot(task->turn.slot)->endless);
}

void pull_recall_all(void)
{
	for (uint32_t slots = pull_slots(); slots != 0; slots &= slots - 1) {
		const uint32_t slot = bits_lowest(slots);

		recall_all(slot, pull_slot(slot)->pulling);
	}
}

void pull_recall_disabled(void)
{
	for (uint32_t slots = pull_slots(); slots != 0; slots &= slots - 1) {
		const uint32_t slot = bits_lowest(slots);
		const uint32_t *pulling = pull_slot(slot)->pulling;

		for (uint32_t sm = 0; bits_next(pulling, device.sm_words, &sm); sm++) {
			if (!sm_state_enabled(sm)) {
				recall(slot, sm);
			}
		}
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/express/express_end.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/collect/report.h"
#include "firmware/cp/collect/sm_request.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/finish/retire.h"
#include "firmware/cp/host/channel.h"
#include "firmware/cp/host/host_interface.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave.h"
#include "hal/fence.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"

/* Whether the parent of a child is over with it, or will be in this turn, when its own CTAs have ended too. The stages retire it behind
 * all that has ended by then. */
static __attribute__((noinline)) bool is_waited_for(const struct task *child)
{
	const struct task *parent = child->source.parent;
	const struct task *other = parent->family.child;

	if (parent->life.state == TASK_PARKED) {
		return false; /* as graphs are, whose ends are for the next turn */
	}
	while (other != NULL && (other == child || other->life.state >= TASK_OVER)) {
		other = other->family.sibling_next;
	}
	return other == NULL;
}

/* Whether what a task has left behind is so little that its place of the pool needs no clearing. */
static EXPRESS_IN_LINE bool is_clean(const struct task *task)
{
	return task->rules.plain && !task->life.suspended &&
	       ((uintptr_t)task->depend.edges | (uintptr_t)task->depend.schedules |
		(uintptr_t)task->family.child | (uint32_t)task->failure.status) == 0 &&
	       (task->source.parent == NULL ? task->stall.reasons == 0
					    : EXPRESS_CHILDREN && !is_waited_for(task));
}

/* Gives back what CTAs of a task that had several held. Returns how many they are; 0, and changes nothing, if they are its last and it did
 * not have one packet for each of its SMs, as a plain completion says. SMs of a closed wave report none but together with one that
 * has failed. */
static __attribute__((noinline)) uint32_t release_some(const struct task *task, uint32_t sm,
						       uint32_t starts)
{
	const uint32_t ctas = bits_count(starts);
	const bool last = ctas == task->work.in_flight;

	if (last && bits_count_all(task->sms, device.sm_words) != task->work.packets) {
		return 0;
	}
	sm_state_hear(sm);
	sm_state_release(sm, task, starts, ctas);
	if (last) {
		sm_state_forget(task, task->turn.slot);
	}
	return ctas;
}

/* Takes the report of CTAs of a task that have ended without error, if the task is a plain one that waits for nothing. Returns
 * NULL if not. */
static struct task *end(uint32_t sm, const struct gg_report *report)
{
	const uint32_t slot = gg_get(report->task, GG_REPORT_SLOT);
	struct task *task = slot < CP_SLOTS ? task_table_holder(slot) : NULL;
	uint32_t ctas = 1;

	if (task == NULL || task_table_name(task) != report->task || report->status != GG_OK ||
	    task->life.state != TASK_DRAINING || !is_clean(task)) {
		return NULL;
	}
	if (task->work.in_flight == 1 && task->work.packets == 1) {
		sm_state_end_only(sm, task, report->starts);
	} else if ((ctas = release_some(task, sm, report->starts)) == 0) {
		return NULL;
	}
	perf_count(&device.perf->reports);
	launch_out_end(sm, slot, report->starts);
	task_work_end(task, ctas, gg_join(report->first_lo, report->first_hi),
		      gg_join(report->last_lo, report->last_hi));
	task_work_complete(task, ctas);
	device.slots[slot].in_flight = task->work.in_flight;
	return task;
}

/* Ends a closed wave, if it is all of a plain task and is over. Returns NULL if not.
 * `slots`: of the waves that the SM belongs to that has rung. Where there are several, or one that is open, the stages look. */
static __attribute__((cold, noinline)) struct task *end_wave(uint32_t slots)
{
	const uint32_t slot = bits_lowest(slots);
	struct task *task = task_table_holder(slot);
	const bool lent = (wave_behind >> slot & 1u) != 0;

	if ((slots & (slots - 1)) != 0 || !wave_is_over(slot) ||
	    task->life.state != TASK_DRAINING || !is_clean(task)) {
		return NULL;
	}
	report_wave_count(task);
	if (!lent) {
		sm_state_forget(task, slot);
	}
	if (task_is_pull(task)) {
		pull_close(task);
	}
	return task;
}

/* Whether an SM that belongs to waves has something else to say. It may, if its wave is closed, not over, and not lent; or if all are
 * open, and it has neither counted itself in one nor reported CTAs of it. */
static __attribute__((cold, noinline)) bool is_shared(uint32_t sm, uint32_t slots)
{
	const uint32_t put = mmio_read32(&device.sms[sm].report_put);

	if ((slots & (~wave_closed | wave_behind)) == 0) {
		return !wave_is_over(bits_lowest(slots));
	}
	if (!EXPRESS_READY || wave_may_ring(sm)) {
		return false;
	}
	fence_acquire(); /* read the reports after the count */
	for (uint32_t get = inbox_taken[sm]; get != put; get++) {
		const struct gg_report *report =
			&device.launch[sm].reports[get % CP_LAUNCH_ENTRIES];

		const uint32_t slot = gg_get(report->task, GG_REPORT_SLOT);

		if (slot >= CP_SLOTS || (slots >> slot & 1) != 0) {
			return false;
		}
	}
	return true;
}

/* Kept out of line, so that hear() saves no registers for it. */
static __attribute__((noinline)) void finish_child(struct task *task)
{
	retire_child(task);
	task->source.parent = NULL;
	task->source.depth = 0;
}

/* Ends a task all of whose CTAs have ended, one packet or share of a wave on each SM. */
static void finish(struct task *task)
{
	task_table_remove(task);
	if (EXPRESS_CHILDREN && task->source.parent != NULL) {
		finish_child(task);
	} else {
		name_table_remove(task);
		completion_post_plain(task);
		channel_task_finished(task);
	}
	task_give_clean(task);
}

/* Posts fences that have waited for a task. Each channel may have many, so that there may be much room no more. */
static __attribute__((cold, noinline)) bool post_fences(void)
{
	(void)host_interface_post();
	return completion_has_much_room();
}

/* Whether take_others() may take what the short way does not end: no wave is there, at which the stages look first, and the host, whose
 * commands come before, has said nothing. `asks`: that is known. */
static inline bool takes_others(bool asks)
{
	return EXPRESS_READY && wave_slots == 0 && (asks || host_interface_is_quiet());
}

/* Takes the reports of an SM as the stages do. What follows from them is for the stages in the same turn. */
static __attribute__((noinline)) void take_others(uint32_t sm)
{
	sm_state_hear(sm);
	inbox_take_reports(sm);
	due_set(DUE_SCHEDULE);
}

/* Answers the requests of an SM. What follows from them is for the stages in the same turn. */
static __attribute__((noinline)) void answer(uint32_t sm)
{
	sm_request_serve(sm);
	due_set(DUE_SCHEDULE);
}

/* Takes the reports of an SM, its requests, and the end of a wave. Returns false when it has said something else, too, or when the
 * host has, whose commands come before requests. */
static bool hear(uint32_t sm)
{
	struct launch_rings *rings = &device.launch[sm];
	const uint32_t put = mmio_read32(&device.sms[sm].report_put);
	uint32_t get = inbox_taken[sm];
	struct task *task = NULL;
	const bool asks = sm_request_waits(sm);
	bool room = true;

	if (inbox_has_stopped(sm) || (asks && (!EXPRESS_CHILDREN || !host_interface_is_quiet()))) {
		return false;
	}
	if (wave_is_here() && wave_slots != 0) {
		const uint32_t slots = wave_slots_of(sm);

		if (slots != 0 && (task = end_wave(slots)) == NULL && !is_shared(sm, slots)) {
			return false;
		}
	}
	if (task != NULL || get == put) { /* else the report is followed by that */
		sm_state_hear(sm);
	}
	fence_acquire(); /* read the reports after the count */
	while (room) {
		if (task == NULL) {
			if (get == put ||
			    (task = end(sm, &rings->reports[get % CP_LAUNCH_ENTRIES])) == NULL) {
				break;
			}
			get++;
		}
		if (task->work.in_flight == 0) {
			finish(task);
		}
		task = NULL;
		room = !completion_waits() || post_fences();
	}
	inbox_taken[sm] = get;
	mmio_write32(&rings->header.report_get, get);
	if ((get != put && !takes_others(asks)) || !room) {
		return false;
	}
	if (EXPRESS_READY && get != put) {
		take_others(sm);
	}
	if (EXPRESS_CHILDREN && asks) {
		answer(sm);
	}
	return true;
}

__attribute__((noinline)) bool express_end_word(uint32_t word, uint32_t rung)
{
	uint32_t changed = rung ^ inbox_heard[word];

	fence_acquire(); /* read the news after the bell */
	while (changed != 0) {
		const uint32_t byte = bits_lowest(changed) / 8;
		const uint32_t mask = 0xffu << 8 * byte;

		if (!hear(word * 4 + byte)) {
			return false;
		}
		inbox_heard[word] ^= changed & mask;
		changed &= ~mask;
	}
	return true;
}

__attribute__((noinline)) bool express_end_rung(void)
{
	if (HAL_LAUNCH == 0) {
		return true; /* the board can have no such bells, and nobody calls it */
	}
	inbox_take_bells();
	while (inbox_rung != 0) {
		if (!hear(bits_lowest(inbox_rung))) {
			return false;
		}
		inbox_rung &= inbox_rung - 1;
	}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/express/express.h"

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/submit.h"
#include "firmware/cp/accept/tmd.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/express/refill.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/host/channel.h"
#include "firmware/cp/host/host_interface.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/schedule/issue.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/sms/sm_room.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave.h"
#include "hal/fence.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define NO_SM UINT32_MAX

/* Whether nothing is in the device but ready tasks, tasks whose CTAs have all been issued, and graphs, queues and CGAs
 * that want nothing; no SM is lent or has a rank. A device that is traced has to have ready tasks: of those that are
 * refilled, the packets are all that is recorded. */
static bool is_calm(void)
{
	const uint32_t besides = due_stages & ~(uint32_t)(DUE_HOST | DUE_INBOX);

	if (besides != 0 && (!part_is_here(GG_FEATURE_TRACE) || besides != DUE_TRACED ||
			     task_table_priorities() == 0)) {
		return false;
	}
	return !policy_has_next() && completion_has_much_room();
}

/* Whether what a task has left behind is so little that its place of the pool needs no clearing. */
static bool is_clean(const struct task *task)
{
	return task->rules.plain && !task->life.suspended &&
	       ((uintptr_t)task->depend.edges | (uintptr_t)task->family.child |
		(uintptr_t)task->source.parent | task->depend.open | task->stall.reasons |
		(uint32_t)task->failure.status) == 0;
}

/* Ends a task whose last CTA has ended without error, if it is a plain one that waits for nothing. */
static bool end(uint32_t sm, const struct gg_report *report)
{
	const uint32_t slot = gg_get(report->task, GG_REPORT_SLOT);
	struct task *task = slot < CP_SLOTS ? task_table_holder(slot) : NULL;

	if (task == NULL || task_table_name(task) != report->task || report->status != GG_OK ||
	    task->life.state != TASK_DRAINING || task->work.in_flight != 1 ||
	    task->work.packets != 1 || !is_clean(task)) {
		return false;
	}
	perf_count(&device.perf->reports);
	launch_out_end(sm, slot, report->starts);
	sm_state_release_only(sm, task, report->starts);
	sm_state_forget_only(sm, slot);
	task_work_end(task, 1, gg_join(report->first_lo, report->first_hi),
		      gg_join(report->last_lo, report->last_hi));
	task_work_complete(task, 1);
	device.slots[slot].in_flight = 0;
	task_table_remove(task);
	name_table_remove(task);
	completion_post_plain(task);
	channel_task_finished(task);
	task_give_clean(task, sm);
	return true;
}

/* Posts fences that have waited for a task. Each channel may have many, so that there may be much room no more. */
static __attribute__((cold, noinline)) bool post_fences(void)
{
	(void)host_interface_post();
	return completion_has_much_room();
}

/* Takes the reports of an SM. Returns false when it has said something else, too, which may be the end of a wave. */
static bool hear(uint32_t sm)
{
	struct launch_rings *rings = &device.launch[sm];
	const uint32_t put = mmio_read32(&device.sms[sm].report_put);
	uint32_t get = inbox_taken[sm];
	bool room = true;

	if ((wave_is_here() && wave_slots != 0) || inbox_says_more(sm)) {
		return false;
	}
	sm_state_hear(sm);
	fence_acquire(); /* read the reports after the count */
	while (room && get != put && end(sm, &rings->reports[get % CP_LAUNCH_ENTRIES])) {
		get++;
		room = !completion_waits() || post_fences();
	}
	inbox_taken[sm] = get;
	mmio_write32(&rings->header.report_get, get);
	return get == put && room;
}

/* Takes the reports of the four SMs of a word of bells. */
static __attribute__((noinline)) bool hear_word(uint32_t word, uint32_t rung)
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

static bool hear_all(void)
{
	const uint32_t *bells = device.bells;
	const uint32_t words = (device.sms_count + 3) / 4;

	for (uint32_t word = 0; word < words; word++) {
		const uint32_t rung = mmio_read32(&bells[word]);

		if (rung != inbox_heard[word] && !hear_word(word, rung)) {
			return false;
		}
	}
	return true;
}

/* The SM that the policy would choose for a CTA, if that is one that holds nothing and SMs are in the order of their
 * numbers. Such an SM has the most free slots. Another one may have as many only when something else than its CTA slots
 * is the limit, and it comes first only with a lower number. */
static uint32_t choose(const struct task_needs *needs)
{
	const uint32_t most = device.resources.ctas;
	uint32_t word = 0;

	while (sm_state_idle[word] == 0) {
		if (++word == device.sm_words) {
			return NO_SM;
		}
	}
	const uint32_t sm = word * 32 + bits_lowest(sm_state_idle[word]);

	return sm == 0 || (needs->registers == 0 && needs->warps * most <= device.resources.warps &&
			   sm_room_whole[needs->units].ctas >= most)
		       ? sm
		       : NO_SM;
}

static void launch(struct task *task, uint32_t sm, uint32_t channel,
		   const struct gg_command *command)
{
	task_take_clean();
	task->source.address = gg_join(command->address_lo, command->address_hi);
	task->source.posted = timer_now();
	task->source.tag = command->tag;
	task->source.channel = (uint8_t)channel;
	task->source.opcode = GG_OPCODE_SUBMIT;
	task->source.quiet = gg_get(command->header, GG_COMMAND_NO_INTERRUPT) != 0;
	task->source.trusted = true;
	channel_task_accepted(task);
	name_table_add(task);
	task_work_only(task, sm, task->source.posted);
	task_table_enter(task);
	offer_issued(1);
	launch_only(sm, task);
}

static bool submit_one(uint32_t channel, const struct gg_command *command)
{
	struct task *task = task_clean();

	/* There is room for its completion: hear() has left enough. */
	if (task == NULL || task_table_free() == 0 || !submit_has_room() ||
	    !tmd_take_again(task, task_name_of(command->address_lo, command->address_hi,
					       command->argument0)) ||
	    !issue_is_balanced(task)) {
		return false;
	}
	const uint32_t sm = choose(&task->rules.needs);

	if (sm == NO_SM) {
		return false;
	}
	launch(task, sm, channel, command);
	return true;
}

static bool submit_all(const struct host_batch *batch)
{
	uint32_t taken = 0;

	while (taken < batch->count &&
	       submit_one(batch->channel, channel_command(batch->channel, taken))) {
		taken++;
	}
	if (taken != 0) {
		host_interface_take(batch, taken);
	}
	return taken == batch->count;
}

bool express_turn(void)
{
	struct host_batch batch;

	if (!is_calm() || !host_interface_plain(&batch)) {
		return false;
	}
	if (task_table_priorities() != 0) {
		if (batch.count != 0 || !refill_turn()) {
			return false;
		}
	} else if (!hear_all() || !submit_all(&batch)) {
		return false;
	}
	due_clear(DUE_HOST | DUE_INBOX);
	if (due_is(DUE_POST)) {
		completion_interrupt();
	}
	return true;
}

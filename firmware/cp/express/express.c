/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/express/express.h"

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/submit.h"
#include "firmware/cp/accept/tmd_kept.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/express/express_end.h"
#include "firmware/cp/express/refill.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/host/channel.h"
#include "firmware/cp/host/host_interface.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_park.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/schedule/issue.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/schedule/task_management.h"
#include "firmware/cp/sms/availability.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/kind.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave.h"
#include "firmware/cp/wave/wave_launch.h"
#include "hal/timer.h"

#define PAUSE 3u /* turns */

static uint32_t pause; /* turns in which end_all() does not try */

/* What may be due when nothing but the ends of tasks goes the short way: what follows from them, for graphs and for pending
 * tasks, is for the stages. */
#define ENDS_ONLY (DUE_GRAPH | DUE_PENDING)

/* Whether nothing is due but the SMs that are lent to a wave, and no PULL grid but that of the wave has streams. */
static __attribute__((noinline)) bool is_lent(uint32_t besides)
{
	return (besides & ~(uint32_t)DUE_PULLS) == DUE_LENT && (pull_slots() & ~wave_slots) == 0;
}

/* Whether nothing is in the device but ready tasks, tasks whose CTAs have all been issued, and graphs, queues and CGAs
 * that want nothing; no SM has a rank, and none is lent while tasks are ready. A device that is traced has to have ready
 * tasks: of those that are refilled, the packets are all that is recorded.
 * `besides`: what is due besides host and SMs. */
static bool is_calm(uint32_t besides)
{
	const bool ready = task_table_priorities() != 0;

	return besides == 0 || (wave_is_here() && !ready && is_lent(besides)) ||
	       (part_is_here(GG_FEATURE_TRACE) && besides == DUE_TRACED && ready);
}

/* The SM with the most free slots. SMs are in the order of their numbers, and what those that are lent hold is not known. Kept out
 * of line: an SM that holds nothing is found faster. */
static __attribute__((noinline)) uint32_t choose_any(const struct task_needs *needs)
{
	uint32_t sm = SM_STATE_NONE;

	if (wave_is_here()) {
		wave_settle();
	}
	(void)availability_best(sm_class_levels(needs, NULL), &sm);
	return sm;
}

/* The SM that the policy would choose for a CTA, or SM_STATE_NONE. In line in both functions that use it: it is on the path of
 * every plain task. */
static inline __attribute__((always_inline)) uint32_t choose(const struct task_needs *needs)
{
	const uint32_t sm = sm_state_best_idle(needs);

	return sm != SM_STATE_NONE ? sm : choose_any(needs);
}

/* Accepts a task whose place has its TMD. */
static void accept(struct task *task, const struct channel_run *run,
		   const struct gg_command *command)
{
	const uint64_t now = timer_now();

	task_take_clean();
	task->source.address = gg_join(command->address_lo, command->address_hi);
	task->source.posted = now;
	task->source.tag = command->tag;
	task->source.channel = (uint8_t)run->number;
	task->source.opcode = GG_OPCODE_SUBMIT;
	task->source.quiet = gg_get(command->header, GG_COMMAND_NO_INTERRUPT) != 0;
	task->source.trusted = true;
	task_work_ready(task, now);
	channel_run_accepted(run, task);
	name_table_add(task);
}

/* Sends the only CTA of a plain task to an SM that holds something, or the next one of a queue to any. The task has entered
 * the task table. Kept out of line, as the functions that it calls are: they are there for the stages. */
static __attribute__((noinline)) void launch_beside(uint32_t sm, struct task *task)
{
	if (task->rules.plain) {
		task_work_all(task, 0, 0);
		task_work_set(task, 0, 1);
	}
	launch_ctas(sm, task, 1);
	task_table_show(task);
}

/* Gives a task a slot, and sends its only CTA to an SM; of a queue the next. */
static EXPRESS_IN_LINE void send(struct task *task, uint32_t sm, bool queue)
{
	task_table_prepare(task);
	if (!queue) {
		task_work_all(task, 1, 1);
	}
	task_table_enter(task);
	offer_passed(1);
	if (!queue && bits_has(sm_state_idle, sm)) {
		task_work_sm(task, sm);
		launch_only(sm, task);
	} else {
		launch_beside(sm, task);
	}
}

/* Gives a task a slot, and sends all its CTAs, or streams, as fits_some() has said. */
static __attribute__((noinline)) void send_some(struct task *task, uint32_t ctas,
						const struct wave_share *share)
{
	const bool wave = wave_is_here() && share->sms != 0;

	task_table_prepare(task);
	task_work_all(task, wave ? share->ctas : 0, share->sms);
	task_work_set(task, wave ? ctas : 0, wave ? 0 : ctas);
	task_table_enter(task);
	offer_passed(share->ctas);
	if (!wave) {
		if (wave_is_here()) {
			wave_walk();
		}
		policy_balance.issue(task, ctas, NULL);
		task_table_show(task);
	} else if (share->pull != 0) {
		pull_launch_idle(task, ctas, share);
	} else {
		(void)wave_launch_idle(task, share);
	}
}

/* Whether the only CTA of a task can leave. `sm` gets its SM. */
static EXPRESS_IN_LINE bool fits_one(const struct task *task, uint32_t *sm)
{
	return issue_is_balanced(task) && (*sm = choose(&task->rules.needs)) != SM_STATE_NONE;
}

/* Whether all of several CTAs of a task, or streams for all SMs, can leave at once: in a wave, or in packets as the policy places them.
 * `last`: no other task is pending. `share` gets what each SM gets; `sms` is 0 if they are packets. */
static __attribute__((noinline)) bool fits_some(const struct task *task, uint32_t ctas, bool last,
						struct wave_share *share)
{
	const struct task_needs *needs = &task->rules.needs;

	if (!issue_is_balanced(task)) {
		return wave_is_here() && last && pull_fits(task, ctas, share);
	}
	if (wave_is_here()) {
		if (last && wave_fits(needs, ctas, 0, share)) {
			return true;
		}
		wave_settle();
	}
	share->ctas = ctas;
	share->sms = 0;
	return availability_pour(sm_class_levels(needs, NULL), ctas).ctas == ctas;
}

static bool submit_one(const struct channel_run *run, const struct gg_command *command)
{
	struct task *task = task_clean();
	struct wave_share share;
	uint32_t sm = 0;

	/* There is room for its completion: express_end_all() has left enough. */
	if (task == NULL || task_table_free() == 0 || !submit_has_room()) {
		return false;
	}
	const uint32_t ctas = tmd_kept_take(
		task, task_name_of(command->address_lo, command->address_hi, command->argument0));
	const bool one = ctas == 1;

	if (ctas == 0 || !(one ? fits_one(task, &sm) : fits_some(task, ctas, true, &share))) {
		return false;
	}
	accept(task, run, command);
	if (one) {
		send(task, sm, false);
	} else {
		send_some(task, ctas, &share);
	}
	return true;
}

static bool submit_all(const struct host_batch *batch)
{
	uint32_t taken = 0;

	while (taken < batch->count &&
	       submit_one(&batch->run, channel_run_command(&batch->run, taken))) {
		taken++;
	}
	if (taken != 0) {
		host_interface_take(batch, taken);
	}
	return taken == batch->count;
}

/* The ends of tasks while graphs run, or tasks are pending or ready. While CTAs of a ready task end, which are for the stages, there
 * is seldom something to take here: then some turns do not try. */
static __attribute__((noinline)) void end_all(void)
{
	const uint32_t resident = sm_state_resident();
	const uint32_t free = task_table_free();

	if (task_table_priorities() != 0) {
		if (!EXPRESS_READY) {
			return;
		}
		if (pause != 0) {
			pause--;
			return;
		}
	}
	if (host_interface_is_quiet()) {
		const bool all = express_end_all();

		due_clear(all ? DUE_HOST | DUE_INBOX : DUE_HOST);
		if (EXPRESS_READY) {
			pause = task_table_free() == free &&
						(!all || sm_state_resident() != resident)
					? PAUSE
					: 0;
		}
	}
	if (sm_state_resident() != resident) {
		due_set(DUE_SCHEDULE);
	}
}

bool express_turn(void)
{
	const uint32_t besides = due_stages & ~(uint32_t)(DUE_HOST | DUE_INBOX);
	struct host_batch batch;

	if (policy_has_next() || !completion_has_much_room()) {
		return false;
	}
	if (!is_calm(besides)) {
		const uint32_t others = besides & ~(uint32_t)ENDS_ONLY;

		if (EXPRESS_CHILDREN && (others == 0 || (wave_is_here() && is_lent(others)))) {
			end_all();
		}
		return false;
	}
	batch.count = 0;
	if (!host_interface_plain(&batch)) {
		return false;
	}
	if (task_table_priorities() != 0) {
		if (batch.count != 0 || !refill_turn()) {
			return false;
		}
	} else if (!express_end_all() || !submit_all(&batch)) {
		return false;
	}
	due_clear(DUE_HOST | DUE_INBOX);
	if (due_is(DUE_POST | DUE_SCHEDULE)) {
		if (due_is(DUE_SCHEDULE)) {
			return false; /* an SM has asked for something */
		}
		completion_interrupt();
	}
	return true;
}

/* Whether a task has a queue, and no rule of its own for where and how many of its CTAs may run, nor CTAs that were lost. Its
 * window is not full: its CTAs have all ended, or it would have its slot still. */
static bool is_simple_queue(const struct task *task)
{
	return task_queue(task) != NULL && !task->rules.restricted && task->tmd.quota == 0 &&
	       !retry_is_on(task);
}

/* Whether a pending task is the last of them: it can be sent as a wave, whose SMs no other task looks at. */
static bool is_last(const struct task *task)
{
	const uint32_t priorities = task_management_priorities();

	return task->next == NULL && (priorities & (priorities - 1)) == 0;
}

/* Sends the CTAs of a pending task, none of which was issued before, if it is a plain one and all can leave, or the next of a
 * queue. Returns false when the stages have to. */
static bool start(struct task *task)
{
	const bool queue = !task->rules.plain;
	const uint32_t ctas = gg_low(task->work.left);
	const bool one = task->work.left == 1;
	struct wave_share share;
	uint32_t sm = 0;

	if (queue ? !one || !is_simple_queue(task) : task->work.position != 0) {
		return false;
	}
	if (one ? !fits_one(task, &sm)
		: task->work.left != ctas || !fits_some(task, ctas, is_last(task), &share)) {
		return false;
	}
	task_management_remove(task);
	stall_set(task, GG_REASON_NONE);
	if (one) {
		send(task, sm, queue);
	} else {
		send_some(task, ctas, &share);
	}
	if (EXPRESS_CHILDREN) {
		task_kind_issued(task);
	}
	return true;
}

/* Whether the best pending task comes before all tasks that are ready, and has a slot to go to: if the task table is
 * full, one of these is asked to leave its slot, as task_management_run() would. The first of those that stay lacks room,
 * as a walk would find again. */
static __attribute__((noinline)) bool is_first(uint32_t ready)
{
	const struct task *task = task_management_first();
	const uint32_t priority = task->rules.priority;

	if (bits_lowest(ready) <= priority ||
	    (task_table_free() == 0 && !task_management_make_room(priority))) {
		return false;
	}
	ready = task_table_priorities();
	return ready == 0 || task_table_first(bits_lowest(ready))->stall.reason == GG_REASON_SM;
}

/* Sends the next CTA of the first ready task, if it has a queue and this is all that there is for it to do. Returns false when the
 * stages have to. */
static __attribute__((noinline)) bool send_next(uint32_t ready)
{
	struct task *task = task_table_first(bits_lowest(ready));

	if (task->work.left != 1 || !is_simple_queue(task) || !issue_is_balanced(task)) {
		return false;
	}
	policy_balance.issue(task, 1, NULL);
	if (task->work.left != 0) {
		return false; /* no SM has room */
	}
	offer_passed(1);
	task_table_show(task);
	(void)slot_settle(task);
	return true;
}

bool express_pending(void)
{
	const uint32_t all_ready = task_table_priorities();

	if (policy_has_next() || policy_has_seat()) {
		return false;
	}
	if (EXPRESS_READY && all_ready != 0 && (due_stages & ~DUE_STAGES) == 0 &&
	    !send_next(all_ready)) {
		return false;
	}
	while ((due_stages & ~DUE_STAGES) == DUE_PENDING) {
		const uint32_t ready = task_table_priorities();

		if (ready != 0) {
			if (!EXPRESS_READY || !is_first(ready)) {
				return false;
			}
		} else if (task_table_free() == 0) {
			/* No task can be asked to leave its slot unless one is blocked, or has CTAs that can be parked. */
			return task_table_blocked() == 0 &&
			       !(part_is_here(GG_FEATURE_PARKS) && launch_park_on);
		}
		if (!start(task_management_first())) {
			return false;
		}
	}
	return task_table_priorities() == 0 &&
	       (due_stages & ~(DUE_STAGES | DUE_LENT | DUE_PULLS)) == 0;
}

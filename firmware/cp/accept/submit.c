/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/submit.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/accept/dependence_decode.h"
#include "firmware/cp/task/dependence.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/kind.h"
#include "firmware/cp/schedule/throttle.h"
#include "firmware/cp/accept/tmd.h"
#include "firmware/cp/accept/tmd_kept.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/task/work.h"
#include "hal/timer.h"

/* Two places, because a queue task takes two. */
bool submit_has_room(void)
{
	return task_pool_free() >= SUBMIT_RESERVE + 2 && dependence_has_room();
}

static bool check(struct task *task, struct task_name name)
{
	if (!tmd_take(task, name)) {
		return false;
	}
	if (task->rules.plain && (TMD_KEPT_LOOK || task->source.parent == NULL)) {
		tmd_kept_add(task);
	}
	const struct task_kind *kind = task_kind_of(task);

	if (kind != NULL && !kind->open(task)) {
		return false;
	}
	if (!dependence_decode(task)) {
		if (kind != NULL) {
			kind->give(task);
		}
		return false;
	}
	return true;
}

static void count(const struct task *task, bool accepted)
{
	throttle_count(task, accepted);
	if (task_has_cgas(task)) {
		cga_admit_count(task, accepted);
	}
}

/* Counts and traces a task that was accepted. */
static void enter(const struct task *task)
{
	count(task, true);
	trace_event(task, trace_kind(GG_TRACE_TYPE_ACCEPT, TRACE_NO_SM), gg_low(task->work.left),
		    task->rules.priority);
}

struct task *submit_take(const struct task *parent, struct task_name name, bool trusted)
{
	struct task *task = TMD_KEPT_LOOK && !due_is(DUE_DETOUR) ? task_pool_clean : NULL;
	const uint32_t ctas = task != NULL ? tmd_kept_look(task, parent, name, trusted) : 0;

	if (ctas == 0) {
		return task_take();
	}
	(void)task_take_known();
	task_work_set(task, 0, ctas);
	return task;
}

/* All checks come before the first effect. What is known was checked before, and is plain. */
bool submit(struct task *task, struct task_name name)
{
	task->source.address = name.address;
	if (task->rules.kept == 0 && !check(task, name)) {
		dependence_remember(task, name.generation);
		return false;
	}
	name_table_add(task);
	enter(task);
	return true;
}

static void inherit(struct task *parent, struct task *task)
{
	task->source.parent = parent;
	task->source.depth = (uint8_t)(parent->source.depth + 1u);
	task->source.tag = parent->source.tag;
	task->source.channel = parent->source.channel;
	task->source.posted = timer_now();
}

/* Of a place that may be clean, and not zero. */
static void inherit_place(struct task *parent, struct task *task, uint64_t address, bool trusted)
{
	inherit(parent, task);
	task->source.address = address;
	task->source.counted = NULL;
	task->source.opcode = 0;
	task->source.quiet = false;
	task->source.trusted = trusted;
}

/* A task of a pass is not in the name table, and has no dependents. Its TMD was checked as one that a kernel chose when
 * its state was made, so all that can have changed since is what the configuration allows. */
bool submit_pass(struct task *parent, struct task *task, const struct task_rules *rules,
		 uint64_t first, uint64_t ctas)
{
	inherit_place(parent, task, 0, parent->source.trusted);
	task->tmd.header = (task->tmd.header & ~(uint32_t)GG_TMD_PRIORITY) |
			   gg_put(GG_TMD_PRIORITY, parent->rules.priority);
	if (!tmd_check_known(task, rules)) {
		return false;
	}
	if (ctas != 0) {
		task_work_set(task, first, ctas);
	} else if (task->work.left != 1) {
		tmd_choose_mode(task);
	}
	enter(task);
	life_adopt(parent, task);
	life_begin(task);
	return true;
}

/* A child never waits for room, but is refused: its parent holds an SM, which may be what the tasks that would make
 * room need. */
struct refusal submit_child(struct task *parent, struct task_name name, bool trusted)
{
	struct task *task;
	struct refusal answer;

	if (parent->source.depth >= LIFE_DEPTH) {
		return refusal_of(GG_ERR_DEPTH, 0, LIFE_DEPTH);
	}
	task = dependence_has_room() ? submit_take(parent, name, trusted) : NULL;
	if (task == NULL) {
		return refusal_of(GG_ERR_NO_MEMORY, 0, 0);
	}
	inherit_place(parent, task, name.address, trusted);
	if (!submit(task, name)) {
		answer = task->failure;
		task_give(task);
		return answer;
	}
	life_adopt(parent, task);
	life_begin(task);
	return refusal_none();
}

void submit_give(struct task *task)
{
	if (!TMD_KEPT_LOOK) { /* the stages do not look for clean places */
		task_give(task);
		return;
	}
	task->source.parent = NULL;
	task->source.depth = 0;
	task_give_over(task);
}

void submit_close(struct task *task)
{
	const struct task_kind *kind = task_kind_of(task);

	count(task, false);
	if (kind != NULL) {
		kind->give(task);
	}
	if (task_is_pull(task) || retry_is_on(task)) {
		range_drop(task);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/graph/graph_begin.h"
#include "firmware/cp/graph/graph_decode.h"
#include "firmware/cp/graph/graph_kept.h"
#include "firmware/cp/graph/graph_make.h"
#include "firmware/cp/graph/graph_play.h"
#include "firmware/cp/graph/graph_start.h"
#include "firmware/cp/graph/graph_store.h"
#include "firmware/cp/life/life.h"
#include "firmware/graph/history.h"
#include "hal/timer.h"

_Static_assert(sizeof(struct graph_job) <= offsetof(struct task, serial),
	       "a job fits a place of the task pool");

#define GRAPHS 8u /* graphs that work in a turn of the loop, at most */

static struct task *active;    /* tasks whose jobs have begun and are not closed, oldest first */
static struct task *first_now; /* the one to look at first in the next turn; NULL: the oldest */
static uint32_t seen_changes;  /* graph_store_changes() when waiting jobs were last woken */

void graph_init(void *memory, uint64_t bytes)
{
	active = NULL;
	first_now = NULL;
	seen_changes = 0;
	graph_store_init(memory, bytes);
	graph_kept_init();
	graph_history_init();
}

static __attribute__((cold)) bool graph_open(struct task *task)
{
	struct gg_graph settings;
	struct graph_job *job;

	if (!graph_decode(task, &settings)) {
		return false;
	}
	job = task_take_place();
	if (job == NULL) {
		return task_refuse(task, GG_ERR_NO_MEMORY, 0, 0);
	}
	memset(job, 0, sizeof(*job));
	job->settings = settings;
	job->too_large = refusal_of(GG_ERR_GRAPH_TOO_LARGE, GG_FIELD_GRAPH_PROGRAM_BYTES,
				    settings.program_bytes);
	task->graph = job;
	return true;
}

static bool graph_is_closed(const struct task *task)
{
	return task->graph->stage == GRAPH_STAGE_NEW || task->graph->stage == GRAPH_STAGE_CLOSED;
}

/* If the task failed after it kept its graph, nobody learns the handle: the graph is freed. */
static void graph_give(struct task *task)
{
	if (task->graph != NULL) {
		assert(graph_is_closed(task));
		if (task_has_failed(task)) {
			(void)graph_kept_free(task->graph->kept);
		}
		task_give_place(task->graph);
		task->graph = NULL;
	}
}

static uint64_t deadline_of(const struct graph_job *job)
{
	const uint32_t limit_ms = job->settings.time_limit_ms;

	return limit_ms == 0
		       ? UINT64_MAX
		       : timer_now() + (uint64_t)limit_ms * device.cap->timebase_hz / 1000u + 1;
}

/* The list is in order of age, so that the oldest job gets memory and kept graphs first. */
static void append(struct task *task)
{
	struct task **link = &active;

	while (*link != NULL) {
		link = &(*link)->graph->next;
	}
	task->graph->next = NULL;
	*link = task;
	due_set(DUE_GRAPH);
}

static void graph_begin(struct task *task)
{
	struct graph_job *job = task->graph;

	job->due = true;
	if (job->stage == GRAPH_STAGE_NEW) {
		job->stage = GRAPH_STAGE_OPEN;
		job->deadline = deadline_of(job);
		append(task);
	}
}

static void graph_stop(struct task *task)
{
	task->graph->due = true;
}

static void graph_child_ended(struct task *task, struct task *child)
{
	graph_start_ended(task, child);
	task->graph->due = true;
}

const struct task_kind graph_kind = {
	.open = graph_open,
	.give = graph_give,
	.begin = graph_begin,
	.stop = graph_stop,
	.is_closed = graph_is_closed,
	.child_issued = graph_start_issued,
	.child_ended = graph_child_ended,
};

/* Memory or a kept graph may be free now: all jobs that wait for one try again. */
static void wake_waiting(void)
{
	for (struct task *task = active; task != NULL; task = task->graph->next) {
		task->graph->due |= task->graph->stage == GRAPH_STAGE_OPEN;
	}
}

static void unlink_job(struct task *task)
{
	struct task **link = &active;

	while (*link != task) {
		link = &(*link)->graph->next;
	}
	*link = task->graph->next;
	if (active == NULL) {
		due_clear(DUE_GRAPH);
	}
	first_now = first_now == task ? task->graph->next : first_now;
}

static void close_job(struct task *task)
{
	struct graph_job *job = task->graph;

	unlink_job(task);
	job->stage = GRAPH_STAGE_CLOSED;
	if (job->image != NULL) {
		graph_kept_release(job->image);
	}
	wake_waiting();
	life_close(task);
}

static void make(struct task *task)
{
	struct graph_job *job = task->graph;

	if (task_has_failed(task)) {
		close_job(task);
		return;
	}
	const struct refusal refusal = graph_make_step(task);

	job->due = job->stage != GRAPH_STAGE_OPEN;
	if (refusal.status == GG_ERR_GRAPH_TOO_LARGE && job->making != NULL) {
		graph_begin_again(task, refusal);
	} else if (refusal.status != GG_OK) {
		life_fail(task, &refusal, 0);
		close_job(task);
	}
}

/* A job that failed before its run began writes no report. */
static void step(struct task *task)
{
	const struct graph_job *job = task->graph;

	if (job->stage < GRAPH_STAGE_BEGIN) {
		make(task);
	} else if ((job->stage < GRAPH_STAGE_RUN && task_has_failed(task)) ||
		   graph_play_step(task)) {
		close_job(task);
	}
}

static void check_deadline(struct task *task)
{
	struct graph_job *job = task->graph;

	if (job->deadline != UINT64_MAX && timer_now() >= job->deadline) {
		job->deadline = UINT64_MAX;
		const struct refusal late =
			refusal_of(GG_ERR_TIME_LIMIT, GG_FIELD_GRAPH_TIME_LIMIT_MS,
				   job->settings.time_limit_ms);

		life_fail(task, &late, 0);
	}
}

static bool is_due(const struct task *task)
{
	const struct graph_job *job = task->graph;

	return job->due || (job->starved && graph_start_has_room(job->image));
}

/* Round robin, from the job behind the last one that was looked at. */
static void step_some(void)
{
	struct task *task = first_now != NULL ? first_now : active;
	uint32_t visits = 0;
	uint32_t steps = 0;

	for (struct task *each = active; each != NULL; each = each->graph->next) {
		visits++;
	}
	for (; visits != 0 && steps < GRAPHS; visits--) {
		first_now = task->graph->next;
		if (is_due(task)) {
			step(task);
			steps++;
		}
		task = first_now != NULL ? first_now : active;
	}
}

void graph_turn(void)
{
	for (struct task *task = active; task != NULL; task = task->graph->next) {
		check_deadline(task);
	}
	if (seen_changes != graph_store_changes()) {
		seen_changes = graph_store_changes();
		wake_waiting();
	}
	step_some();
}

bool graph_is_due(void)
{
	for (const struct task *task = active; task != NULL; task = task->graph->next) {
		if (is_due(task)) {
			return true;
		}
	}
	return active != NULL && seen_changes != graph_store_changes();
}

uint64_t graph_deadline(void)
{
	uint64_t first = UINT64_MAX;

	for (const struct task *task = active; task != NULL; task = task->graph->next) {
		first = task->graph->deadline < first ? task->graph->deadline : first;
	}
	return first;
}

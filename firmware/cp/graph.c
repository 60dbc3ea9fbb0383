/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/device.h"
#include "firmware/cp/graph_decode.h"
#include "firmware/cp/graph_kept.h"
#include "firmware/cp/graph_make.h"
#include "firmware/cp/graph_play.h"
#include "firmware/cp/graph_start.h"
#include "firmware/cp/graph_store.h"
#include "firmware/cp/life.h"
#include "firmware/graph/history.h"
#include "hal/timer.h"

_Static_assert(sizeof(struct graph_job) <= offsetof(struct task, serial), "a job fits a place");

static struct task *active; /* tasks whose jobs have begun and are not closed, oldest first */

void graph_init(void *memory, uint64_t bytes)
{
	active = NULL;
	graph_store_init(memory, bytes);
	graph_kept_init();
	graph_history_init();
}

bool graph_open(struct task *task)
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
	job->deadline = UINT64_MAX;
	task->graph = job;
	return true;
}

void graph_give(struct task *task)
{
	if (task->graph != NULL) {
		assert(graph_is_closed(task));
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

/* Who has waited longest comes first to memory and kept graphs. */
static void append(struct task *task)
{
	struct task **link = &active;

	while (*link != NULL) {
		link = &(*link)->graph->next;
	}
	task->graph->next = NULL;
	*link = task;
}

void graph_begin(struct task *task)
{
	struct graph_job *job = task->graph;

	job->due = true;
	if (job->stage == GRAPH_STAGE_NEW) {
		job->stage = GRAPH_STAGE_OPEN;
		job->deadline = deadline_of(job);
		append(task);
	}
}

void graph_stop(struct task *task)
{
	task->graph->due = true;
}

bool graph_is_closed(const struct task *task)
{
	return task->graph->stage == GRAPH_STAGE_NEW || task->graph->stage == GRAPH_STAGE_CLOSED;
}

void graph_child_ended(struct task *task, struct task *child)
{
	graph_start_ended(task, child);
	task->graph->due = true;
}

void graph_child_issued(struct task *child)
{
	graph_start_issued(child);
}

static bool has_failed(const struct task *task)
{
	return task->failure.status != GG_OK;
}

/* Memory, or a kept graph, may be free now: those that wait look again. */
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
}

static void close_job(struct task *task)
{
	struct graph_job *job = task->graph;

	unlink_job(task);
	job->stage = GRAPH_STAGE_CLOSED;
	job->due = false;
	if (job->image != NULL) {
		graph_kept_release(job->image);
		job->image = NULL;
		job->making = NULL;
	}
	wake_waiting();
	life_close(task);
}

static void make(struct task *task)
{
	struct graph_job *job = task->graph;
	const bool packs = job->stage == GRAPH_STAGE_PACK;
	struct refusal refusal;

	if (has_failed(task)) {
		close_job(task);
		return;
	}
	job->due = graph_make_step(task, &refusal);
	if (packs && job->stage != GRAPH_STAGE_PACK) {
		wake_waiting(); /* the rest of its block is free */
	}
	if (refusal.status != GG_OK) {
		life_fail(task, refusal, 0);
		close_job(task);
	}
}

/* One that failed before its run began has nothing to report. */
static void step(struct task *task)
{
	struct graph_job *job = task->graph;

	job->due = false;
	if (job->stage < GRAPH_STAGE_BEGIN) {
		make(task);
	} else if ((job->stage < GRAPH_STAGE_RUN && has_failed(task)) || graph_play_step(task)) {
		close_job(task);
	}
}

static void check_deadline(struct task *task)
{
	struct graph_job *job = task->graph;

	if (job->deadline != UINT64_MAX && timer_now() >= job->deadline) {
		job->deadline = UINT64_MAX;
		life_fail(task,
			  refusal_of(GG_ERR_TIME_LIMIT, GG_FIELD_GRAPH_TIME_LIMIT_MS,
				     job->settings.time_limit_ms),
			  0);
	}
}

void graph_turn(void)
{
	struct task *next;

	for (struct task *task = active; task != NULL; task = next) {
		next = task->graph->next;
		check_deadline(task);
		if (task->graph->due) {
			step(task);
		}
	}
}

bool graph_is_due(void)
{
	for (const struct task *task = active; task != NULL; task = task->graph->next) {
		if (task->graph->due) {
			return true;
		}
	}
	return false;
}

uint64_t graph_deadline(void)
{
	uint64_t first = UINT64_MAX;

	for (const struct task *task = active; task != NULL; task = task->graph->next) {
		first = task->graph->deadline < first ? task->graph->deadline : first;
	}
	return first;
}

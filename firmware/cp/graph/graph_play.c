/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_play.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/graph/graph_command.h"
#include "firmware/cp/graph/graph_kept.h"
#include "firmware/cp/graph/graph_report.h"
#include "firmware/cp/graph/graph_start.h"
#include "firmware/cp/life/life.h"
#include "firmware/graph/run_begin.h"
#include "hal/timer.h"

#define UNISSUED 4u  /* tasks with CTAs left to issue, at most; enough to keep the SMs busy */
#define AT_ONCE  48u /* passes that run at once, at most; the host can set fewer */
#define PIECES   64u /* passes reset, or reported, in a turn */

_Static_assert(AT_ONCE <= GRAPH_FLIGHTS, "an argument block for each pass");

static void next_stage(struct graph_job *job, enum graph_stage stage)
{
	job->stage = (uint8_t)stage;
	job->cursor = 0;
	job->due = true;
}

/* The graph is only kept, and not run. */
static void keep(struct task *task)
{
	const uint32_t handle = graph_kept_add(task->graph->image);

	if (handle == 0) {
		const struct refusal full =
			refusal_of(GG_ERR_BUSY, GG_FIELD_GRAPH_KEEP, GRAPH_KEPT);

		life_fail(task, &full, 0);
	} else {
		task->graph->kept = handle;
		task_answer(task, handle);
	}
}

/* Nothing was left to issue, or to resume, when the last run of a kept graph was over. */
static void begin_run(struct task *task)
{
	struct graph_image *image = task->graph->image;
	const struct gg_graph *settings = &task->graph->settings;

	image->space = gg_join(settings->space_lo, settings->space_hi);
	image->free_blocks = UINT64_MAX;
	image->fault = 0;
}

static struct graph_limits limits_of(const struct graph_job *job)
{
	const bool resource =
		gg_get(job->settings.mode, GG_GRAPH_EMPHASIS) == GG_GRAPH_EMPHASIS_RESOURCE;
	const uint32_t stated = job->settings.at_once;
	struct graph_limits limits = { .resource = resource };

	memcpy(limits.budgets, job->settings.budgets, sizeof(limits.budgets));
	limits.at_once = stated != 0 && stated < AT_ONCE ? stated
			 : stated == 0 && resource       ? 1
							 : AT_ONCE;
	return limits;
}

/* Resets the counters and states of the passes for this run. */
static void reset_run(struct task *task)
{
	struct graph_job *job = task->graph;
	const struct graph_limits limits = limits_of(job);

	graph_run_begin(&job->image->run, &job->image->graph, &limits, &job->cursor, PIECES);
	if (job->cursor == UINT32_MAX) {
		next_stage(job, GRAPH_STAGE_RUN);
	}
}

static void begin(struct task *task)
{
	struct graph_job *job = task->graph;

	job->image->made = timer_now();
	if (gg_get(job->settings.mode, GG_GRAPH_KEEP) != 0) {
		keep(task);
		next_stage(job, GRAPH_STAGE_REPORT);
		return;
	}
	begin_run(task);
	next_stage(job, GRAPH_STAGE_CHECK);
}

static void check_resources(struct task *task)
{
	struct graph_job *job = task->graph;
	const struct refusal refusal = graph_command_check_resources(task, &job->cursor, PIECES);

	if (refusal.status != GG_OK) {
		life_fail(task, &refusal, 0);
	} else if (job->cursor == UINT32_MAX) {
		next_stage(job, GRAPH_STAGE_RESET);
	}
}

static void resume_passes(struct task *task)
{
	struct graph_image *image = task->graph->image;

	while (image->resumes != 0 && graph_start_has_room(image) && graph_start_has_turn(image)) {
		graph_start_advance(task, image->resume[--image->resumes]);
	}
}

static void start_passes(struct task *task)
{
	struct graph_image *image = task->graph->image;
	struct graph_run *graph_run = &image->run;

	while ((graph_run->ready | graph_run->doomed) != 0 && graph_start_has_turn(image) &&
	       image->unissued < UNISSUED && graph_start_has_room(image) && !task->life.suspended) {
		const uint32_t pass = graph_run_next(graph_run, timer_now());

		if (pass == GRAPH_NONE) {
			task->graph->due |= graph_run->more;
			return;
		}
		graph_start_advance(task, pass);
	}
}

/* Starts no more passes. Those that run end by themselves, because their tasks were cancelled with the GRAPH task. */
static void stop_run(struct task *task)
{
	struct graph_image *image = task->graph->image;

	graph_run_stop(&image->run);
	while (image->resumes != 0) {
		graph_run_end(&image->run, image->resume[--image->resumes], GG_ERR_CANCELLED,
			      timer_now());
	}
	/* skips the passes that are left, and returns none */
	(void)graph_run_next(&image->run, timer_now());
	task->graph->due = image->run.more;
}

/* The GRAPH task fails with the status of its first pass that failed (S2-Q19). */
static void tell_failure(struct task *task)
{
	const struct graph_image *image = task->graph->image;
	const uint32_t first = image->run.first_failed;

	if (image->run.failed != 0) {
		const struct refusal failure =
			refusal_of((enum gg_status)image->graph.passes[first].status,
				   GG_FIELD_GRAPH_PASS_STATE, first);

		life_fail(task, &failure, image->fault);
	}
}

/* Whether there is work for which there is no room. Then the loop has to watch the room, because the graph may have no
 * task whose end would make it due. */
static bool is_starved(const struct task *task)
{
	const struct graph_image *image = task->graph->image;
	const struct graph_run *graph_run = &image->run;

	return !task_has_failed(task) && !graph_start_has_room(image) &&
	       (image->resumes != 0 ||
		(!task->life.suspended && (graph_run->ready | graph_run->doomed) != 0));
}

static void run(struct task *task)
{
	struct graph_job *job = task->graph;

	job->image->begun = 0;
	if (task_has_failed(task)) {
		stop_run(task);
	} else {
		resume_passes(task);
		start_passes(task);
		job->due |= !graph_start_has_turn(job->image);
	}
	job->starved = is_starved(task);
	if (graph_run_is_over(&job->image->run)) {
		tell_failure(task);
		next_stage(job, GRAPH_STAGE_REPORT);
	}
}

static void report(struct task *task)
{
	graph_report_write(task, &task->graph->cursor, PIECES);
}

static void (*const steps[])(struct task *task) = {
	[0] = begin,
	[GRAPH_STAGE_CHECK - GRAPH_STAGE_BEGIN] = check_resources,
	[GRAPH_STAGE_RESET - GRAPH_STAGE_BEGIN] = reset_run,
	[GRAPH_STAGE_RUN - GRAPH_STAGE_BEGIN] = run,
	[GRAPH_STAGE_REPORT - GRAPH_STAGE_BEGIN] = report,
};

bool graph_play_step(struct task *task)
{
	struct graph_job *job = task->graph;

	/* a run is due only when something happens to it */
	job->due = job->stage != GRAPH_STAGE_RUN;
	steps[job->stage - GRAPH_STAGE_BEGIN](task);
	return job->stage == GRAPH_STAGE_REPORT && job->cursor == UINT32_MAX;
}

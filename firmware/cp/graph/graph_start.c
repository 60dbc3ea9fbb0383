/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_start.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/graph/graph_command.h"
#include "firmware/cp/graph/graph_state.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/accept/submit.h"
#include "hal/timer.h"

#define PARTS    16u /* parts of a grid, at most */
#define COMMANDS 8u  /* commands of a graph begun in a turn, at most */

bool graph_start_has_room(const struct graph_image *image)
{
	const bool idle = image->free_blocks == UINT64_MAX;

	return image->free_blocks != 0 && task_pool_free() >= (idle ? 1 : SUBMIT_RESERVE + PARTS);
}

bool graph_start_has_turn(const struct graph_image *image)
{
	return image->begun < COMMANDS;
}

static uint32_t take_block(struct graph_image *image)
{
	const uint32_t low = gg_low(image->free_blocks);
	const uint32_t block =
		low != 0 ? bits_lowest(low) : 32 + bits_lowest(gg_high(image->free_blocks));

	image->free_blocks &= image->free_blocks - 1;
	return block;
}

/* Takes a place with the TMD of a state. One that has run a task of the same state last has it already. */
static struct task *take_place(const struct graph_dispatch *dispatch)
{
	struct task *child = dispatch->rules->kept != 0 ? task_take_known() : task_take();

	if (child != NULL &&
	    (child->rules.kept == 0 || child->rules.kept != dispatch->rules->kept)) {
		child->tmd = *dispatch->tmd;
	}
	return child;
}

/* Submits one part of a grid, CTAs [first, first + ctas), as a child. The TMD was checked with its state, but is
 * checked again, because the configuration may have changed since. */
static struct refusal start_part(struct task *task, uint32_t pass,
				 const struct graph_dispatch *dispatch, struct graph_part part)
{
	struct task *child = take_place(dispatch);

	if (child == NULL) {
		return refusal_of(GG_ERR_NO_MEMORY, 0, 0);
	}
	child->tmd.grid_x = dispatch->grid_x;
	child->tmd.grid_yz = dispatch->grid_yz;
	child->tmd.args_bytes = dispatch->args_bytes;
	gg_split(&child->tmd.args_lo, &child->tmd.args_hi, dispatch->args);
	child->pass.number = pass + 1;
	child->pass.block = part.block;
	if (!submit_pass(task, child, dispatch->rules, part.first, part.ctas)) {
		const struct refusal refusal = child->failure;

		task_give(child);
		return refusal;
	}
	child->pass.unissued = true;
	graph_image_of(task)->unissued++;
	graph_image_of(task)->graph.passes[pass].parts++;
	return refusal_none();
}

/* Into how many parts a grid is split. */
static uint32_t parts_of(const struct task *task, const struct graph_dispatch *dispatch)
{
	const uint32_t most = task->graph->settings.split_ctas;
	const uint64_t parts = most != 0 && dispatch->splits ? (dispatch->ctas - 1) / most + 1 : 1;

	if (task_pool_free() < SUBMIT_RESERVE + PARTS) {
		return 1;
	}
	return parts < PARTS ? (uint32_t)parts : PARTS;
}

static struct refusal start_grid(struct task *task, uint32_t pass, struct graph_dispatch *dispatch)
{
	struct graph_image *image = graph_image_of(task);
	const uint32_t parts = parts_of(task, dispatch);
	struct graph_part part = { .block = (uint8_t)take_block(image) };
	const uint64_t most = (dispatch->ctas - 1) / parts + 1;
	struct refusal refusal = refusal_none();

	graph_command_arguments(task, dispatch, part.block);

	while (part.first < dispatch->ctas && refusal.status == GG_OK) {
		const uint64_t left = dispatch->ctas - part.first;

		part.ctas = parts == 1 ? 0 : left < most ? left : most;
		refusal = start_part(task, pass, dispatch, part);
		part.first += parts == 1 ? left : part.ctas;
	}
	if (image->graph.passes[pass].parts == 0) {
		image->free_blocks |= (uint64_t)1 << part.block;
	}
	return refusal;
}

/* Kept out of line, off the path of each pass. */
static __attribute__((noinline)) void trace_pass(const struct task *task, uint32_t number)
{
	const struct graph_pass *pass = &graph_image_of(task)->graph.passes[number];

	trace_write(task, trace_kind(GG_TRACE_TYPE_PASS, TRACE_NO_SM), number,
		    (uint32_t)pass->status, pass->started_at, pass->ended_at);
}

static void end_pass(struct task *task, uint32_t number, enum gg_status status)
{
	struct graph_image *image = graph_image_of(task);

	graph_run_end(&image->run, number, status, timer_now());
	if (trace_is_on()) {
		trace_pass(task, number);
	}
	if (status == GG_OK) {
		graph_state_learn(image, number);
	}
}

void graph_start_advance(struct task *task, uint32_t number)
{
	struct graph_image *image = graph_image_of(task);
	struct graph_pass *pass = &image->graph.passes[number];
	struct refusal refusal = refusal_none();

	for (; pass->command < pass->commands && refusal.status == GG_OK; pass->command++) {
		struct graph_dispatch dispatch;

		if (!graph_start_has_turn(image)) {
			image->resume[image->resumes++] = number;
			return;
		}
		image->begun++;
		dispatch.ctas = 0; /* all else is filled in for a grid only */
		refusal = graph_command_do(
			task, &image->graph.commands[pass->first_command + pass->command],
			&dispatch);
		if (refusal.status == GG_OK && dispatch.ctas != 0) {
			refusal = start_grid(task, number, &dispatch);
			if (pass->parts != 0) {
				pass->status = (int16_t)refusal.status;
				return; /* graph_start_ended() goes on with the pass */
			}
		}
	}
	end_pass(task, number, refusal.status);
}

void graph_start_issued(struct task *child)
{
	struct task *task = child->source.parent;

	if (child->pass.unissued) {
		child->pass.unissued = false;
		graph_image_of(task)->unissued--;
		task->graph->due |= graph_image_of(task)->run.ready != 0;
	}
}

/* A part of a grid has failed: cancels its other parts. */
static void cancel_parts(struct task *task, uint32_t pass)
{
	for (struct task *child = task->family.child; child != NULL;
	     child = child->family.sibling_next) {
		if (child->pass.number == pass) {
			life_cancel(child);
		}
	}
}

void graph_start_ended(struct task *task, struct task *child)
{
	struct graph_image *image = graph_image_of(task);
	const uint32_t number = child->pass.number - 1;
	struct graph_pass *pass = &image->graph.passes[number];

	graph_start_issued(child);
	task_work_gather(task, child);
	pass->ctas += child->work.done;
	pass->parts--;
	child->pass.number = 0;
	if (task_has_failed(child) && pass->status == GG_OK) {
		pass->status = (int16_t)child->failure.status;
		if (image->fault == 0) {
			image->fault = child->fault;
		}
		cancel_parts(task, number + 1);
	}
	if (pass->parts != 0) {
		return;
	}
	image->free_blocks |= (uint64_t)1 << child->pass.block;
	if (pass->status != GG_OK || ++pass->command == pass->commands) {
		end_pass(task, number, (enum gg_status)pass->status);
	} else {
		image->resume[image->resumes++] = number;
	}
}

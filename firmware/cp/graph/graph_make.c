/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_make.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/graph/graph_begin.h"
#include "firmware/cp/graph/graph_decode.h"
#include "firmware/cp/graph/graph_state.h"
#include "firmware/cp/graph/graph_store.h"
#include "firmware/graph/build.h"
#include "firmware/graph/code_open.h"
#include "firmware/graph/order.h"
#include "firmware/graph/plan.h"
#include "firmware/graph/verify.h"

#define COPY_BYTES 4096u /* bytes copied, or moved, in a turn */
#define STEPS      256u  /* steps of the program, or accesses, in a turn */
#define STATES     2u    /* states checked in a turn */

static void next_stage(struct graph_job *job)
{
	job->stage++;
	job->cursor = 0;
}

/* A stage with a cursor is done when the cursor is UINT32_MAX. */
static struct refusal finish_piece(struct graph_job *job, struct refusal refusal)
{
	if (refusal.status == GG_OK && job->cursor == UINT32_MAX) {
		next_stage(job);
	}
	return refusal;
}

static struct refusal copy(struct task *task)
{
	struct graph_job *job = task->graph;
	const struct gg_graph *settings = &job->settings;
	const uint64_t from = gg_join(settings->program_lo, settings->program_hi) + job->cursor;
	const uint32_t left = settings->program_bytes - job->cursor;
	const uint32_t bytes = left < COPY_BYTES ? left : COPY_BYTES;

	memcpy(job->making->copy + job->cursor, device_pointer(from), bytes);
	job->cursor += bytes;
	if (job->cursor == settings->program_bytes) {
		next_stage(job);
	}
	return refusal_none();
}

static struct refusal verify(struct task *task)
{
	struct graph_job *job = task->graph;
	struct graph_making *making = job->making;

	if (making->program.header == NULL) {
		return graph_code_open(&making->program, making->copy, job->settings.program_bytes);
	}
	return finish_piece(job, graph_code_verify(&making->program, job->settings.argument_count,
						   &job->cursor, STEPS));
}

/* The arrays of the graph get the memory between the states and struct graph_making. */
static struct refusal begin_graph(struct task *task)
{
	struct graph_job *job = task->graph;
	struct graph_image *image = job->image;
	const struct graph_program *program = &job->making->program;
	const struct gg_graph_program *header = program->header;
	unsigned char *arrays = (unsigned char *)(image->states + image->state_count);
	const uint64_t before = (uint64_t)(arrays - (unsigned char *)image);
	const enum gg_status status = graph_build_begin(
		&image->graph, arrays, job->making->room - before, program->resources,
		header->resources, gg_get(header->rules, GG_GRAPH_PROGRAM_UNORDERED) != 0,
		(uint8_t)(device.cap->xlen / 8));

	if (status != GG_OK) {
		return refusal_of(status, GG_FIELD_GRAPH_PROGRAM_RESOURCES, header->resources);
	}
	graph_code_begin(&job->making->machine, program, &job->making->outside, &image->graph);
	next_stage(job);
	return refusal_none();
}

static const uint32_t *see_word(void *context, uint64_t address)
{
	return graph_decode_memory(context, address, 4);
}

static struct refusal take_states(struct task *task)
{
	const struct gg_graph_program *header = task->graph->making->program.header;
	struct graph_making *making = task->graph->making;
	struct graph_image *image = graph_image_of(task);

	image->states = (struct graph_state *)(image + 1);
	image->copy_state = header->copy_state;
	image->fill_state = header->fill_state;
	making->outside = (struct graph_outside){
		.arguments = image->arguments,
		.argument_count = image->argument_count,
		.step_budget = task->graph->settings.step_budget,
		.word = see_word,
		.context = task,
	};
	if ((uint64_t)(header->states + 1) * sizeof(struct graph_state) + sizeof(*image) >
	    making->room) {
		return refusal_of(GG_ERR_GRAPH_TOO_LARGE, GG_FIELD_GRAPH_PROGRAM_STATES,
				  header->states);
	}
	return refusal_none();
}

static struct refusal check_states(struct task *task)
{
	struct graph_job *job = task->graph;
	struct graph_image *image = job->image;
	const struct graph_program *program = &job->making->program;
	struct refusal refusal = refusal_none();

	if (image->states == NULL) {
		refusal = take_states(task);
	}
	for (uint32_t step = 0; step < STATES && refusal.status == GG_OK &&
				image->state_count < program->header->states;
	     step++) {
		refusal = graph_state_take(task, &program->states[image->state_count],
					   &image->states[image->state_count]);
		image->state_count++;
	}
	if (refusal.status == GG_OK && image->state_count == program->header->states) {
		refusal = begin_graph(task);
	}
	return refusal;
}

static struct refusal execute(struct task *task)
{
	struct graph_job *job = task->graph;
	struct graph_machine *machine = &job->making->machine;
	const struct refusal refusal = graph_code_run(machine, STEPS);

	if (refusal.status == GG_OK && machine->over) {
		next_stage(job);
	}
	return refusal;
}

static struct refusal link_passes(struct task *task)
{
	struct graph_job *job = task->graph;

	return finish_piece(job, graph_build_end(&job->image->graph, &job->cursor, STEPS));
}

static struct refusal order(struct task *task)
{
	struct graph_job *job = task->graph;

	return finish_piece(job, graph_order_make(&job->image->graph, &job->cursor, STEPS));
}

static struct refusal plan(struct task *task)
{
	struct graph_job *job = task->graph;
	const uint64_t space = gg_join(job->settings.space_bytes_lo, job->settings.space_bytes_hi) -
			       GRAPH_FLIGHTS * GRAPH_ARGUMENT_BYTES;

	return finish_piece(job, graph_plan(&job->image->graph, space, job->image->resource,
					    &job->cursor, STEPS));
}

static struct refusal pack(struct task *task)
{
	struct graph_job *job = task->graph;
	struct graph_image *image = job->image;

	graph_build_pack(&image->graph, &job->cursor, COPY_BYTES);
	if (job->cursor == UINT32_MAX) {
		const unsigned char *arrays = (unsigned char *)(image->states + image->state_count);

		job->making = NULL;
		graph_store_close(image, (uint64_t)(arrays - (unsigned char *)image) +
						 graph_build_bytes(&image->graph));
		next_stage(job);
	}
	return refusal_none();
}

/* The ranks of a kept graph hold as long as the estimates from which they come. */
static struct refusal look(struct task *task)
{
	struct graph_job *job = task->graph;
	const bool holds = graph_state_holds(job, &job->cursor, STEPS);

	if (!holds || job->cursor == UINT32_MAX) {
		job->stage = holds ? GRAPH_STAGE_BEGIN : GRAPH_STAGE_ESTIMATE;
		job->cursor = 0;
	}
	return refusal_none();
}

static struct refusal estimate(struct task *task)
{
	struct graph_job *job = task->graph;

	return finish_piece(job, graph_state_estimate(task, &job->cursor, STEPS / 4));
}

static struct refusal rank(struct task *task)
{
	struct graph_job *job = task->graph;

	graph_order_rank(&job->image->graph, &job->cursor, STEPS);
	return finish_piece(job, refusal_none());
}

static struct refusal (*const steps[])(struct task *task) = {
	[GRAPH_STAGE_OPEN] = graph_begin_open,
	[GRAPH_STAGE_LOOK] = look,
	[GRAPH_STAGE_COPY] = copy,
	[GRAPH_STAGE_VERIFY] = verify,
	[GRAPH_STAGE_STATES] = check_states,
	[GRAPH_STAGE_CODE] = execute,
	[GRAPH_STAGE_LINK] = link_passes,
	[GRAPH_STAGE_ORDER] = order,
	[GRAPH_STAGE_PLAN] = plan,
	[GRAPH_STAGE_PACK] = pack,
	[GRAPH_STAGE_ESTIMATE] = estimate,
	[GRAPH_STAGE_RANK] = rank,
};

struct refusal graph_make_step(struct task *task)
{
	return steps[task->graph->stage](task);
}

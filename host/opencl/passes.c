/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/passes.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/opencl/moves.h"
#include "host/opencl/submit.h"

#define KEEP_MS 600000u
#define NO_PASS UINT32_MAX

/** A graph under construction. */
struct plan {
	cl_command_buffer_khr recording;
	struct gg_task_graph *graph;
	uint32_t *pass_of_step; /* NO_PASS: nothing has to be waited for. */
	uint32_t count;         /* Passes so far. */
	uint32_t barrier;       /* Pass of the last barrier; NO_PASS: none. */
	uint32_t open;          /* First pass after that one. */
};

/* ---- Order ------------------------------------------------------------------------------ */

static enum gg_status wait_for(const struct plan *plan, uint32_t pass)
{
	return pass == NO_PASS ? GG_OK : gg_graph_after(plan->graph, pass);
}

/** Adds what a pass comes after: the one before it (in order); or the last barrier and its sync points. */
static enum gg_status add_order(const struct plan *plan, const struct step *step)
{
	enum gg_status status = GG_OK;

	if (plan->recording->queue->in_order)
		return plan->count > 0 ? wait_for(plan, plan->count - 1) : GG_OK;
	status = wait_for(plan, plan->barrier);
	for (cl_uint i = 0; status == GG_OK && i < step->wait_count; i++)
		status = wait_for(plan, plan->pass_of_step[step->waits[i] - 1]);
	return status;
}

/** Adds a barrier: a pass that does nothing, and that all later ones come after. In order there is no need of it.
 * @param step  Without sync points it waits for all passes before. */
static enum gg_status add_barrier(struct plan *plan, const struct step *step, uint32_t *pass)
{
	enum gg_status status;

	if (plan->recording->queue->in_order || plan->count == 0) {
		*pass = plan->count > 0 ? plan->count - 1 : NO_PASS;
		return GG_OK;
	}
	status = add_order(plan, step);
	for (uint32_t i = plan->open; status == GG_OK && !step->wait_count && i < plan->count; i++)
		status = wait_for(plan, i);
	if (status == GG_OK)
		status = gg_graph_fence(plan->graph);
	if (status == GG_OK)
		status = gg_graph_end(plan->graph, pass);
	if (status == GG_OK) {
		plan->barrier = *pass;
		plan->count++;
		/* One with sync points may be overtaken by what was recorded before it. */
		plan->open = step->wait_count ? plan->open : plan->count;
	}
	return status;
}

/* ---- Commands --------------------------------------------------------------------------- */

static enum gg_status add_kernel(const struct plan *plan, const struct step *step)
{
	const struct gg_work work = call_work(&step->call);
	struct gg_graph_value *values = calloc(work.argument_count + 1, sizeof(*values));
	enum gg_status status;

	if (!values)
		return GG_ERR_NO_MEMORY;
	for (uint32_t i = 0; i < work.argument_count; i++)
		values[i].argument = work.arguments[i];
	status = gg_graph_dispatch(plan->graph, &work, values, work.argument_count);
	free(values);
	return status;
}

/** The first byte of a side on the recording's device, where it is already. */
static uint64_t address_of(const struct plan *plan, cl_mem memory, const void *pointer,
			   size_t offset)
{
	cl_device_id device = plan->recording->queue->device;

	return memory ? memory_address(memory, device) + offset : (uintptr_t)pointer;
}

static enum gg_status add_copy(const struct plan *plan, const struct step *step)
{
	const struct side *to = &step->transfer.to, *from = &step->transfer.from;

	return moves_copy(plan->graph, plan->recording->queue->device,
			  address_of(plan, to->memory, to->pointer, to->offset),
			  address_of(plan, from->memory, from->pointer, from->offset),
			  &step->transfer);
}

static enum gg_status add_fill(const struct plan *plan, const struct step *step)
{
	const struct fill *fill = &step->fill;

	return moves_fill(plan->graph, plan->recording->queue->device,
			  address_of(plan, fill->memory, fill->pointer, fill->offset), fill);
}

static enum gg_status add_step(struct plan *plan, const struct step *step, uint32_t *pass)
{
	static enum gg_status (*const add[])(const struct plan *plan, const struct step *step) = {
		[STEP_KERNEL] = add_kernel,
		[STEP_COPY] = add_copy,
		[STEP_FILL] = add_fill,
	};
	enum gg_status status;

	if (step->kind == STEP_BARRIER)
		return add_barrier(plan, step, pass);
	status = add_order(plan, step);
	if (status == GG_OK)
		status = add[step->kind](plan, step);
	if (status == GG_OK)
		status = gg_graph_end(plan->graph, pass);
	plan->count += status == GG_OK;
	return status;
}

static enum gg_status add_steps(struct plan *plan)
{
	cl_command_buffer_khr recording = plan->recording;
	enum gg_status status = GG_OK;
	uint32_t number = 0;

	for (struct step *step = recording->first; status == GG_OK && step; step = step->next) {
		uint32_t before = plan->count;

		status = add_step(plan, step, &plan->pass_of_step[number++]);
		if (plan->count > before)
			recording->step_of_pass[before] = step;
	}
	return status;
}

/* ---- The graph -------------------------------------------------------------------------- */

static enum gg_status keep(struct plan *plan)
{
	cl_command_buffer_khr recording = plan->recording;
	struct gg_graph_run how = { 0 };
	struct gg_work work = { .type = GG_TASK_TYPE_GRAPH,
				.context = recording->queue->device->context,
				.graph = &how };
	enum gg_status status = add_steps(plan);

	if (status != GG_OK || plan->count == 0)
		return status;
	status = gg_graph_program(plan->graph, &how.program, &how.program_bytes);
	if (status == GG_OK)
		status = gg_graph_keep(&work, KEEP_MS, &recording->graph);
	if (status == GG_OK)
		recording->passes = plan->count;
	return status;
}

static enum gg_status make_graph(cl_command_buffer_khr recording)
{
	struct plan plan = { .recording = recording, .barrier = NO_PASS };
	enum gg_status status = gg_graph_create(recording->queue->device->context, &plan.graph);

	if (status != GG_OK)
		return status;
	recording->step_of_pass =
		(struct step **)calloc(recording->count + 1, sizeof(struct step *));
	plan.pass_of_step = calloc(recording->count + 1, sizeof(*plan.pass_of_step));
	status = recording->step_of_pass && plan.pass_of_step ? keep(&plan) : GG_ERR_NO_MEMORY;
	free(plan.pass_of_step);
	(void)gg_graph_destroy(plan.graph);
	return status;
}

static cl_int place(cl_mem memory, cl_device_id device)
{
	uint64_t address;

	return memory ? memory_place(memory, device, &address) : CL_SUCCESS;
}

cl_int passes_place(cl_command_buffer_khr recording)
{
	cl_device_id device = recording->queue->device;
	cl_int error = CL_SUCCESS;

	for (struct step *step = recording->first; error == CL_SUCCESS && step; step = step->next) {
		const struct call *call = &step->call;

		for (uint32_t i = 0; error == CL_SUCCESS && i < call->count; i++)
			error = place(call->memories[i], device);
		if (error == CL_SUCCESS)
			error = place(step->transfer.from.memory, device);
		if (error == CL_SUCCESS)
			error = place(step->transfer.to.memory, device);
		if (error == CL_SUCCESS)
			error = place(step->fill.memory, device);
	}
	return error;
}

/** Has the addresses of all buffers, which stay the same from now on. */
static cl_int take_addresses(cl_command_buffer_khr recording)
{
	cl_int error = passes_place(recording);

	for (struct step *step = recording->first; error == CL_SUCCESS && step; step = step->next)
		error = call_place(&step->call, recording->queue->device);
	return error;
}

cl_int passes_keep(cl_command_buffer_khr recording)
{
	cl_int error = take_addresses(recording);
	struct gg_failure failure;
	char text[SUBMIT_TEXT];
	enum gg_status status;

	if (error != CL_SUCCESS)
		return error;
	status = make_graph(recording);
	if (status == GG_OK)
		return CL_SUCCESS;
	(void)gg_error_last(&failure);
	(void)snprintf(text, sizeof(text), "A command buffer of %u commands was refused: %s: %s",
		       recording->count, gg_status_name(status), failure.message);
	context_tell(recording->queue->context, text);
	free((void *)recording->step_of_pass);
	recording->step_of_pass = NULL;
	return CL_OUT_OF_RESOURCES;
}

cl_int passes_keep_again(cl_command_buffer_khr recording)
{
	struct step **const steps = recording->step_of_pass;
	const uint32_t graph = recording->graph;
	cl_int error;

	recording->step_of_pass = NULL;
	error = passes_keep(recording);
	if (error != CL_SUCCESS) {
		recording->step_of_pass = steps;
		return error;
	}
	free((void *)steps);
	recording_forget(recording, graph);
	return CL_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Command buffers that are final: finalized, replayed, asked. */
#include <stdlib.h>

#include "host/opencl/fault.h"
#include "host/opencl/info.h"
#include "host/opencl/passes.h"
#include "host/opencl/submit.h"

#define PRINT_BYTES (1u << 20)
#define REPORT_MOST 1024u /* Passes of a report, which tells the one that failed. */

/* ---- Replays on the device ---------------------------------------------------------------- */

/** What a replay's command works with. */
struct work {
	cl_command_buffer_khr recording; /* A reference. */
};

static cl_int run(cl_event event)
{
	cl_command_buffer_khr recording = ((struct work *)event->work)->recording;
	struct gg_graph_run how = { .handle = recording->graph };
	struct gg_work work = { .type = GG_TASK_TYPE_GRAPH,
				.context = event->queue->device->context,
				.graph = &how,
				.flags = GG_WORK_CUT_PRINTS,
				.print_bytes = recording->prints ? PRINT_BYTES : 0 };
	cl_int error = event->context->device_count > 1 ? passes_place(recording) : CL_SUCCESS;

	if (error != CL_SUCCESS)
		return error;
	how.report_passes = recording->passes < REPORT_MOST ? recording->passes : REPORT_MOST;
	return submit_work(event, &work, "A command buffer", "");
}

/** The first kernel of a graph that failed; the first one of all when the report does not tell; or NULL. */
static cl_kernel failed_kernel(cl_command_buffer_khr recording, struct gg_task *task)
{
	struct gg_graph_pass *passes = calloc(REPORT_MOST, sizeof(*passes));
	struct gg_graph_report report;
	cl_kernel kernel = NULL;
	uint32_t count = 0;

	if (!passes || gg_graph_report(task, &report, passes, REPORT_MOST, &count) != GG_OK)
		count = 0;
	for (uint32_t i = 0; !kernel && i < count; i++) {
		int32_t status = (int32_t)passes[i].status;

		if (status != GG_OK && status != GG_ERR_DEPENDENCY)
			kernel = recording->step_of_pass[i]->call.kernel;
	}
	free(passes);
	for (struct step *step = recording->first; !kernel && step; step = step->next)
		kernel = step->call.kernel;
	return kernel;
}

static void tell_failure(cl_event event, const struct gg_done *done)
{
	cl_command_buffer_khr recording = ((struct work *)event->work)->recording;
	cl_kernel kernel = failed_kernel(recording, event->task);
	char text[SUBMIT_TEXT] = "A command buffer failed.";

	if (kernel)
		fault_describe(kernel, event->queue->device, done, text, sizeof(text));
	context_tell(event->context, text);
}

static void completed(cl_event event)
{
	const struct work *work = event->work;
	struct gg_done done = { 0 };
	cl_int status = CL_COMPLETE;

	if (!submit_completed(event, work->recording->prints, &done))
		return;
	if (done.status != GG_OK) {
		tell_failure(event, &done);
		status = submit_error((enum gg_status)done.status);
	}
	command_ended(event, status, done.times[GG_TIME_FIRST], done.times[GG_TIME_DONE]);
}

static void end(void *work)
{
	object_drop(((struct work *)work)->recording);
}

/* ---- Replays that are on their way -------------------------------------------------------- */

static cl_command_buffer_state_khr state_of(cl_command_buffer_khr recording)
{
	cl_command_buffer_state_khr state = CL_COMMAND_BUFFER_STATE_RECORDING_KHR;

	(void)pthread_mutex_lock(&recording->lock);
	if (recording->final)
		state = recording_is_pending(recording) ? CL_COMMAND_BUFFER_STATE_PENDING_KHR
							: CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
	(void)pthread_mutex_unlock(&recording->lock);
	return state;
}

/** Has room for one more replay. The lock is held. */
static bool make_room(cl_command_buffer_khr recording)
{
	uint32_t room = 2 * recording->replay_room + 8;
	struct replay *replays;

	if (recording->replay_count < recording->replay_room)
		return true;
	(void)recording_is_pending(recording);
	if (recording->replay_count < recording->replay_room / 2)
		return true;
	replays = realloc(recording->replays, room * sizeof(*replays));
	if (!replays)
		return false;
	recording->replays = replays;
	recording->replay_room = room;
	return true;
}

/** Counts a replay that is about to be posted. */
static cl_int join(cl_command_buffer_khr recording, cl_event event)
{
	const bool many = (recording->flags & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) != 0;
	cl_int error = CL_SUCCESS;

	(void)pthread_mutex_lock(&recording->lock);
	if (!many && recording_is_pending(recording))
		error = CL_INVALID_OPERATION;
	else if (!make_room(recording))
		error = CL_OUT_OF_HOST_MEMORY;
	else
		recording->replays[recording->replay_count++] =
			(struct replay){ event, event->object.serial };
	(void)pthread_mutex_unlock(&recording->lock);
	return error;
}

/* ---- Calls ------------------------------------------------------------------------------ */

cl_int clFinalizeCommandBufferKHR(cl_command_buffer_khr recording)
{
	USE_RECORDING(entered, recording);
	cl_int error = CL_INVALID_OPERATION;

	(void)pthread_mutex_lock(&entered->lock);
	if (!entered->final)
		error = passes_keep(entered);
	if (error == CL_SUCCESS)
		entered->final = true;
	(void)pthread_mutex_unlock(&entered->lock);
	return error;
}

static cl_int enqueue(cl_command_buffer_khr recording, cl_command_queue queue,
		      const struct wait_list *list, cl_event *wanted)
{
	static const struct command_kind kind = { CL_COMMAND_COMMAND_BUFFER_KHR, completed, run,
						  end };
	static const struct command_kind empty = { CL_COMMAND_COMMAND_BUFFER_KHR, NULL,
						   command_run_nothing, end };
	cl_event event;
	cl_int error;

	if (state_of(recording) == CL_COMMAND_BUFFER_STATE_RECORDING_KHR)
		return CL_INVALID_OPERATION;
	error = command_make(queue, recording->passes ? &kind : &empty, list, sizeof(struct work),
			     &event);

	if (error != CL_SUCCESS)
		return error;
	((struct work *)event->work)->recording = object_hold(recording);
	error = join(recording, event);
	if (error != CL_SUCCESS) {
		command_give_up(event);
		return error;
	}
	return command_post(event, false, wanted);
}

cl_int clEnqueueCommandBufferKHR(cl_uint count, cl_command_queue *queues,
				 cl_command_buffer_khr recording, cl_uint wait_count,
				 const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	USE_RECORDING(entered, recording);
	cl_command_queue own = entered->queue;

	if ((count == 0) != (queues == NULL) || count > 1)
		return CL_INVALID_VALUE;

	USE_QUEUE(queue, count ? queues[0] : own);
	if (queue->context != own->context)
		return CL_INVALID_CONTEXT;
	if (queue->device != own->device || queue->properties != own->properties)
		return CL_INCOMPATIBLE_COMMAND_QUEUE_KHR;
	return enqueue(entered, queue, &list, event);
}

cl_int clGetCommandBufferInfoKHR(cl_command_buffer_khr recording, cl_command_buffer_info_khr name,
				 size_t size, void *value, size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_RECORDING(entered, recording);

	switch (name) {
	case CL_COMMAND_BUFFER_QUEUES_KHR:
		return INFO_VALUE(&answer, cl_command_queue, entered->queue);
	case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
		return INFO_VALUE(&answer, cl_uint, 1);
	case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
		return INFO_VALUE(&answer, cl_uint, object_handles(entered));
	case CL_COMMAND_BUFFER_STATE_KHR:
		return INFO_VALUE(&answer, cl_command_buffer_state_khr, state_of(entered));
	case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
		return info_bytes(&answer, entered->list, entered->list_bytes);
	case CL_COMMAND_BUFFER_CONTEXT_KHR:
		return INFO_VALUE(&answer, cl_context, entered->queue->context);
	default:
		return CL_INVALID_VALUE;
	}
}

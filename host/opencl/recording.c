/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/recording.h"

#include <stdlib.h>
#include <string.h>

#define FREE_MS 60000u

struct step *step_make(enum step_kind kind)
{
	struct step *step = calloc(1, sizeof(*step));

	if (step)
		step->kind = kind;
	return step;
}

static void free_step(void *object)
{
	struct step *step = object;

	call_end(&step->call);
	object_drop(step->changes.kernel);
	object_drop(step->transfer.from.memory);
	object_drop(step->transfer.to.memory);
	object_drop(step->fill.memory);
	free(step->waits);
	free(step);
}

void step_end(struct step *step)
{
	if (step->object.kind == OBJECT_COMMAND)
		object_drop(step);
	else
		free_step(step);
}

void step_show(struct step *step)
{
	object_begin(step, OBJECT_COMMAND, free_step);
}

/* ---- Replays ---------------------------------------------------------------------------- */

static bool has_ended(const struct replay *replay)
{
	cl_event event = object_enter_again(OBJECT_EVENT, replay->event, replay->serial);
	cl_ulong times[4];
	bool ended = !event || command_status(event, times) <= CL_COMPLETE;

	object_drop(event);
	return ended;
}

bool recording_is_pending(cl_command_buffer_khr recording)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < recording->replay_count; i++) {
		if (!has_ended(&recording->replays[i]))
			recording->replays[left++] = recording->replays[i];
	}
	recording->replay_count = left;
	return left > 0;
}

/* ---- Recordings ------------------------------------------------------------------------- */

void recording_forget(cl_command_buffer_khr recording, uint32_t graph)
{
	if (graph) {
		enum gg_status freed =
			gg_graph_free(recording->queue->device->device, graph, FREE_MS);

		(void)freed; /* It fails only where the graph is lost with its device. */
	}
}

static void end_recording(void *object)
{
	cl_command_buffer_khr recording = object;

	recording_forget(recording, recording->graph);
	while (recording->first) {
		struct step *step = recording->first;

		recording->first = step->next;
		step_end(step);
	}
	free(recording->replays);
	free((void *)recording->step_of_pass);
	(void)pthread_mutex_destroy(&recording->lock);
	object_drop(recording->queue);
	free(recording);
}

/** Reads a list of properties, whose words with the 0 are counted. What is replayed while earlier replays run cannot be
 * changed.
 * @return CL_INVALID_VALUE; CL_INVALID_PROPERTY: that pair of flags. */
static cl_int read_list(const cl_command_buffer_properties_khr *list,
			cl_command_buffer_flags_khr *flags, size_t *words)
{
	const cl_command_buffer_flags_khr both =
		CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;
	size_t i = 0;

	*flags = 0;
	*words = 0;
	if (!list)
		return CL_SUCCESS;
	for (; list[i] != 0; i += 2) {
		if (i > 0 || list[i] != CL_COMMAND_BUFFER_FLAGS_KHR)
			return CL_INVALID_VALUE;
		*flags = list[i + 1];
	}
	*words = i + 1;
	if (*flags & ~both)
		return CL_INVALID_VALUE;
	return *flags == both ? CL_INVALID_PROPERTY : CL_SUCCESS;
}

static cl_int create(cl_command_queue handle, const cl_command_buffer_properties_khr *list,
		     cl_command_buffer_khr *made)
{
	USE_QUEUE(queue, handle);
	cl_command_buffer_flags_khr flags;
	cl_command_buffer_khr recording;
	size_t words;
	cl_int error = read_list(list, &flags, &words);

	if (error == CL_SUCCESS && !device_has_graphs(queue->device))
		error = CL_INCOMPATIBLE_COMMAND_QUEUE_KHR;
	if (error != CL_SUCCESS)
		return error;
	recording = calloc(1, sizeof(*recording));
	if (!recording)
		return CL_OUT_OF_HOST_MEMORY;
	recording->queue = object_hold(queue);
	recording->flags = flags;
	recording->list_bytes = words * sizeof(*list);
	if (words > 0)
		memcpy(recording->list, list, recording->list_bytes);
	recording->end = &recording->first;
	(void)pthread_mutex_init(&recording->lock, NULL);
	object_begin(recording, OBJECT_RECORDING, end_recording);
	*made = recording;
	return CL_SUCCESS;
}

cl_command_buffer_khr clCreateCommandBufferKHR(cl_uint count, const cl_command_queue *queues,
					       const cl_command_buffer_properties_khr *list,
					       cl_int *errcode_ret)
{
	cl_command_buffer_khr made = NULL;

	base_answer(errcode_ret,
		    count == 1 && queues ? create(queues[0], list, &made) : CL_INVALID_VALUE);
	return made;
}

cl_int clRetainCommandBufferKHR(cl_command_buffer_khr recording)
{
	return object_retain(OBJECT_RECORDING, recording, CL_INVALID_COMMAND_BUFFER_KHR);
}

cl_int clReleaseCommandBufferKHR(cl_command_buffer_khr recording)
{
	return object_release(OBJECT_RECORDING, recording, CL_INVALID_COMMAND_BUFFER_KHR);
}

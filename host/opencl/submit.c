/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/submit.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/opencl/reaper.h"

#define SUBMIT_MS    10000u /* For one try. */
#define SUBMIT_TRIES 360u
#define MEMORY_MS    60000u

/** Submits, and waits for what is missing as long as tasks are on their way: room in the channel, or
 * memory for the task. */
static enum gg_status try_to_submit(const struct gg_work *work, cl_device_id device,
				    struct gg_task **task)
{
	enum gg_status status = GG_ERR_TIMEOUT;
	struct gg_traffic traffic;
	bool counted = false;

	for (uint32_t i = 0; i < SUBMIT_TRIES; i++) {
		enum gg_status looked = GG_OK;

		status = gg_submit(work, SUBMIT_MS, task);
		if (status == GG_ERR_NO_MEMORY) {
			/* One that completes gives some back; one may have done so since the try. */
			looked = counted ? gg_completions_wait(device->device, MEMORY_MS,
							       &traffic.completed)
					 : gg_traffic(device->device, &traffic);
			counted = true;
		}
		if (looked != GG_OK || (status != GG_ERR_NO_MEMORY && status != GG_ERR_RING_FULL &&
					status != GG_ERR_TIMEOUT))
			break;
	}
	return status;
}

cl_int submit_error(enum gg_status status)
{
	return status == GG_ERR_DEVICE_LOST || status == GG_ERR_PANIC ? CL_DEVICE_NOT_AVAILABLE
								      : CL_OUT_OF_RESOURCES;
}

cl_int submit_work(cl_event event, struct gg_work *work, const char *what, const char *name)
{
	struct gg_task *after[GG_DEPENDENCES_MAX];
	struct gg_failure failure;
	char text[SUBMIT_TEXT];
	struct gg_task *task;
	enum gg_status status;

	work->channel = event->queue->channel;
	work->after = after;
	work->after_count = command_tasks_before(event, after, GG_DEPENDENCES_MAX);
	status = try_to_submit(work, event->queue->device, &task);
	if (status == GG_ERR_DEPENDENCY) {
		command_again(event);
		return COMMAND_ON_DEVICE;
	}
	if (status != GG_OK) {
		(void)gg_error_last(&failure);
		(void)snprintf(text, sizeof(text), "%s%s was refused: %s: %s", what, name,
			       gg_status_name(status), failure.message);
		context_tell(event->context, text);
		return submit_error(status);
	}
	command_flies(event, task);
	reaper_add(event);
	return COMMAND_ON_DEVICE;
}

/** Writes what kernels printed to standard output. */
static void show_output(struct gg_task *task)
{
	size_t bytes = 0;
	char *text;

	if (gg_task_output(task, NULL, 0, &bytes) != GG_OK || bytes == 0)
		return;
	text = malloc(bytes);
	if (text && gg_task_output(task, text, bytes, &bytes) == GG_OK) {
		(void)fwrite(text, 1, bytes, stdout);
		(void)fflush(stdout);
	}
	free(text);
}

bool submit_completed(cl_event event, bool prints, struct gg_done *done)
{
	*done = event->done;
	if (!done->complete) {
		command_ended(event, CL_DEVICE_NOT_AVAILABLE, 0, 0);
		return false;
	}
	if (done->status == GG_ERR_DEPENDENCY) {
		command_again(event);
		return false;
	}
	if (prints)
		show_output(event->task);
	return true;
}

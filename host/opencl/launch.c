/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/opencl/command.h"
#include "host/opencl/fault.h"
#include "host/opencl/reaper.h"
#include "host/opencl/shape.h"

#define SUBMIT_MS     10000u /* For one try. */
#define SUBMIT_TRIES  360u
#define PRINT_BYTES   (1u << 20)
#define TIME_LIMIT_US 60000000u
#define FAULT_TEXT    1024u
#define MEMORY_MS     60000u

/** A kernel with its arguments, as they were when it was enqueued. */
struct launch {
	cl_kernel kernel;
	struct gg_module *module;
	uint32_t index;
	struct shape shape;
	uint32_t count;
	struct gg_argument *arguments;
	cl_mem *memories;    /* References; NULL: not a buffer. */
	uint64_t *addresses; /* Of the buffers. */
	uint8_t *values;     /* Copies of the values. */
};

static uint32_t time_limit_us = TIME_LIMIT_US; /* Longest time of a work-group. */

/** Reads it from GANGER_TIME_LIMIT_MS, 0 for none, if that is set. */
static void read_time_limit(void)
{
	const char *text = getenv("GANGER_TIME_LIMIT_MS");
	unsigned long limit = text ? strtoul(text, NULL, 10) : 0;

	if (text && text[0])
		time_limit_us = limit > UINT32_MAX / 1000 ? UINT32_MAX : (uint32_t)limit * 1000;
}

static bool prints(cl_kernel kernel)
{
	return !(kernel->info.flags & GG_KERNEL_SILENT);
}

/* ---- On the device ---------------------------------------------------------------------- */

/** Has all buffers on the device. */
static cl_int place_buffers(struct launch *launch, cl_device_id device)
{
	cl_int error = CL_SUCCESS;

	for (uint32_t i = 0; error == CL_SUCCESS && i < launch->count; i++) {
		if (launch->memories[i])
			error = memory_place(launch->memories[i], device, &launch->addresses[i]);
	}
	return error;
}

/** Submits, and waits for what is missing as long as tasks are on their way: room in the channel, or
 * memory for the task. */
static enum gg_status submit(const struct gg_work *work, cl_device_id device, struct gg_task **task)
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

static cl_int error_of(enum gg_status status)
{
	switch (status) {
	case GG_ERR_NO_MEMORY:
		return CL_OUT_OF_RESOURCES;
	case GG_ERR_DEVICE_LOST:
	case GG_ERR_PANIC:
		return CL_DEVICE_NOT_AVAILABLE;
	default:
		return CL_OUT_OF_RESOURCES;
	}
}

/** Tells the context why a kernel was not submitted. */
static cl_int refuse(cl_event event, enum gg_status status)
{
	const struct launch *launch = event->work;
	char text[FAULT_TEXT];
	struct gg_failure failure;

	(void)gg_error_last(&failure);
	(void)snprintf(text, sizeof(text), "Kernel %s was refused: %s: %s",
		       launch->kernel->info.name, gg_status_name(status), failure.message);
	context_tell(event->context, text);
	return error_of(status);
}

static cl_int run(cl_event event)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct launch *launch = event->work;
	cl_device_id device = event->queue->device;
	struct gg_task *after[GG_DEPENDENCES_MAX];
	struct gg_work work = { .module = launch->module,
				.kernel = launch->index,
				.dimensions = launch->shape.dimensions,
				.mode = GG_TASK_MODE_DEVICE,
				.argument_count = launch->count,
				.arguments = launch->arguments,
				.channel = event->queue->channel,
				.after = after };
	struct gg_task *task;
	enum gg_status status;
	cl_int error = place_buffers(launch, device);

	if (error != CL_SUCCESS)
		return error;
	memcpy(work.grid, launch->shape.groups, sizeof(work.grid));
	memcpy(work.block, launch->shape.items, sizeof(work.block));
	memcpy(work.offset, launch->shape.offset, sizeof(work.offset));
	memcpy(work.edge, launch->shape.edge, sizeof(work.edge));
	(void)pthread_once(&once, read_time_limit);
	work.time_limit_us = time_limit_us;
	work.print_bytes = PRINT_BYTES; /* None, if it cannot print. */
	work.flags = GG_WORK_CUT_PRINTS;
	work.after_count = command_tasks_before(event, after, GG_DEPENDENCES_MAX);
	status = submit(&work, device, &task);
	if (status == GG_ERR_DEPENDENCY) {
		command_again(event);
		return COMMAND_ON_DEVICE;
	}
	if (status != GG_OK)
		return refuse(event, status);
	command_flies(event, task);
	reaper_add(event);
	return COMMAND_ON_DEVICE;
}

/** Writes what the kernel printed to standard output. */
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

static void completed(cl_event event)
{
	const struct launch *launch = event->work;
	struct gg_done done = { 0 };
	char text[FAULT_TEXT];
	cl_int status = CL_COMPLETE;

	if (gg_task_poll(event->task, &done) != GG_OK || !done.complete) {
		command_ended(event, CL_DEVICE_NOT_AVAILABLE, 0, 0);
		return;
	}
	if (done.status == GG_ERR_DEPENDENCY) {
		command_again(event);
		return;
	}
	if (prints(launch->kernel))
		show_output(event->task);
	if (done.status != GG_OK) {
		fault_describe(launch->kernel, event->queue->device, &done, text, sizeof(text));
		context_tell(event->context, text);
		status = error_of((enum gg_status)done.status);
	}
	command_ended(event, status, done.times[GG_TIME_FIRST], done.times[GG_TIME_DONE]);
}

/* ---- Enqueueing ------------------------------------------------------------------------- */

static void end(void *work)
{
	struct launch *launch = work;

	for (uint32_t i = 0; launch->memories && i < launch->count; i++)
		object_drop(launch->memories[i]);
	free(launch->arguments);
	free((void *)launch->memories);
	free(launch->addresses);
	free(launch->values);
	object_drop(launch->kernel);
}

/** Copies one argument. `values` is where the next value goes. */
static cl_int copy_argument(struct launch *launch, uint32_t i, uint8_t **values)
{
	const struct argument *from = &launch->kernel->arguments[i];
	struct gg_argument *to = &launch->arguments[i];

	if (!from->set)
		return CL_INVALID_KERNEL_ARGS;
	to->kind = launch->kernel->parameters[i].kind;
	to->bytes = from->bytes;
	if (to->kind == GG_ARGUMENT_BUFFER) {
		launch->addresses[i] = from->address;
		to->data = &launch->addresses[i];
		if (from->memory) {
			launch->memories[i] =
				object_enter_again(OBJECT_MEMORY, from->memory, from->serial);
			if (!launch->memories[i])
				return CL_INVALID_KERNEL_ARGS;
			return memory_check_origin(launch->memories[i]);
		}
	} else if (to->kind == GG_ARGUMENT_VALUE) {
		memcpy(*values, from->value, from->bytes);
		to->data = *values;
		*values += from->bytes;
	}
	return CL_SUCCESS;
}

static cl_int copy_arguments(struct launch *launch)
{
	cl_int error = CL_SUCCESS;
	size_t bytes = 1;
	uint8_t *values;

	for (uint32_t i = 0; i < launch->count; i++)
		bytes += launch->kernel->parameters[i].bytes;
	launch->arguments = calloc(launch->count + 1, sizeof(*launch->arguments));
	launch->memories = (cl_mem *)calloc(launch->count + 1, sizeof(cl_mem));
	launch->addresses = calloc(launch->count + 1, sizeof(*launch->addresses));
	launch->values = values = malloc(bytes);
	if (!launch->arguments || !launch->memories || !launch->addresses || !values)
		return CL_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; error == CL_SUCCESS && i < launch->count; i++)
		error = copy_argument(launch, i, &values);
	return error;
}

static cl_int prepare(struct launch *launch, cl_kernel kernel, cl_device_id device,
		      const struct shape *shape)
{
	cl_int error;

	launch->kernel = object_hold(kernel);
	launch->count = kernel->info.parameters;
	launch->shape = *shape;
	error = copy_arguments(launch);
	if (error == CL_SUCCESS && kernel_local_bytes(kernel) > device->info.sm_shared_bytes)
		error = CL_OUT_OF_RESOURCES;
	return error == CL_SUCCESS ? kernel_find(kernel, device, &launch->module, &launch->index)
				   : error;
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, const struct command_kind *kind,
		      const struct shape *shape, const struct wait_list *list, cl_event *wanted)
{
	cl_event event;
	cl_int error = command_make(queue, kind, list, sizeof(struct launch), &event);

	if (error != CL_SUCCESS)
		return error;
	error = prepare(event->work, kernel, queue->device, shape);
	if (error != CL_SUCCESS) {
		command_give_up(event);
		return error;
	}
	return command_post(event, false, wanted);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
			      const size_t *offset, const size_t *global, const size_t *local,
			      cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_NDRANGE_KERNEL, completed, run, end };
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(here, queue);
	USE_KERNEL(entered, kernel);
	struct shape shape;
	struct gg_module *module;
	uint32_t index;
	cl_int error = kernel_find(entered, here->device, &module, &index);

	if (here->context != entered->program->context)
		return CL_INVALID_CONTEXT;
	if (error == CL_SUCCESS)
		error = shape_make(entered, here->device, work_dim, offset, global, local, &shape);
	if (error != CL_SUCCESS)
		return error;
	return enqueue(here, entered, &kind, &shape, &list, event);
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
		     const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_TASK, completed, run, end };
	static const size_t one = 1;
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(here, queue);
	USE_KERNEL(entered, kernel);
	struct shape shape;
	cl_int error;

	if (here->context != entered->program->context)
		return CL_INVALID_CONTEXT;
	error = shape_make(entered, here->device, 1, NULL, &one, &one, &shape);
	if (error != CL_SUCCESS)
		return error;
	return enqueue(here, entered, &kind, &shape, &list, event);
}

cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
			     void *arguments, size_t size, cl_uint count, const cl_mem *memories,
			     const void **places, cl_uint wait_count, const cl_event *wait_list,
			     cl_event *event)
{
	USE_QUEUE(here, queue);

	(void)function;
	(void)arguments;
	(void)size;
	(void)count;
	(void)memories;
	(void)places;
	(void)wait_count;
	(void)wait_list;
	(void)event;
	return CL_INVALID_OPERATION; /* The device has no CL_EXEC_NATIVE_KERNEL. */
}

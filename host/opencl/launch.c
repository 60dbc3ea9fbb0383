/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as commands. */
#include "host/opencl/call.h"
#include "host/opencl/fault.h"
#include "host/opencl/submit.h"

#define PRINT_BYTES (1u << 20)

static cl_int run(cl_event event)
{
	struct call *call = event->work;
	cl_int error = call_place(call, event->queue->device);
	struct gg_work work = call_work(call);

	if (error != CL_SUCCESS)
		return error;
	work.print_bytes = PRINT_BYTES; /* None, if it cannot print. */
	work.flags |= GG_WORK_CUT_PRINTS;
	return submit_work(event, &work, "Kernel ", call->kernel->info.name);
}

static void completed(cl_event event)
{
	const struct call *call = event->work;
	struct gg_done done = { 0 };
	char text[SUBMIT_TEXT];
	cl_int status = CL_COMPLETE;

	if (!submit_completed(event, call_prints(call), &done))
		return;
	if (done.status != GG_OK) {
		fault_describe(call->kernel, event->queue->device, &done, text, sizeof(text));
		context_tell(event->context, text);
		status = submit_error((enum gg_status)done.status);
	}
	command_ended(event, status, done.times[GG_TIME_FIRST], done.times[GG_TIME_DONE]);
}

static void end(void *work)
{
	call_end(work);
}

/** Whether a kernel has no work-items: since OpenCL 2.1 that is no error, and the command keeps its place in the order. */
static bool is_empty(cl_uint dimensions, const size_t *global)
{
	for (cl_uint i = 0; global && i < dimensions; i++) {
		if (global[i] == 0)
			return true;
	}
	return !global;
}

/* ---- Enqueueing ------------------------------------------------------------------------- */

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, const struct command_kind *kind,
		      const struct shape *shape, const struct wait_list *list, cl_event *wanted)
{
	cl_event event;
	cl_int error = command_make(queue, kind, list, sizeof(struct call), &event);

	if (error != CL_SUCCESS)
		return error;
	error = call_begin(event->work, kernel, queue->device, shape);
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
	static const struct command_kind nothing = { CL_COMMAND_NDRANGE_KERNEL, NULL,
						     command_run_nothing, end };
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(here, queue);
	USE_KERNEL(entered, kernel);
	struct shape shape = { 0 };
	struct gg_module *module;
	uint32_t index;
	cl_int error = kernel_find(entered, here->device, &module, &index);

	if (here->context != entered->program->context)
		return CL_INVALID_CONTEXT;
	if (error == CL_SUCCESS && work_dim >= 1 && work_dim <= 3 && is_empty(work_dim, global))
		return enqueue(here, entered, &nothing, &shape, &list, event);
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

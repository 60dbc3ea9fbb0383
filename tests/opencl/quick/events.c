/* SPDX-License-Identifier: Apache-2.0 */
/* Queues and events: the order of chained kernels, user events, markers and barriers out of order, callbacks,
 * times. Each kernel of a chain needs what the one before it wrote. */
#include <pthread.h>

#include "check.h"

#define CHAIN 300

static const char source[] = "kernel void twice(global uint *a, uint k) { a[0] = a[0] * 3u + k; }";

static cl_kernel twice;

static void launch(cl_command_queue to, cl_mem memory, cl_uint k, cl_uint waits,
		   const cl_event *list, cl_event *event)
{
	size_t one = 1;

	OK(clSetKernelArg(twice, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(twice, 1, sizeof(k), &k));
	OK(clEnqueueNDRangeKernel(to, twice, 1, NULL, &one, NULL, waits, list, event));
}

static cl_uint value_of(cl_mem memory)
{
	cl_uint value = 0;

	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL));
	return value;
}

static void set(cl_mem memory, cl_uint value)
{
	OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL));
}

static cl_uint expected(cl_uint value, cl_uint count)
{
	for (cl_uint k = 0; k < count; k++)
		value = value * 3u + k;
	return value;
}

static void chain_in_order(cl_mem memory)
{
	set(memory, 1);
	for (cl_uint k = 0; k < CHAIN; k++)
		launch(queue, memory, k, 0, NULL, NULL);
	IS(value_of(memory), expected(1, CHAIN));
}

/** Out of order, by events alone; the first one waits for the program. */
static void chain_by_events(cl_mem memory, cl_command_queue loose)
{
	cl_int error;
	cl_event gate = clCreateUserEvent(context, &error);
	cl_event before = gate;

	OK(error);
	set(memory, 1);
	for (cl_uint k = 0; k < CHAIN; k++) {
		cl_event event;

		launch(loose, memory, k, 1, &before, &event);
		if (before != gate)
			OK(clReleaseEvent(before));
		before = event;
	}
	IS(value_of(memory), 1);
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	IS(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
	OK(clWaitForEvents(1, &before));
	IS(value_of(memory), expected(1, CHAIN));
	OK(clReleaseEvent(before));
	OK(clReleaseEvent(gate));
}

static void barriers(cl_mem memory, cl_command_queue loose)
{
	cl_event marker;

	set(memory, 1);
	for (cl_uint k = 0; k < 50; k++) {
		launch(loose, memory, k, 0, NULL, NULL);
		OK(clEnqueueBarrierWithWaitList(loose, 0, NULL, NULL));
	}
	OK(clEnqueueMarkerWithWaitList(loose, 0, NULL, &marker));
	OK(clWaitForEvents(1, &marker));
	IS(value_of(memory), expected(1, 50));
	OK(clReleaseEvent(marker));
}

/** What waits for an event that failed fails; what only comes later in the queue does not. */
static void failed_lists(cl_mem memory)
{
	cl_int error;
	cl_event gate = clCreateUserEvent(context, &error);
	cl_event event, next;

	OK(error);
	set(memory, 5);
	launch(queue, memory, 0, 1, &gate, &event);
	launch(queue, memory, 1, 0, NULL, &next);
	OK(clSetUserEventStatus(gate, -7));
	IS(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	IS(status_of(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	OK(clWaitForEvents(1, &next));
	IS(value_of(memory), 16);
	OK(clReleaseEvent(event));
	OK(clReleaseEvent(next));
	OK(clReleaseEvent(gate));
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls[3];

static void CL_CALLBACK note(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)pthread_mutex_lock(&lock);
	calls[*(int *)data]++;
	IS(status, *(int *)data);
	(void)pthread_cond_signal(&called);
	(void)pthread_mutex_unlock(&lock);
}

static void callbacks(cl_mem memory)
{
	static int numbers[3] = { CL_COMPLETE, CL_RUNNING, CL_SUBMITTED };
	cl_event event;

	launch(queue, memory, 0, 0, NULL, &event);
	for (int i = 0; i < 3; i++)
		OK(clSetEventCallback(event, numbers[i], note, &numbers[i]));
	IS(clSetEventCallback(event, 77, note, NULL), CL_INVALID_VALUE);
	OK(clWaitForEvents(1, &event));
	(void)pthread_mutex_lock(&lock);
	while (calls[0] + calls[1] + calls[2] < 3)
		(void)pthread_cond_wait(&called, &lock);
	(void)pthread_mutex_unlock(&lock);
	for (int i = 0; i < 3; i++)
		IS(calls[i], 1);
	OK(clReleaseEvent(event));
}

static void times(cl_mem memory)
{
	cl_ulong all[4];
	cl_event event;

	launch(queue, memory, 0, 0, NULL, &event);
	OK(clWaitForEvents(1, &event));
	for (cl_uint i = 0; i < 4; i++)
		OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof(all[i]),
					   &all[i], NULL));
	for (int i = 0; i < 3; i++)
		TRUE(all[i] > 0 && all[i] <= all[i + 1]);
	OK(clReleaseEvent(event));
}

int main(void)
{
	cl_program program;
	cl_command_queue loose;
	cl_mem memory;
	cl_int error;

	begin();
	program = build(source);
	twice = kernel(program, "twice");
	memory = buffer(sizeof(cl_uint));
	loose = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
				     &error);
	OK(error);
	chain_in_order(memory);
	chain_by_events(memory, loose);
	barriers(memory, loose);
	failed_lists(memory);
	callbacks(memory);
	times(memory);
	OK(clReleaseCommandQueue(loose));
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(twice));
	OK(clReleaseProgram(program));
	return finish();
}

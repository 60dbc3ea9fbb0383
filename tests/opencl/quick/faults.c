/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that fail: their events end with an error, the context's callback hears of function, file and line,
 * what comes later in the queue runs, and so do other queues. */
#include <pthread.h>

#include "check.h"

static const char source[] = "kernel void bad(global int *a)\n"
			     "{\n"
			     "	*(global int *)16 = 1;\n"
			     "}\n"
			     "kernel void hang(global volatile int *a)\n"
			     "{\n"
			     "	while (a[1] != 99)\n"
			     "		;\n"
			     "}\n"
			     "kernel void good(global int *a)\n"
			     "{\n"
			     "	a[0] += 7;\n"
			     "	printf(\"seven\\n\");\n"
			     "}\n"
			     "kernel void count(global int *a) { atomic_inc(a); }\n"
			     "kernel void late(global int *a) { if (get_group_id(1) == 65536) "
			     "*(global int *)16 = 1; }\n";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static char notice[1024];

static void CL_CALLBACK notify(const char *text, const void *info, size_t bytes, void *data)
{
	(void)info;
	(void)bytes;
	(void)data;
	(void)pthread_mutex_lock(&lock);
	(void)snprintf(notice, sizeof(notice), "%s", text);
	(void)pthread_cond_signal(&called);
	(void)pthread_mutex_unlock(&lock);
}

static void expect_notice(const char *one, const char *two)
{
	(void)pthread_mutex_lock(&lock);
	while (!notice[0])
		(void)pthread_cond_wait(&called, &lock);
	if (!strstr(notice, one) || !strstr(notice, two)) {
		failures++;
		printf("the notice is: %s\n", notice);
	}
	notice[0] = '\0';
	(void)pthread_mutex_unlock(&lock);
}

static void launch(cl_kernel what, cl_mem memory, cl_event *event)
{
	size_t one = 1;

	OK(clSetKernelArg(what, 0, sizeof(memory), &memory));
	OK(clEnqueueNDRangeKernel(queue, what, 1, NULL, &one, NULL, 0, NULL, event));
}

/** More groups in all, and a larger offset, than a task has bits for: refused, and the context is told what to do. The largest number of groups
 * that is not folded runs (folded.c has more). */
static void limits(cl_kernel count, cl_kernel late, cl_mem memory)
{
	const size_t global[3] = { 1, 65535, 1 }, local[3] = { 1, 1, 1 };
	const size_t high[3] = { 1, 65537, 1 }, many[3] = { 2, 65536, 65536 };
	const size_t far[1] = { SIZE_MAX / 2 }, beyond[1] = { SIZE_MAX };
	cl_int value = 0;
	cl_uint bits;

	OK(clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof(bits), &bits, NULL));
	OK(clEnqueueFillBuffer(queue, memory, "", 1, 0, 64, 0, NULL, NULL));
	OK(clSetKernelArg(count, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(late, 0, sizeof(memory), &memory));
	IS(clEnqueueNDRangeKernel(queue, count, 3, NULL, many, local, 0, NULL, NULL),
	   CL_INVALID_GLOBAL_WORK_SIZE);
	expect_notice("Kernel count was refused: 65536 are the work-groups along y, and 32767",
		      "larger");
	OK(clEnqueueNDRangeKernel(queue, late, 2, NULL, high, local, 0, NULL, NULL));
	IS(clFinish(queue), CL_OUT_OF_RESOURCES);
	expect_notice("ERR_FAULT_ACCESS", "work-group 65536, work-item 0");
	IS(clEnqueueNDRangeKernel(queue, count, 1, far, local, NULL, 0, NULL, NULL),
	   CL_INVALID_GLOBAL_OFFSET);
	if (bits == 64)
		expect_notice("is the global offset along x, and 4294967295", "argument");
	IS(clEnqueueNDRangeKernel(queue, count, 1, beyond, global + 1, NULL, 0, NULL, NULL),
	   CL_INVALID_GLOBAL_OFFSET);
	OK(clEnqueueNDRangeKernel(queue, count, 3, NULL, global, local, 0, NULL, NULL));
	/* Nobody asks for small groups here, so larger ones are picked. */
	OK(clEnqueueNDRangeKernel(queue, count, 2, NULL, high, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
	IS(value, 65535 + 65537);
}

int main(void)
{
	cl_kernel bad, hang, good, count, late;
	cl_program program;
	cl_event event;
	cl_mem memory;
	cl_int value = 0, error;

	begin();
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	context = clCreateContext(NULL, 1, &device, notify, NULL, &error);
	OK(error);
	queue = clCreateCommandQueue(context, device, 0, &error);
	OK(error);
	program = build(source);
	bad = kernel(program, "bad");
	hang = kernel(program, "hang");
	good = kernel(program, "good");
	count = kernel(program, "count");
	late = kernel(program, "late");
	memory = buffer(64);
	OK(clEnqueueFillBuffer(queue, memory, "", 1, 0, 64, 0, NULL, NULL));
	launch(bad, memory, &event);
	launch(good, memory, NULL);
	launch(good, memory, NULL);
	IS(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	TRUE(status_of(event) < 0);
	expect_notice("ERR_FAULT_ACCESS", "bad (program.cl:3)");
	OK(clReleaseEvent(event));
	OK(clFinish(queue));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
	IS(value, 14);
	/* Nobody waits for the event: the next blocking call tells, once. */
	launch(hang, memory, NULL);
	launch(good, memory, NULL);
	IS(clFinish(queue), CL_OUT_OF_RESOURCES);
	OK(clFinish(queue));
	expect_notice("ERR_TIME_LIMIT", "hang (program.cl:");
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
	IS(value, 21);
	limits(count, late, memory);
	OK(clReleaseKernel(late));
	OK(clReleaseKernel(count));
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(bad));
	OK(clReleaseKernel(hang));
	OK(clReleaseKernel(good));
	OK(clReleaseProgram(program));
	return finish();
}

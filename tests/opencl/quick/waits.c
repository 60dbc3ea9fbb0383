/* SPDX-License-Identifier: Apache-2.0 */
/* Who sees to the end of a command: the thread that waits for it, without another one that wakes it up; the device's own
 * thread where nobody waits; and both where several wait. */
#define _GNU_SOURCE 1 /* fopencookie */
#include <pthread.h>
#include <time.h>

#include "check.h"

#define ROUNDS  200
#define STREAK  20 /* Waits after which the device's thread leaves the next one to the program. */
#define LATE_MS 60000
#define THREADS 4
#define FEW     3

static cl_program program;

static cl_kernel next_of(cl_mem memory)
{
	cl_kernel made = kernel(program, "next");

	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	return made;
}

static void launch(cl_command_queue to, cl_kernel what, cl_event *event)
{
	const size_t one = 1;

	OK(clEnqueueNDRangeKernel(to, what, 1, NULL, &one, NULL, 0, NULL, event));
}

static void streak(cl_kernel what, int count)
{
	for (int i = 0; i < count; i++) {
		launch(queue, what, NULL);
		OK(clFinish(queue));
	}
}

static long now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int by_this, by_others; /* Prints that a thread wrote. */
static pthread_t first;

static ssize_t note(void *unused, const char *text, size_t bytes)
{
	(void)unused;
	(void)text;
	if (pthread_equal(pthread_self(), first))
		by_this++;
	else
		by_others++;
	return (ssize_t)bytes;
}

/** The thread that ends a kernel writes what it printed: most often the one that waits. The device's thread may be faster
 * where this one was away for long before it waited. */
static void own_thread(void)
{
	const cookie_io_functions_t functions = { .write = note };
	FILE *before = stdout, *noted = fopencookie(NULL, "w", functions);
	cl_kernel say = kernel(program, "say");

	first = pthread_self();
	stdout = noted;
	streak(say, ROUNDS);
	stdout = before;
	(void)fclose(noted);
	IS(by_this + by_others, ROUNDS);
	TRUE(by_this > by_others);
	OK(clReleaseKernel(say));
}

/** What nobody waits for goes on all the same: a read behind a kernel. */
static void nobody_waits(cl_kernel what, cl_mem memory)
{
	for (int i = 0; i < STREAK; i++) {
		const long begin = now_ms();
		cl_int value = -1;

		streak(what, STREAK);
		launch(queue, what, NULL);
		OK(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, sizeof(value), &value, 0, NULL,
				       NULL));
		while (__atomic_load_n(&value, __ATOMIC_ACQUIRE) < 0 &&
		       now_ms() - begin < LATE_MS) {
		}
		TRUE(now_ms() - begin < LATE_MS);
		OK(clFinish(queue));
	}
}

/** A program that asks again and again. */
static void asked(cl_kernel what)
{
	for (int i = 0; i < STREAK; i++) {
		const long begin = now_ms();
		cl_event event;

		streak(what, STREAK);
		launch(queue, what, &event);
		while (status_of(event) != CL_COMPLETE && now_ms() - begin < LATE_MS) {
		}
		TRUE(now_ms() - begin < LATE_MS);
		OK(clReleaseEvent(event));
	}
}

static void *wait_for(void *what)
{
	cl_event event = what;

	OK(clWaitForEvents(1, &event));
	return NULL;
}

/** A thread waits for a kernel that lasts until other kernels, for which this thread waits, are through. */
static void two_wait(cl_kernel what, cl_command_queue other)
{
	cl_mem flag = buffer(sizeof(cl_int));
	cl_kernel until = kernel(program, "until"), set = kernel(program, "set");
	pthread_t thread;
	cl_event event;

	OK(clSetKernelArg(until, 0, sizeof(flag), &flag));
	OK(clSetKernelArg(set, 0, sizeof(flag), &flag));
	for (int i = 0; i < STREAK; i++) {
		const cl_int zero = 0;

		OK(clEnqueueWriteBuffer(queue, flag, CL_TRUE, 0, sizeof(zero), &zero, 0, NULL,
					NULL));
		launch(other, until, &event);
		IS(pthread_create(&thread, NULL, wait_for, event), 0);
		streak(what, FEW);
		launch(queue, set, NULL);
		OK(clFinish(queue));
		IS(pthread_join(thread, NULL), 0);
		OK(clReleaseEvent(event));
	}
	OK(clReleaseKernel(until));
	OK(clReleaseKernel(set));
	OK(clReleaseMemObject(flag));
}

/** Commands end in their order, whoever ends them: what clFinish() waited for has its times. */
static void *finish_often(void *unused)
{
	cl_int error;
	cl_command_queue own =
		clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
	cl_mem memory = buffer(sizeof(cl_int));
	cl_kernel what = next_of(memory);

	(void)unused;
	OK(error);
	for (int i = 0; i < ROUNDS; i++) {
		cl_event events[FEW];
		cl_ulong end;

		for (int k = 0; k < FEW; k++)
			launch(own, what, &events[k]);
		OK(clFinish(own));
		for (int k = 0; k < FEW; k++) {
			OK(clGetEventProfilingInfo(events[k], CL_PROFILING_COMMAND_END, sizeof(end),
						   &end, NULL));
			OK(clReleaseEvent(events[k]));
		}
	}
	OK(clReleaseKernel(what));
	OK(clReleaseMemObject(memory));
	OK(clReleaseCommandQueue(own));
	return NULL;
}

static void many_wait(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		IS(pthread_create(&threads[i], NULL, finish_often, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		IS(pthread_join(threads[i], NULL), 0);
}

int main(void)
{
	cl_int error;
	cl_command_queue other;
	cl_mem memory;
	cl_kernel what;

	begin();
	other = clCreateCommandQueue(context, device, 0, &error);
	OK(error);
	program = build("kernel void next(global int *a) { a[0] = (a[0] + 1) & 0xffff; }\n"
			"kernel void say(void) { printf(\".\"); }\n"
			"kernel void set(global volatile int *flag) { atomic_xchg(flag, 1); }\n"
			"kernel void until(global volatile int *flag)\n"
			"{ while (atomic_or(flag, 0) == 0) ; }");
	memory = buffer(sizeof(cl_int));
	OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof(error), &error, 0, NULL, NULL));
	what = next_of(memory);
	own_thread();
	nobody_waits(what, memory);
	asked(what);
	two_wait(what, other);
	many_wait();
	OK(clReleaseKernel(what));
	OK(clReleaseMemObject(memory));
	OK(clReleaseProgram(program));
	OK(clReleaseCommandQueue(other));
	return finish();
}

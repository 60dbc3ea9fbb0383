/* SPDX-License-Identifier: Apache-2.0 */
/* Eight threads in one context, each with queues, buffers, events and kernels of its own, and all with one
 * queue and one program that they share. Each thread knows what its buffers must hold. */
#include <pthread.h>

#include "check.h"

#define THREADS 8
#define ROUNDS  20
#define WORDS   64

static const char source[] =
	"kernel void add(global uint *a, uint k) { a[get_global_id(0)] += k; }";

static cl_program program;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int wrong;

static void expect(int right)
{
	(void)pthread_mutex_lock(&lock);
	wrong += !right;
	(void)pthread_mutex_unlock(&lock);
}

/** One round: a buffer is written, added to in two queues with an event between them, and read. */
static void one_round(cl_command_queue own, cl_kernel add, cl_uint start)
{
	cl_uint words[WORDS], step = 3;
	size_t global = WORDS;
	cl_int error;
	cl_event first, second;
	cl_mem memory;

	for (cl_uint i = 0; i < WORDS; i++)
		words[i] = start + i;
	memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(words), words, &error);
	expect(error == CL_SUCCESS);
	expect(clSetKernelArg(add, 0, sizeof(memory), &memory) == CL_SUCCESS);
	expect(clSetKernelArg(add, 1, sizeof(step), &step) == CL_SUCCESS);
	expect(clEnqueueNDRangeKernel(own, add, 1, NULL, &global, NULL, 0, NULL, &first) ==
	       CL_SUCCESS);
	expect(clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 1, &first, &second) ==
	       CL_SUCCESS);
	expect(clEnqueueReadBuffer(own, memory, CL_TRUE, 0, sizeof(words), words, 1, &second,
				   NULL) == CL_SUCCESS);
	for (cl_uint i = 0; i < WORDS; i++)
		expect(words[i] == start + i + 2 * step);
	expect(clReleaseEvent(first) == CL_SUCCESS);
	expect(clReleaseEvent(second) == CL_SUCCESS);
	expect(clReleaseMemObject(memory) == CL_SUCCESS);
}

static void *work(void *number)
{
	cl_uint start = *(cl_uint *)number * 1000;
	cl_int error;
	cl_kernel add = clCreateKernel(program, "add", &error);
	cl_command_queue own = clCreateCommandQueue(
		context, device, start % 2000 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);

	expect(error == CL_SUCCESS);
	for (cl_uint i = 0; i < ROUNDS; i++)
		one_round(own, add, start + i);
	expect(clReleaseCommandQueue(own) == CL_SUCCESS);
	expect(clReleaseKernel(add) == CL_SUCCESS);
	return NULL;
}

int main(void)
{
	static cl_uint numbers[THREADS];
	pthread_t threads[THREADS];

	begin();
	program = build(source);
	for (cl_uint i = 0; i < THREADS; i++) {
		numbers[i] = i;
		IS(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
	}
	for (cl_uint i = 0; i < THREADS; i++)
		IS(pthread_join(threads[i], NULL), 0);
	IS(wrong, 0);
	OK(clReleaseProgram(program));
	return finish();
}

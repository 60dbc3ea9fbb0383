/* SPDX-License-Identifier: Apache-2.0 */
/* 10,000 objects of each kind are made and released: afterwards the process has no more memory than after the
 * first hundred, and the device as much to give as before. */
#include <malloc.h>

#include "recordings.h"

#define FIRST 100
#define MANY  10000
#define SLACK 4096 /* Bytes for what grows once. */

static cl_program program;

static void one_buffer(void)
{
	cl_mem memory = buffer(4096);
	cl_buffer_region region = { 128, 128 };
	cl_int error;
	cl_mem sub = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);

	OK(error);
	OK(clReleaseMemObject(memory));
	OK(clReleaseMemObject(sub));
}

static void one_queue(void)
{
	cl_int error;
	cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	cl_command_queue made = clCreateCommandQueue(other, device, 0, &error);

	OK(error);
	OK(clReleaseContext(other));
	OK(clReleaseCommandQueue(made));
}

static void one_kernel(void)
{
	cl_kernel made = kernel(program, "f");
	cl_int value = 5;

	OK(clSetKernelArg(made, 1, sizeof(value), &value));
	OK(clReleaseKernel(made));
}

static void one_program(void)
{
	const char *text = "kernel void g(global int *a) {}";
	cl_int error;

	OK(clReleaseProgram(clCreateProgramWithSource(context, 1, &text, NULL, &error)));
}

static void one_event(void)
{
	cl_int error;
	cl_event gate = clCreateUserEvent(context, &error);
	cl_event marker;

	OK(error);
	OK(clEnqueueMarkerWithWaitList(queue, 1, &gate, &marker));
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	OK(clWaitForEvents(1, &marker));
	OK(clReleaseEvent(marker));
	OK(clReleaseEvent(gate));
}

/** One that was not finalized has no graph yet. */
static void one_recording(void)
{
	static int number;
	const size_t one = 1;
	cl_mem memory = buffer(4096);
	cl_kernel made = kernel(program, "f");
	cl_int value = 5, error;
	cl_command_buffer_khr recording = ext.create(1, &queue, NULL, &error);

	OK(error);
	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(made, 1, sizeof(value), &value));
	OK(ext.fill(recording, NULL, memory, &value, sizeof(value), 0, 4096, 0, NULL, NULL, NULL));
	OK(ext.kernel(recording, NULL, NULL, made, 1, NULL, &one, NULL, 0, NULL, NULL, NULL));
	if (number++ % 2)
		OK(ext.finalize(recording));
	OK(ext.release(recording));
	OK(clReleaseKernel(made));
	OK(clReleaseMemObject(memory));
}

static void repeat(const char *what, void (*one)(void))
{
	size_t before, after;

	for (int i = 0; i < FIRST; i++)
		one();
	before = mallinfo2().uordblks;
	for (int i = 0; i < MANY; i++)
		one();
	after = mallinfo2().uordblks;
	if (after > before + SLACK) {
		failures++;
		printf("%s: %zu bytes more\n", what, after - before);
	}
}

int main(void)
{
	cl_ulong most = 0;

	begin();
	find_extension(platform);
	program = build("kernel void f(global int *a, int b) { a[0] = b; }");
	repeat("buffers", one_buffer);
	repeat("queues", one_queue);
	repeat("kernels", one_kernel);
	repeat("programs", one_program);
	repeat("events", one_event);
	repeat("command buffers", one_recording);
	OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, NULL));
	OK(clReleaseMemObject(buffer(most)));
	OK(clReleaseProgram(program));
	return finish();
}

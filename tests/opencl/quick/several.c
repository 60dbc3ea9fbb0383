/* SPDX-License-Identifier: Apache-2.0 */
/* A context of all devices: programs are built for each, a buffer goes to the device that uses it next, and events of
 * one device hold up commands of another. With one device it is a context like others. */
#include <stdlib.h>

#include "recordings.h"

#define DEVICES 16
#define COUNT   1000
#define ROUNDS  5
#define PART    1024 /* of a buffer, for each device */

static cl_device_id devices[DEVICES];
static cl_command_queue queues[DEVICES];
static cl_uint count;

static cl_program build_for_all(cl_context all)
{
	const char *source =
		"kernel void add(global int *a, int more) { a[get_global_id(0)] += more; }\n"
		"kernel void late(global volatile int *a, int turns) {\n"
		"	int sum = 0;\n"
		"	for (int i = 0; i < turns; i++) sum += a[get_global_id(0)] == i;\n"
		"	a[get_global_id(0)] += 1 + (sum > turns);\n"
		"}";
	cl_int error;
	cl_program program = clCreateProgramWithSource(all, 1, &source, NULL, &error);
	cl_uint built = 0;

	OK(error);
	OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	OK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof(built), &built, NULL));
	IS(built, count);
	return program;
}

/** Each device in turn adds its number and one to all of a buffer; only events order them. */
static void pass_around(cl_context all, cl_kernel add)
{
	const size_t size = COUNT;
	cl_int found[COUNT] = { 0 }, sum = 0, error;
	cl_mem memory = clCreateBuffer(all, CL_MEM_COPY_HOST_PTR, sizeof(found), found, &error);
	cl_event before = NULL;

	OK(error);
	OK(clSetKernelArg(add, 0, sizeof(memory), &memory));
	for (cl_uint i = 0; i < ROUNDS * count; i++) {
		cl_int more = (cl_int)(i % count) + 1;
		cl_event event;

		OK(clSetKernelArg(add, 1, sizeof(more), &more));
		OK(clEnqueueNDRangeKernel(queues[i % count], add, 1, NULL, &size, NULL,
					  before != NULL, before ? &before : NULL, &event));
		if (before)
			OK(clReleaseEvent(before));
		before = event;
		sum += more;
	}
	OK(clEnqueueReadBuffer(queues[0], memory, CL_TRUE, 0, sizeof(found), found, 1, &before,
			       NULL));
	for (int i = 0; i < COUNT; i++)
		IS(found[i], sum);
	OK(clReleaseEvent(before));
	OK(clReleaseMemObject(memory));
}

/** A copy on one device of what another one has filled, moved there first when the program says so. */
static void fill_and_copy(cl_context all)
{
	const cl_uint last = count - 1;
	cl_int found[COUNT], error;
	cl_mem from = clCreateBuffer(all, 0, sizeof(found), NULL, &error);
	cl_mem to = clCreateBuffer(all, 0, sizeof(found), NULL, &error);
	cl_event filled, moved;

	OK(error);
	OK(clEnqueueFillBuffer(queues[0], from, &(cl_int){ 77 }, sizeof(cl_int), 0, sizeof(found),
			       0, NULL, &filled));
	OK(clEnqueueMigrateMemObjects(queues[last], 1, &from, 0, 1, &filled, &moved));
	OK(clEnqueueCopyBuffer(queues[last], from, to, 0, 0, sizeof(found), 1, &moved, NULL));
	OK(clFinish(queues[last]));
	OK(clEnqueueReadBuffer(queues[0], to, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL));
	for (int i = 0; i < COUNT; i++)
		IS(found[i], 77);
	OK(clReleaseEvent(filled));
	OK(clReleaseEvent(moved));
	OK(clReleaseMemObject(from));
	OK(clReleaseMemObject(to));
}

/** Devices work on sub-buffers of the same buffer at the same time, without events between them: the content of one
 * does not go along with another. The first device is the last to write. */
static void share_out(cl_context all, cl_kernel late)
{
	const size_t size = COUNT, turns = 20;
	cl_buffer_region part = { 0, PART * sizeof(cl_int) };
	cl_mem memory, parts[DEVICES];
	cl_int *found = calloc((size_t)count * PART, sizeof(cl_int)), error;

	memory = clCreateBuffer(all, CL_MEM_COPY_HOST_PTR, count * part.size, found, &error);
	OK(error);
	for (cl_uint i = 0; i < count; i++, part.origin += part.size) {
		parts[i] =
			clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
		OK(error);
	}
	for (cl_uint turn = 0; turn < ROUNDS; turn++) {
		for (cl_uint i = 0; i < count; i++) {
			cl_int long_turns = (cl_int)(i == turn % count ? 100 * turns : turns);

			OK(clSetKernelArg(late, 0, sizeof(parts[i]), &parts[i]));
			OK(clSetKernelArg(late, 1, sizeof(long_turns), &long_turns));
			OK(clEnqueueNDRangeKernel(queues[i], late, 1, NULL, &size, NULL, 0, NULL,
						  NULL));
			OK(clFlush(queues[i]));
		}
	}
	for (cl_uint i = 0; i < count; i++)
		OK(clFinish(queues[i]));
	OK(clEnqueueReadBuffer(queues[count - 1], memory, CL_TRUE, 0, count * part.size, found, 0,
			       NULL, NULL));
	for (size_t i = 0; i < (size_t)count * PART; i++)
		IS(found[i], i % PART < COUNT ? ROUNDS : 0);
	for (cl_uint i = 0; i < count; i++)
		OK(clReleaseMemObject(parts[i]));
	OK(clReleaseMemObject(memory));
	free(found);
}

/** A command buffer of each device adds to the same memory: each replay finds what the last one on another device left. */
static void replay_around(cl_context all, cl_kernel add)
{
	const size_t size = COUNT;
	const cl_int one = 1;
	cl_int found[COUNT] = { 0 }, error;
	cl_mem memory = clCreateBuffer(all, CL_MEM_COPY_HOST_PTR, sizeof(found), found, &error);
	cl_command_buffer_khr recordings[DEVICES];

	OK(error);
	OK(clSetKernelArg(add, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(add, 1, sizeof(one), &one));
	for (cl_uint i = 0; i < count; i++) {
		recordings[i] = ext.create(1, &queues[i], NULL, &error);
		OK(error);
		OK(ext.kernel(recordings[i], NULL, NULL, add, 1, NULL, &size, NULL, 0, NULL, NULL,
			      NULL));
		OK(ext.finalize(recordings[i]));
	}
	for (cl_uint i = 0; i < ROUNDS * count; i++) {
		OK(ext.enqueue(0, NULL, recordings[i % count], 0, NULL, NULL));
		OK(clFinish(queues[i % count]));
	}
	OK(clEnqueueReadBuffer(queues[0], memory, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL));
	for (int i = 0; i < COUNT; i++)
		IS(found[i], ROUNDS * count);
	for (cl_uint i = 0; i < count; i++)
		OK(ext.release(recordings[i]));
	OK(clReleaseMemObject(memory));
}

int main(void)
{
	cl_context all;
	cl_program program;
	cl_kernel add, late;
	cl_int error;

	begin();
	find_extension(platform);
	OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count));
	all = clCreateContext(NULL, count, devices, NULL, NULL, &error);
	OK(error);
	for (cl_uint i = 0; i < count; i++) {
		queues[i] = clCreateCommandQueue(all, devices[i], 0, &error);
		OK(error);
	}
	program = build_for_all(all);
	add = kernel(program, "add");
	late = kernel(program, "late");
	pass_around(all, add);
	fill_and_copy(all);
	replay_around(all, add);
	share_out(all, late);
	OK(clReleaseKernel(late));
	OK(clReleaseKernel(add));
	OK(clReleaseProgram(program));
	for (cl_uint i = 0; i < count; i++)
		OK(clReleaseCommandQueue(queues[i]));
	OK(clReleaseContext(all));
	printf("%u device%s\n", count, count > 1 ? "s" : "");
	return finish();
}

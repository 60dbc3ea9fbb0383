/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong objects: NULL, freed ones, those of another kind and any pointers are refused, with the code of
 * the standard, and nothing is read through them. (The loader itself reads the first word of a handle: those that
 * are not ours begin with the address of the table of functions.) */
#include "check.h"

/** What a program could take for a handle: it begins as all do, so that the loader calls us. */
static void *fake(void)
{
	static void *words[64];

	memcpy(&words[0], device, sizeof(words[0]));
	return words;
}

/** In calls that the loader hands on by the queue: it does not look at `wrong`, which may be freed. */
static void refuse_behind_queue(void *wrong)
{
	size_t one = 1;
	int value;

	IS(clEnqueueNDRangeKernel(queue, wrong, 1, NULL, &one, NULL, 0, NULL, NULL),
	   CL_INVALID_KERNEL);
	IS(clEnqueueReadBuffer(queue, wrong, CL_TRUE, 0, 4, &value, 0, NULL, NULL),
	   CL_INVALID_MEM_OBJECT);
	IS(clEnqueueMarkerWithWaitList(queue, 1, (cl_event *)&wrong, NULL),
	   CL_INVALID_EVENT_WAIT_LIST);
}

static void refuse_kinds(void *wrong)
{
	int value;

	IS(clGetDeviceInfo(wrong, CL_DEVICE_TYPE, sizeof(value), NULL, NULL), CL_INVALID_DEVICE);
	IS(clGetContextInfo(wrong, CL_CONTEXT_NUM_DEVICES, sizeof(value), NULL, NULL),
	   CL_INVALID_CONTEXT);
	IS(clRetainContext(wrong), CL_INVALID_CONTEXT);
	IS(clReleaseContext(wrong), CL_INVALID_CONTEXT);
	IS(clFinish(wrong), CL_INVALID_COMMAND_QUEUE);
	IS(clReleaseCommandQueue(wrong), CL_INVALID_COMMAND_QUEUE);
	IS(clReleaseMemObject(wrong), CL_INVALID_MEM_OBJECT);
	IS(clGetMemObjectInfo(wrong, CL_MEM_SIZE, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
	IS(clReleaseProgram(wrong), CL_INVALID_PROGRAM);
	IS(clBuildProgram(wrong, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
	IS(clReleaseKernel(wrong), CL_INVALID_KERNEL);
	IS(clSetKernelArg(wrong, 0, 4, &value), CL_INVALID_KERNEL);
	IS(clReleaseEvent(wrong), CL_INVALID_EVENT);
	IS(clSetUserEventStatus(wrong, CL_COMPLETE), CL_INVALID_EVENT);
	refuse_behind_queue(wrong);
}

/** Released once more than retained, and used after that. */
static void refuse_freed(void)
{
	cl_mem memory = buffer(64);
	cl_uint count = 0;
	int value;

	OK(clRetainMemObject(memory));
	OK(clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL));
	IS(count, 2);
	OK(clReleaseMemObject(memory));
	OK(clReleaseMemObject(memory));
	IS(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL),
	   CL_INVALID_MEM_OBJECT);
}

#define MANY 32

/** One object of each kind, used after its last release. */
static void refuse_ended(void)
{
	cl_program program = build("kernel void f(global int *a) { a[0] = 1; }");
	cl_kernel f = kernel(program, "f");
	cl_mem memory = buffer(64);
	cl_int error;
	cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	cl_command_queue own = clCreateCommandQueue(context, device, 0, &error);
	cl_event event = clCreateUserEvent(context, &error);

	OK(clReleaseKernel(f));
	OK(clReleaseProgram(program));
	OK(clReleaseMemObject(memory));
	OK(clReleaseContext(other));
	OK(clReleaseCommandQueue(own));
	OK(clReleaseEvent(event));
	refuse_behind_queue(f);
	refuse_behind_queue(program);
	refuse_behind_queue(memory);
	refuse_behind_queue(other);
	refuse_behind_queue(own);
	refuse_behind_queue(event);
}

/** Events that have ended in the list of the next command, whose event may be at the address of one. */
static void refuse_freed_events(void)
{
	cl_event events[MANY];

	for (int i = 0; i < MANY; i++)
		OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[i]));
	OK(clFinish(queue));
	for (int i = 0; i < MANY; i++)
		OK(clReleaseEvent(events[i]));
	for (int i = 0; i < MANY; i++)
		IS(clEnqueueMarkerWithWaitList(queue, 1, &events[i], NULL),
		   CL_INVALID_EVENT_WAIT_LIST);
}

/** An argument that has ended when the kernel is launched, also when another buffer is at its address by then:
 * so many are released and made again that one is. */
static void refuse_freed_argument(void)
{
	cl_program program = build("kernel void f(global int *a) { a[0] = 1; }");
	cl_kernel f = kernel(program, "f");
	cl_mem memories[MANY], gone[MANY];
	size_t one = 1;
	int again = 0;

	for (int i = 0; i < MANY; i++)
		gone[i] = buffer(64);
	for (int i = 0; i < MANY; i++)
		OK(clReleaseMemObject(gone[i]));
	for (int i = 0; i < MANY; i++)
		gone[i] = memories[i] = buffer(64);
	for (int i = 0; i < MANY; i++) {
		OK(clSetKernelArg(f, 0, sizeof(cl_mem), &gone[i]));
		OK(clReleaseMemObject(memories[i]));
		for (int k = 0; k < MANY && memories[i] != NULL; k++) {
			cl_mem other = buffer(64);

			again += other == gone[i];
			IS(clEnqueueNDRangeKernel(queue, f, 1, NULL, &one, NULL, 0, NULL, NULL),
			   CL_INVALID_KERNEL_ARGS);
			memories[i] = other == gone[i] ? NULL : memories[i];
			OK(clReleaseMemObject(other));
		}
	}
	TRUE(again || SANITIZED);
	OK(clReleaseKernel(f));
	OK(clReleaseProgram(program));
}

/** Properties of a context: none twice, and only values that they have. */
static void context_properties(void)
{
	const cl_context_properties all = (cl_context_properties)platform;
	const cl_context_properties lists[][5] = {
		{ CL_CONTEXT_PLATFORM, all, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0 },
		{ CL_CONTEXT_PLATFORM, all, CL_CONTEXT_INTEROP_USER_SYNC, -1, 0 },
		{ CL_CONTEXT_PLATFORM, all, CL_CONTEXT_INTEROP_USER_SYNC, 2, 0 },
		{ CL_CONTEXT_PLATFORM, all, CL_CONTEXT_PLATFORM, all, 0 },
		{ CL_CONTEXT_PLATFORM, all, 1, CL_TRUE, 0 },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const cl_int expected = i == 0 ? CL_SUCCESS : CL_INVALID_PROPERTY;
		cl_int error;
		cl_context made = clCreateContext(lists[i], 1, &device, NULL, NULL, &error);

		IS(error, expected);
		if (made)
			OK(clReleaseContext(made));
		made = clCreateContextFromType(lists[i], CL_DEVICE_TYPE_ALL, NULL, NULL, &error);
		IS(error, expected);
		if (made)
			OK(clReleaseContext(made));
	}
}

int main(void)
{
	begin();
	refuse_kinds(fake());
	refuse_kinds(platform);
	context_properties();
	refuse_freed();
	refuse_ended();
	refuse_freed_events();
	refuse_freed_argument();
	return finish();
}

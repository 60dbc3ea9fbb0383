/* SPDX-License-Identifier: Apache-2.0 */
/* Command buffers: what is recorded gives what the same commands give when they are enqueued; sync
 * points and barriers keep the order out of order; copies of boxes, fills with all patterns; states; kernels that print or fail. */
#include <pthread.h>

#include "step.h"

#define BYTES 65536

static cl_command_queue loose;

/* ---- Kernels ---------------------------------------------------------------------------- */

/** Out of order: only sync points and barriers keep the order. */
static void graph(void)
{
	const size_t one = 1;
	cl_mem memory = filled(64, 0);
	cl_command_buffer_khr recording = make(loose, false);
	cl_sync_point_khr before = 0, points[3];
	cl_uint value = 0, expected = 1;
	cl_event event;

	OK(ext.fill(recording, NULL, memory, &expected, sizeof(expected), 0, 64, 0, NULL, &before,
		    NULL));
	for (cl_uint k = 0; k < 10; k++) {
		cl_kernel made = step_kernel(memory, k);

		OK(ext.kernel(recording, NULL, NULL, made, 1, NULL, &one, &one, 1, &before, &before,
			      NULL));
		OK(clReleaseKernel(made));
		expected = expected * 3 + k;
	}
	/* Three that may run at the same time, and a barrier behind all. */
	for (cl_uint k = 0; k < 3; k++)
		OK(ext.copy(recording, NULL, memory, memory, 0, 16 * (k + 1), 4, 1, &before,
			    &points[k], NULL));
	OK(ext.barrier(recording, NULL, 0, NULL, NULL, NULL));
	for (cl_uint k = 0; k < 3; k++)
		OK(ext.copy(recording, NULL, memory, memory, 16 * (k + 1), 16 * (k + 1) + 4, 4, 0,
			    NULL, NULL, NULL));
	OK(ext.barrier(recording, NULL, 3, points, &before, NULL));
	OK(ext.copy(recording, NULL, memory, memory, 20, 60, 4, 1, &before, NULL, NULL));
	OK(ext.finalize(recording));
	for (int i = 0; i < 5; i++) {
		cl_uint all[16];

		OK(ext.enqueue(1, &loose, recording, 0, NULL, &event));
		OK(clWaitForEvents(1, &event));
		read_all(memory, all, sizeof(all));
		for (int k = 0; k < 4; k++)
			IS(all[4 * k], expected);
		for (int k = 1; k < 4; k++)
			IS(all[4 * k + 1], expected);
		IS(all[15], expected);
		value = 0;
		OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
		OK(clReleaseEvent(event));
	}
	OK(ext.release(recording));
	OK(clReleaseMemObject(memory));
}

/* ---- Copies and fills --------------------------------------------------------------------- */

static void copies(void)
{
	const size_t from[] = { 3, 2, 1 }, to[] = { 8, 1, 0 }, region[] = { 50, 7, 12 };
	const size_t wide[] = { 8001, 1, 2 }, corner[] = { 0, 0, 0 }, aside[] = { 4, 3, 0 };
	cl_mem source = filled(BYTES, 5), mine = filled(BYTES, 9), theirs = filled(BYTES, 9);
	cl_command_buffer_khr recording = make(queue, false);

	OK(ext.copy(recording, NULL, source, mine, 5, 60001, 1001, 0, NULL, NULL, NULL));
	OK(ext.copy(recording, NULL, source, mine, 1, 50003, 9001, 0, NULL, NULL, NULL));
	OK(ext.rect(recording, NULL, source, mine, from, to, region, 64, 640, 61, 610, 0, NULL,
		    NULL, NULL));
	OK(ext.rect(recording, NULL, source, mine, corner, aside, wide, 9000, 27000, 9100, 18200, 0,
		    NULL, NULL, NULL));
	OK(ext.finalize(recording));
	replay(recording);
	OK(clEnqueueCopyBuffer(queue, source, theirs, 5, 60001, 1001, 0, NULL, NULL));
	OK(clEnqueueCopyBuffer(queue, source, theirs, 1, 50003, 9001, 0, NULL, NULL));
	OK(clEnqueueCopyBufferRect(queue, source, theirs, from, to, region, 64, 640, 61, 610, 0,
				   NULL, NULL));
	OK(clEnqueueCopyBufferRect(queue, source, theirs, corner, aside, wide, 9000, 27000, 9100,
				   18200, 0, NULL, NULL));
	same(mine, theirs, BYTES);
	OK(ext.release(recording));
	OK(clReleaseMemObject(source));
	OK(clReleaseMemObject(mine));
	OK(clReleaseMemObject(theirs));
}

static void fills(void)
{
	cl_mem mine = filled(BYTES, 3), theirs = filled(BYTES, 3);
	cl_command_buffer_khr recording = make(queue, false);
	uint8_t pattern[128];

	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (uint8_t)(200 - i);
	for (size_t bytes = 1, at = 0; bytes <= 128; bytes *= 2, at += 8192) {
		const size_t offset = at + bytes, size = bytes == 4 ? 100 : 60 * bytes;

		OK(ext.fill(recording, NULL, mine, pattern, bytes, offset, size, 0, NULL, NULL,
			    NULL));
		OK(clEnqueueFillBuffer(queue, theirs, pattern, bytes, offset, size, 0, NULL, NULL));
	}
	OK(ext.finalize(recording));
	replay(recording);
	same(mine, theirs, BYTES);
	OK(ext.release(recording));
	OK(clReleaseMemObject(mine));
	OK(clReleaseMemObject(theirs));
}

/** Shared virtual memory, where there is some. */
static void shared(void)
{
	cl_command_buffer_khr recording = make(queue, false);
	cl_device_svm_capabilities has = 0;
	const cl_ulong word = 0x1122334455667788;
	cl_ulong *memory;

	OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(has), &has, NULL));
	if (!has) {
		IS(ext.svm_copy(recording, NULL, &has, &has + 1, 1, 0, NULL, NULL, NULL),
		   CL_INVALID_OPERATION);
		IS(ext.svm_fill(recording, NULL, &has, &word, 8, 8, 0, NULL, NULL, NULL),
		   CL_INVALID_OPERATION);
		OK(ext.release(recording));
		return;
	}
	memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
	memset(memory, 0, 4096);
	OK(ext.svm_fill(recording, NULL, memory, &word, sizeof(word), 256, 0, NULL, NULL, NULL));
	OK(ext.svm_copy(recording, NULL, memory + 64, memory, 128, 0, NULL, NULL, NULL));
	IS(ext.svm_copy(recording, NULL, memory + 1, memory, 128, 0, NULL, NULL, NULL),
	   CL_MEM_COPY_OVERLAP);
	IS(ext.svm_copy(recording, NULL, memory, &has, 8, 0, NULL, NULL, NULL), CL_INVALID_VALUE);
	IS(ext.svm_fill(recording, NULL, &has, &word, 8, 8, 0, NULL, NULL, NULL), CL_INVALID_VALUE);
	OK(ext.finalize(recording));
	replay(recording);
	OK(clFinish(queue));
	TRUE(memory[31] == word);
	TRUE(memory[32] == 0);
	TRUE(memory[64] == word && memory[79] == word);
	TRUE(memory[80] == 0);
	clSVMFree(context, memory);
	OK(ext.release(recording));
}

/* ---- States -------------------------------------------------------------------- */

/** A replay that waits for the program is pending. */
static void states(void)
{
	cl_mem memory = filled(64, 0);
	cl_command_buffer_khr once = make(queue, false), many = make(queue, true);
	cl_kernel made = step_kernel(memory, 1);
	const size_t one = 1;
	cl_int error;
	cl_event gate = clCreateUserEvent(context, &error), event;

	OK(error);
	OK(ext.kernel(once, NULL, NULL, made, 1, NULL, &one, NULL, 0, NULL, NULL, NULL));
	OK(ext.kernel(many, NULL, NULL, made, 1, NULL, &one, NULL, 0, NULL, NULL, NULL));
	IS(ext.enqueue(0, NULL, once, 0, NULL, NULL), CL_INVALID_OPERATION);
	OK(ext.finalize(once));
	OK(ext.finalize(many));
	IS(ext.finalize(once), CL_INVALID_OPERATION);
	IS(ext.kernel(once, NULL, NULL, made, 1, NULL, &one, NULL, 0, NULL, NULL, NULL),
	   CL_INVALID_OPERATION);
	OK(ext.enqueue(0, NULL, once, 1, &gate, &event));
	IS(ext.enqueue(0, NULL, once, 1, &gate, NULL), CL_INVALID_OPERATION);
	IS(state_of(once), CL_COMMAND_BUFFER_STATE_PENDING_KHR);
	for (int i = 0; i < 30; i++)
		OK(ext.enqueue(0, NULL, many, 1, &gate, NULL));
	IS(state_of(many), CL_COMMAND_BUFFER_STATE_PENDING_KHR);
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	OK(clFinish(queue));
	IS(state_of(once), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	IS(state_of(many), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	replay(once);
	OK(clFinish(queue));
	OK(clReleaseEvent(event));
	OK(clReleaseEvent(gate));
	OK(ext.release(once));
	OK(ext.release(many));
	OK(clReleaseKernel(made));
	OK(clReleaseMemObject(memory));
}

static void questions(void)
{
	cl_command_buffer_khr recording = make(queue, true);
	cl_device_command_buffer_capabilities_khr can = 0;
	cl_command_queue_properties needs = 1;
	cl_command_buffer_properties_khr list[3] = { 0 };
	cl_command_queue with = NULL;
	cl_context where = NULL;
	cl_uint number = 0;
	cl_ulong times[4];
	cl_command_type type;
	cl_event event;
	size_t bytes;

	OK(clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof(can), &can,
			   NULL));
	IS(can, CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
			CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
			CL_COMMAND_BUFFER_CAPABILITY_OUT_OF_ORDER_KHR);
	OK(clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR,
			   sizeof(needs), &needs, NULL));
	IS(needs, 0);
	OK(ext.info(recording, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof(with), &with, NULL));
	TRUE(with == queue);
	OK(ext.info(recording, CL_COMMAND_BUFFER_CONTEXT_KHR, sizeof(where), &where, NULL));
	TRUE(where == context);
	OK(ext.info(recording, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof(number), &number, NULL));
	IS(number, 1);
	OK(ext.retain(recording));
	OK(ext.info(recording, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof(number), &number,
		    NULL));
	IS(number, 2);
	OK(ext.release(recording));
	OK(ext.info(recording, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof(list), list, &bytes));
	IS(bytes, sizeof(list));
	IS(list[1], CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
	IS(ext.info(recording, 1, sizeof(list), list, &bytes), CL_INVALID_VALUE);
	/* One without commands runs, too. */
	OK(ext.finalize(recording));
	OK(ext.enqueue(0, NULL, recording, 0, NULL, &event));
	OK(clWaitForEvents(1, &event));
	OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL));
	IS(type, CL_COMMAND_COMMAND_BUFFER_KHR);
	for (cl_uint i = 0; i < 4; i++)
		OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof(times[i]),
					   &times[i], NULL));
	for (int i = 0; i < 3; i++)
		TRUE(times[i] > 0 && times[i] <= times[i + 1]);
	OK(clReleaseEvent(event));
	OK(ext.release(recording));
}

/* ---- What kernels do ---------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t heard = PTHREAD_COND_INITIALIZER;
static char said[1024];

static void CL_CALLBACK hear(const char *text, const void *info, size_t bytes, void *data)
{
	(void)info;
	(void)bytes;
	(void)data;
	(void)pthread_mutex_lock(&lock);
	(void)snprintf(said, sizeof(said), "%s", text);
	(void)pthread_cond_signal(&heard);
	(void)pthread_mutex_unlock(&lock);
}

/** What is printed is written at the end of each replay. */
static void prints(void)
{
	cl_command_buffer_khr recording = make(queue, true);
	cl_kernel made = kernel(program, "say");
	const size_t one = 1;

	OK(ext.kernel(recording, NULL, NULL, made, 1, NULL, &one, NULL, 0, NULL, NULL, NULL));
	OK(ext.finalize(recording));
	for (int i = 0; i < 3; i++)
		replay(recording);
	OK(clFinish(queue));
	OK(clReleaseKernel(made));
	OK(ext.release(recording));
}

/** The kernel that fails is named, with its line; the next replay goes its way. */
static void fails(void)
{
	cl_int error;
	cl_context loud = clCreateContext(NULL, 1, &device, hear, NULL, &error);
	cl_command_queue with = clCreateCommandQueue(loud, device, 0, &error);
	const char *source = "kernel void good(global int *a) { a[0] += 1; }\n"
			     "kernel void bad(global int *a)\n"
			     "{ if (a[1]) *(volatile global int *)16 = 1; }\n";
	cl_program own = clCreateProgramWithSource(loud, 1, &source, NULL, &error);
	cl_mem memory = clCreateBuffer(loud, 0, 8, NULL, &error);
	cl_command_buffer_khr recording = make(with, false);
	const char *const names[] = { "good", "bad", "good" };
	const size_t one = 1;
	cl_int values[2] = { 0, 1 };

	OK(clBuildProgram(own, 0, NULL, NULL, NULL, NULL));
	for (int i = 0; i < 3; i++) {
		cl_kernel made = clCreateKernel(own, names[i], &error);

		OK(error);
		OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
		OK(ext.kernel(recording, NULL, NULL, made, 1, NULL, &one, NULL, 0, NULL, NULL,
			      NULL));
		OK(clReleaseKernel(made));
	}
	OK(ext.finalize(recording));
	for (values[1] = 1; values[1] >= 0; values[1]--) {
		cl_event event;

		OK(clEnqueueWriteBuffer(with, memory, CL_TRUE, 0, 8, values, 0, NULL, NULL));
		OK(ext.enqueue(0, NULL, recording, 0, NULL, &event));
		IS(clWaitForEvents(1, &event),
		   values[1] ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS);
		IS(status_of(event), values[1] ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
		OK(clReleaseEvent(event));
	}
	OK(ext.release(recording));
	OK(clReleaseMemObject(memory));
	OK(clReleaseProgram(own));
	OK(clReleaseCommandQueue(with));
	OK(clReleaseContext(loud));
	(void)pthread_mutex_lock(&lock);
	while (!said[0])
		(void)pthread_cond_wait(&heard, &lock);
	(void)pthread_mutex_unlock(&lock);
	if (!strstr(said, "Kernel bad") || !strstr(said, "program.cl:3")) {
		failures++;
		printf("said: %s\n", said);
	}
}

int main(void)
{
	cl_int error;

	begin();
	find_extension(platform);
	loose = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
				     &error);
	OK(error);
	program = build(STEP "kernel void say(void) { printf(\"said\\n\"); }");
	graph();
	copies();
	fills();
	shared();
	states();
	questions();
	prints();
	fails();
	OK(clReleaseProgram(program));
	OK(clReleaseCommandQueue(loose));
	return finish();
}

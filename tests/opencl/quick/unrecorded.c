/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong is not recorded, and each wrong call of cl_khr_command_buffer has the code that the extension asks for. */
#include "step.h"

static cl_command_queue loose;

static void wrong_creations(void)
{
	const cl_command_buffer_properties_khr unknown[] = { 77, 0, 0 };
	const cl_command_buffer_properties_khr flag[] = { CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 7, 0 };
	const cl_command_buffer_properties_khr change[] = {
		CL_COMMAND_BUFFER_FLAGS_KHR,
		CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0
	};
	const cl_command_buffer_properties_khr twice[] = { CL_COMMAND_BUFFER_FLAGS_KHR, 0,
							   CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0 };
	const cl_command_queue both[] = { queue, loose };
	cl_command_queue bad = (cl_command_queue)device;
	cl_int error;

	TRUE(!ext.create(0, &queue, NULL, &error));
	IS(error, CL_INVALID_VALUE);
	TRUE(!ext.create(2, both, NULL, &error));
	IS(error, CL_INVALID_VALUE);
	TRUE(!ext.create(1, NULL, NULL, &error));
	IS(error, CL_INVALID_VALUE);
	TRUE(!ext.create(1, &bad, NULL, &error));
	IS(error, CL_INVALID_COMMAND_QUEUE);
	TRUE(!ext.create(1, &queue, unknown, &error));
	IS(error, CL_INVALID_VALUE);
	TRUE(!ext.create(1, &queue, flag, &error));
	IS(error, CL_INVALID_VALUE);
	TRUE(!ext.create(1, &queue, twice, &error));
	IS(error, CL_INVALID_VALUE);
	TRUE(!ext.create(1, &queue, change, &error));
	IS(error, CL_INVALID_PROPERTY);
}

static void wrong_kernels(cl_command_buffer_khr recording, cl_mem memory)
{
	const cl_ndrange_kernel_command_properties_khr unknown[] = { 77, 1, 0 };
	cl_kernel made = step_kernel(memory, 1), unset = kernel(program, "step");
	cl_kernel large = kernel(program, "large");
	const cl_ulong16 values = { 0 };
	const cl_ulong value = 0;
	const size_t one = 1, zero = 0;

	OK(clSetKernelArg(large, 0, sizeof(values), &values));
	OK(clSetKernelArg(large, 1, sizeof(values), &values));
	OK(clSetKernelArg(large, 2, sizeof(value), &value));
	IS(ext.kernel(recording, NULL, NULL, NULL, 1, NULL, &one, NULL, 0, NULL, NULL, NULL),
	   CL_INVALID_KERNEL);
	IS(ext.kernel(recording, NULL, NULL, unset, 1, NULL, &one, NULL, 0, NULL, NULL, NULL),
	   CL_INVALID_KERNEL_ARGS);
	IS(ext.kernel(recording, NULL, unknown, made, 1, NULL, &one, NULL, 0, NULL, NULL, NULL),
	   CL_INVALID_VALUE);
	IS(ext.kernel(recording, NULL, NULL, made, 4, NULL, &one, NULL, 0, NULL, NULL, NULL),
	   CL_INVALID_WORK_DIMENSION);
	IS(ext.kernel(recording, NULL, NULL, made, 1, NULL, &zero, NULL, 0, NULL, NULL, NULL),
	   CL_INVALID_GLOBAL_WORK_SIZE);
	/* More arguments than a pass holds. */
	IS(ext.kernel(recording, NULL, NULL, large, 1, NULL, &one, NULL, 0, NULL, NULL, NULL),
	   CL_OUT_OF_RESOURCES);
	OK(clReleaseKernel(made));
	OK(clReleaseKernel(unset));
	OK(clReleaseKernel(large));
}

static void wrong_commands(void)
{
	cl_command_buffer_khr recording = make(queue, false);
	cl_command_buffer_khr bad = (cl_command_buffer_khr)queue;
	cl_mem memory = filled(256, 0), elsewhere;
	const size_t origin[3] = { 0 }, region[3] = { 4, 1, 1 };
	cl_mutable_command_khr handle;
	cl_sync_point_khr point = 5, none = 0;
	cl_int error;
	cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);

	OK(error);
	elsewhere = clCreateBuffer(other, 0, 256, NULL, &error);
	OK(error);
	IS(ext.retain(bad), CL_INVALID_COMMAND_BUFFER_KHR);
	IS(ext.release(NULL), CL_INVALID_COMMAND_BUFFER_KHR);
	IS(ext.finalize(bad), CL_INVALID_COMMAND_BUFFER_KHR);
	IS(ext.enqueue(0, NULL, bad, 0, NULL, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
	IS(ext.barrier(bad, NULL, 0, NULL, NULL, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
	IS(ext.barrier(recording, queue, 0, NULL, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
	IS(ext.barrier(recording, NULL, 0, NULL, NULL, &handle), CL_INVALID_VALUE);
	IS(ext.barrier(recording, NULL, 1, NULL, NULL, NULL), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	IS(ext.barrier(recording, NULL, 0, &point, NULL, NULL),
	   CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	IS(ext.barrier(recording, NULL, 1, &point, NULL, NULL),
	   CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	IS(ext.barrier(recording, NULL, 1, &none, NULL, NULL), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	IS(ext.copy(recording, NULL, memory, memory, 0, 2, 4, 0, NULL, NULL, NULL),
	   CL_MEM_COPY_OVERLAP);
	IS(ext.copy(recording, NULL, memory, memory, 0, 255, 4, 0, NULL, NULL, NULL),
	   CL_INVALID_VALUE);
	IS(ext.copy(recording, NULL, memory, elsewhere, 0, 0, 4, 0, NULL, NULL, NULL),
	   CL_INVALID_CONTEXT);
	IS(ext.copy(recording, NULL, NULL, memory, 0, 0, 4, 0, NULL, NULL, NULL),
	   CL_INVALID_MEM_OBJECT);
	IS(ext.rect(recording, NULL, memory, memory, origin, origin, region, 0, 0, 0, 0, 0, NULL,
		    NULL, NULL),
	   CL_MEM_COPY_OVERLAP);
	IS(ext.rect(recording, NULL, memory, memory, origin, origin, NULL, 0, 0, 0, 0, 0, NULL,
		    NULL, NULL),
	   CL_INVALID_VALUE);
	IS(ext.fill(recording, NULL, memory, origin, 3, 0, 12, 0, NULL, NULL, NULL),
	   CL_INVALID_VALUE);
	IS(ext.fill(recording, NULL, memory, origin, 4, 0, 512, 0, NULL, NULL, NULL),
	   CL_INVALID_VALUE);
	IS(ext.fill(recording, NULL, elsewhere, origin, 4, 0, 4, 0, NULL, NULL, NULL),
	   CL_INVALID_CONTEXT);
	wrong_kernels(recording, memory);
	/* None of these was recorded. */
	OK(ext.finalize(recording));
	IS(ext.enqueue(0, &queue, recording, 0, NULL, NULL), CL_INVALID_VALUE);
	IS(ext.enqueue(1, NULL, recording, 0, NULL, NULL), CL_INVALID_VALUE);
	IS(ext.enqueue(1, &loose, recording, 0, NULL, NULL), CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
	IS(ext.enqueue(0, NULL, recording, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
	replay(recording);
	OK(clFinish(queue));
	OK(ext.release(recording));
	OK(clReleaseMemObject(memory));
	OK(clReleaseMemObject(elsewhere));
	OK(clReleaseContext(other));
}

int main(void)
{
	cl_int error;

	begin();
	find_extension(platform);
	loose = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
				     &error);
	OK(error);
	program = build(STEP "kernel void large(ulong16 a, ulong16 b, ulong c) { }");
	wrong_creations();
	wrong_commands();
	OK(clReleaseProgram(program));
	OK(clReleaseCommandQueue(loose));
	return finish();
}

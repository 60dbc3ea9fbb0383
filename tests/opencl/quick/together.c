/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that do not depend on one another run at the same time: each of two waits until the other one is there. They
 * are in one queue out of order, and in two queues in order. One after the other they would never end, but fail at the
 * time limit. */
#include "check.h"

static cl_program program;

static cl_kernel meet(cl_mem flags, cl_int mine)
{
	cl_kernel made = kernel(program, "meet");

	OK(clSetKernelArg(made, 0, sizeof(flags), &flags));
	OK(clSetKernelArg(made, 1, sizeof(mine), &mine));
	return made;
}

static void try_with(cl_command_queue first, cl_command_queue second)
{
	const cl_command_queue queues[] = { first, second };
	const size_t one = 1;
	cl_mem flags = buffer(2 * sizeof(cl_int));
	cl_kernel kernels[2];
	cl_event events[2];
	cl_int found[2] = { 0 };

	OK(clEnqueueWriteBuffer(first, flags, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL));
	for (int i = 0; i < 2; i++) {
		kernels[i] = meet(flags, i);
		OK(clEnqueueNDRangeKernel(queues[i], kernels[i], 1, NULL, &one, NULL, 0, NULL,
					  &events[i]));
	}
	OK(clWaitForEvents(2, events));
	OK(clEnqueueReadBuffer(first, flags, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL));
	for (int i = 0; i < 2; i++) {
		IS(found[i], 1);
		OK(clReleaseEvent(events[i]));
		OK(clReleaseKernel(kernels[i]));
	}
	OK(clReleaseMemObject(flags));
}

int main(void)
{
	cl_int error;
	cl_command_queue loose, other;

	begin();
	loose = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
				     &error);
	OK(error);
	other = clCreateCommandQueue(context, device, 0, &error);
	OK(error);
	program = build(
		"kernel void meet(global volatile int *flags, int mine)\n"
		"{ atomic_xchg(&flags[mine], 1); while (atomic_or(&flags[1 - mine], 0) == 0) ; }");
	for (int i = 0; i < 20; i++) {
		try_with(loose, loose);
		try_with(queue, other);
	}
	OK(clReleaseProgram(program));
	OK(clReleaseCommandQueue(loose));
	OK(clReleaseCommandQueue(other));
	return finish();
}

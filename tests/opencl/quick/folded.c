/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges with more work-groups along y or z than a task has bits for (65,535): ids, sizes and offsets of each work-item, with
 * and without barriers, groups at the end that are smaller, prints and
 * command buffers. */
#include "recordings.h"

#define ROWS 65537

static const char source[] =
	"int fits(uint d) { return get_global_id(d) == get_group_id(d) * "
	"get_enqueued_local_size(d) + get_local_id(d) + "
	"get_global_offset(d) && get_group_id(d) < get_num_groups(d); }\n"
	"int item(global uchar *a, uint x, uint y, uint z) {\n"
	"  size_t at = get_global_id(0) - get_global_offset(0) + get_global_size(0) * "
	"(get_global_id(1) - "
	"get_global_offset(1) + get_global_size(1) * (get_global_id(2) - get_global_offset(2)));\n"
	"  int right = fits(0) && fits(1) && fits(2) && get_global_linear_id() == at && "
	"get_num_groups(0) == x && "
	"get_num_groups(1) == y && get_num_groups(2) == z;\n"
	"  a[at] += right ? 1 : 100;\n"
	"  return right;\n}\n"
	"kernel void deep(global uchar *a) {\n"
	"  item(a, 1, 2, 65537);\n"
	"  if (get_global_offset(2) != 5 || get_work_dim() != 3) a[0] = 100;\n"
	"  if (get_group_id(2) == 65536 && get_group_id(1) == 1) printf(\"%d\\n\", "
	"(int)get_global_id(1));\n}\n"
	"kernel void edges(global uchar *a, local uint *here, uint last) {\n"
	"  if (get_local_linear_id() == 0) *here = 0;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  atomic_inc(here);\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  uint x = get_group_id(0) == 1 ? 1 : 2, y = get_group_id(1) == last ? 1 : 2;\n"
	"  int right = *here == x * y && get_local_size(0) == x && get_local_size(1) == y;\n"
	"  item(a, right ? 2 : 0, last + 1, 1);\n}\n"
	"kernel void count(global uchar *a) { a[get_global_id(1)] += 1; }\n";

/** Each of so many bytes is `wanted`. */
static void all_are(cl_mem memory, size_t bytes, cl_uchar wanted)
{
	cl_uchar *found = malloc(bytes);
	size_t wrong = 0;

	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, found, 0, NULL, NULL));
	for (size_t i = 0; i < bytes; i++)
		wrong += found[i] != wanted;
	IS(wrong, 0);
	free(found);
}

static cl_mem cleared(size_t bytes)
{
	cl_mem memory = buffer(bytes);

	OK(clEnqueueFillBuffer(queue, memory, "", 1, 0, bytes, 0, NULL, NULL));
	return memory;
}

/** More groups along z, an offset, prints in the order of the device's, and the times of the event. */
static void deep(cl_program program)
{
	static const size_t offset[3] = { 3, 4, 5 }, global[3] = { 2, 2, ROWS },
			    local[3] = { 2, 1, 1 };
	cl_mem memory = cleared(4 * ROWS);
	cl_kernel made = kernel(program, "deep");
	cl_ulong start, end;
	cl_event event;

	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	OK(clEnqueueNDRangeKernel(queue, made, 3, offset, global, local, 0, NULL, &event));
	all_are(memory, 4 * ROWS, 1);
	OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL));
	OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL));
	TRUE(start < end);
	OK(clReleaseEvent(event));
	OK(clReleaseKernel(made));
	OK(clReleaseMemObject(memory));
}

/** More groups along y, the last ones smaller; enqueued, and in a command buffer beside a range that is not folded. */
static void edges(cl_program program)
{
	static const size_t global[2] = { 3, 2 * ROWS - 1 }, local[2] = { 2, 2 },
			    small[2] = { 3, 5 };
	const size_t bytes = global[0] * global[1];
	cl_mem memory = cleared(bytes), other = cleared(15);
	cl_kernel made = kernel(program, "edges");
	cl_uint last = ROWS - 1;
	cl_command_buffer_khr recording;
	cl_int error;

	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(made, 1, 4, NULL));
	OK(clSetKernelArg(made, 2, sizeof(last), &last));
	OK(clEnqueueNDRangeKernel(queue, made, 2, NULL, global, local, 0, NULL, NULL));
	all_are(memory, bytes, 1);
	recording = ext.create(1, &queue, NULL, &error);
	OK(error);
	OK(ext.kernel(recording, NULL, NULL, made, 2, NULL, global, local, 0, NULL, NULL, NULL));
	last = 2;
	OK(clSetKernelArg(made, 0, sizeof(other), &other));
	OK(clSetKernelArg(made, 2, sizeof(last), &last));
	OK(ext.kernel(recording, NULL, NULL, made, 2, NULL, small, local, 0, NULL, NULL, NULL));
	OK(ext.finalize(recording));
	OK(ext.enqueue(0, NULL, recording, 0, NULL, NULL));
	all_are(memory, bytes, 2);
	all_are(other, 15, 1);
	OK(ext.release(recording));
	OK(clReleaseKernel(made));
	OK(clReleaseMemObject(other));
	OK(clReleaseMemObject(memory));
}

/** Where nobody asks for small groups, larger ones are picked, also of a number that nothing divides. */
static void picked(cl_program program)
{
	static const size_t rows[2] = { 1, ROWS };
	cl_mem memory = cleared(ROWS);
	cl_kernel made = kernel(program, "count");

	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	OK(clEnqueueNDRangeKernel(queue, made, 2, NULL, rows, NULL, 0, NULL, NULL));
	all_are(memory, ROWS, 1);
	OK(clReleaseKernel(made));
	OK(clReleaseMemObject(memory));
}

int main(void)
{
	cl_program program;
	const char *text = source;
	cl_int error;

	begin();
	find_extension(platform);
	program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	OK(error);
	OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
	deep(program);
	edges(program);
	picked(program);
	OK(clReleaseProgram(program));
	return finish();
}

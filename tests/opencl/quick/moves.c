/* SPDX-License-Identifier: Apache-2.0 */
/* Large fills and copies inside of a device, with ends that are no multiples of anything. A kernel looks at the bytes,
 * so that only the program and its commands go to the device. */
#include "check.h"

#define BYTES (1u << 20)

static const char *source = "kernel void differ(global const uchar *a, uint from, uint to, uint "
			    "word, uint shift, global int *wrong)\n"
			    "{\n"
			    "	uint i = get_global_id(0);\n"
			    "	uchar expected = i >= from && i < to ? (uchar)(word >> 8 * ((i + "
			    "shift) % 4)) : 0;\n"
			    "	if (a[i] != expected) atomic_inc(wrong);\n"
			    "}\n";

static cl_kernel differ;

/** The bytes from `from` up to `to` are those of a word whose byte number `shift` comes at a multiple of 4; the others are 0. */
static void expect(cl_mem memory, cl_uint from, cl_uint to, cl_uint word, cl_uint shift)
{
	const size_t size = BYTES;
	cl_int wrong = 0;
	cl_mem count = buffer(sizeof(wrong));

	OK(clEnqueueWriteBuffer(queue, count, CL_TRUE, 0, sizeof(wrong), &wrong, 0, NULL, NULL));
	OK(clSetKernelArg(differ, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(differ, 1, sizeof(from), &from));
	OK(clSetKernelArg(differ, 2, sizeof(to), &to));
	OK(clSetKernelArg(differ, 3, sizeof(word), &word));
	OK(clSetKernelArg(differ, 4, sizeof(shift), &shift));
	OK(clSetKernelArg(differ, 5, sizeof(count), &count));
	OK(clEnqueueNDRangeKernel(queue, differ, 1, NULL, &size, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, count, CL_TRUE, 0, sizeof(wrong), &wrong, 0, NULL, NULL));
	IS(wrong, 0);
	OK(clReleaseMemObject(count));
}

static void fill(cl_mem memory, cl_uint word, size_t width, size_t offset, size_t bytes)
{
	OK(clEnqueueFillBuffer(queue, memory, &word, width, offset, bytes, 0, NULL, NULL));
}

int main(void)
{
	cl_program program;
	cl_mem a, b;

	begin();
	program = build(source);
	differ = kernel(program, "differ");
	a = buffer(BYTES);
	b = buffer(BYTES);
	fill(a, 0, 4, 0, BYTES);
	fill(b, 0, 1, 0, BYTES);
	expect(a, 0, 0, 0, 0);
	fill(a, 0x44332211, 4, 8, BYTES - 20);
	expect(a, 8, BYTES - 12, 0x44332211, 0);
	OK(clEnqueueCopyBuffer(queue, a, b, 9, 6, BYTES - 40, 0, NULL, NULL));
	expect(b, 6, BYTES - 34, 0x44332211, 3);
	OK(clEnqueueCopyBuffer(queue, b, b, 6, BYTES / 2 + 6, BYTES / 2 - 100, 0, NULL, NULL));
	OK(clEnqueueCopyBuffer(queue, a, b, 9, BYTES - 94, 60, 0, NULL, NULL));
	expect(b, 6, BYTES - 34, 0x44332211, 3);
	fill(b, 0xabab, 2, 0, BYTES);
	expect(b, 0, BYTES, 0xabababab, 0);
	OK(clReleaseMemObject(a));
	OK(clReleaseMemObject(b));
	OK(clReleaseKernel(differ));
	OK(clReleaseProgram(program));
	return finish();
}

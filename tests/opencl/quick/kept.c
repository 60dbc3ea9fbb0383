/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that come from the cache folder when this is run again. test_quick.py counts the compilers. */
#include "check.h"

/** What a source makes of 1, with options. */
static cl_int value_of(cl_program program)
{
	cl_kernel f = kernel(program, "f");
	cl_mem memory = buffer(4);
	size_t one = 1;
	cl_int value = 0;

	OK(clSetKernelArg(f, 0, sizeof(memory), &memory));
	OK(clEnqueueNDRangeKernel(queue, f, 1, NULL, &one, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(f));
	return value;
}

static cl_program source_of(const char *text)
{
	cl_int error;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);

	OK(error);
	return program;
}

/** A source that includes files of the folder `include`, and says something about itself. */
static void from_files(void)
{
	cl_program program = source_of("#include \"all.h\"\n"
				       "#warning unused\n"
				       "kernel void f(global int *a) { a[0] = ALL; }");
	char log[4096] = "";

	OK(clBuildProgram(program, 0, NULL, "-I include", NULL, NULL));
	OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
	TRUE(strstr(log, "program.cl:2") && strstr(log, "unused"));
	printf("%d\n", value_of(program));
	OK(clReleaseProgram(program));
}

/** A header that is a program, and parts that are linked. */
static void from_parts(int number)
{
	const char *name = "parts/number.h";
	char text[64];
	cl_program header, parts[2], linked;
	cl_int error;

	(void)snprintf(text, sizeof(text), "int half_of(void);\n#define NUMBER %d\n", number);
	header = source_of(text);
	parts[0] = source_of("#include \"parts/number.h\"\n"
			     "kernel void f(global int *a) { a[0] = half_of() * 2; }");
	parts[1] = source_of("#include <parts/number.h>\nint half_of(void) { return NUMBER / 2; }");
	for (int i = 0; i < 2; i++)
		OK(clCompileProgram(parts[i], 0, NULL, NULL, 1, &header, &name, NULL, NULL));
	linked = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
	OK(error);
	IS(value_of(linked), number);
	for (int i = 0; i < 2; i++)
		OK(clReleaseProgram(parts[i]));
	OK(clReleaseProgram(linked));
	OK(clReleaseProgram(header));
}

int main(void)
{
	begin();
	from_files();
	from_parts(42);
	from_parts(44);
	return finish();
}

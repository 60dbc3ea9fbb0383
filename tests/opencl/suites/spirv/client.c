/* SPDX-License-Identifier: Apache-2.0 */
/* Makes programs of SPIR-V: `client WHAT MODULE [SOURCE]`. */
#include "check.h"

#define ITEMS 64
#define GROUP 16

static unsigned char *data;
static size_t bytes;

static void read_file(const char *path)
{
	FILE *file = fopen(path, "rb");

	data = calloc(1, 1 << 20);
	bytes = file ? fread(data, 1, (1 << 20) - 1, file) : 0;
	TRUE(bytes > 0);
	(void)fclose(file);
}

static cl_program of_module(void)
{
	cl_int error;
	cl_program made = clCreateProgramWithIL(context, data, bytes, &error);

	OK(error);
	return made;
}

static void print_log(cl_program program)
{
	static char log[65536];

	OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
	printf("%s", log);
}

static void build_it(cl_program program)
{
	cl_int error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);

	if (error != CL_SUCCESS)
		print_log(program);
	OK(error);
}

/* ---- The same as the source --------------------------------------------------------------- */

/** What a run of all kernels leaves in memory. */
struct result {
	cl_float a[4 * ITEMS];
	cl_int count[2];
	cl_int calls[ITEMS];
};

static cl_mem memory_of(size_t size, const void *from)
{
	cl_int error;
	cl_mem made =
		clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, size, (void *)(size_t)from, &error);

	OK(error);
	return made;
}

static void take(cl_mem memory, void *to, size_t size)
{
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size, to, 0, NULL, NULL));
	OK(clReleaseMemObject(memory));
}

static void run_all(cl_program program, struct result *result)
{
	const struct {
		cl_float scale;
		cl_int shift;
	} pair = { 0.75f, 3 };
	const cl_float4 vector = { { 1.5f, -2.0f, 0.25f, 3.0f } };
	const cl_float constants[4] = { 5, 6, 7, 8 }, k = 1.25f;
	const size_t items = ITEMS, group = GROUP, one = 1, offset = 2;
	const cl_uchar n = 20;
	const cl_double d = 1.6;
	const cl_int seven = 7;
	cl_kernel kernels[4] = { kernel(program, "scale"), kernel(program, "everything"),
				 kernel(program, "say"), kernel(program, "calls") };
	cl_mem a, count, fixed, calls;

	memset(result, 0, sizeof(*result));
	for (int i = 0; i < 4 * ITEMS; i++)
		result->a[i] = (cl_float)i * 0.3f - 9;
	a = memory_of(sizeof(result->a), result->a);
	count = memory_of(sizeof(result->count), result->count);
	calls = memory_of(sizeof(result->calls), result->calls);
	fixed = memory_of(sizeof(constants), constants);
	OK(clSetKernelArg(kernels[0], 0, sizeof(a), &a));
	OK(clSetKernelArg(kernels[0], 1, sizeof(k), &k));
	OK(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &items, NULL, 0, NULL, NULL));
	OK(clSetKernelArg(kernels[1], 0, sizeof(a), &a));
	OK(clSetKernelArg(kernels[1], 1, sizeof(count), &count));
	OK(clSetKernelArg(kernels[1], 2, sizeof(fixed), &fixed));
	OK(clSetKernelArg(kernels[1], 3, GROUP * sizeof(cl_float), NULL));
	OK(clSetKernelArg(kernels[1], 4, sizeof(pair), &pair));
	OK(clSetKernelArg(kernels[1], 5, sizeof(vector), &vector));
	OK(clEnqueueNDRangeKernel(queue, kernels[1], 1, NULL, &items, &group, 0, NULL, NULL));
	OK(clSetKernelArg(kernels[2], 0, sizeof(seven), &seven));
	OK(clEnqueueNDRangeKernel(queue, kernels[2], 1, NULL, &one, NULL, 0, NULL, NULL));
	OK(clSetKernelArg(kernels[3], 0, sizeof(calls), &calls));
	OK(clSetKernelArg(kernels[3], 1, sizeof(n), &n));
	OK(clSetKernelArg(kernels[3], 2, sizeof(d), &d));
	OK(clEnqueueNDRangeKernel(queue, kernels[3], 1, &offset, &(const size_t){ ITEMS - 2 }, NULL,
				  0, NULL, NULL));
	OK(clReleaseMemObject(fixed));
	take(a, result->a, sizeof(result->a));
	take(count, result->count, sizeof(result->count));
	take(calls, result->calls, sizeof(result->calls));
	for (int i = 0; i < 4; i++)
		OK(clReleaseKernel(kernels[i]));
}

static void compare(const char *source)
{
	static struct result found, expected;
	cl_program mine = of_module(), theirs;
	size_t size = 0;

	build_it(mine);
	OK(clGetProgramInfo(mine, CL_PROGRAM_IL, 0, NULL, &size));
	IS(size, bytes);
	run_all(mine, &found);
	OK(clReleaseProgram(mine));
	read_file(source);
	theirs = build((const char *)data);
	OK(clGetProgramInfo(theirs, CL_PROGRAM_IL, 0, NULL, &size));
	IS(size, 0);
	IS(clSetProgramSpecializationConstant(theirs, 1, 4, &size), CL_INVALID_PROGRAM);
	run_all(theirs, &expected);
	OK(clReleaseProgram(theirs));
	IS(memcmp(&found, &expected, sizeof(found)), 0);
	IS(found.count[0], 3 * ITEMS);
	IS(found.count[1], ITEMS - 1);
	IS(found.calls[2], 6765 + 2); /* The 20th number of Fibonacci, and the offset. */
}

/* ---- Specialization constants ------------------------------------------------------------- */

static void expect(cl_program program, cl_int first, cl_int second, cl_int third)
{
	cl_int found[3] = { 0 };
	const size_t one = 1;
	cl_mem out = buffer(sizeof(found));
	cl_kernel store;

	build_it(program);
	store = kernel(program, "store");
	OK(clSetKernelArg(store, 0, sizeof(out), &out));
	OK(clEnqueueNDRangeKernel(queue, store, 1, NULL, &one, NULL, 0, NULL, NULL));
	OK(clReleaseKernel(store));
	take(out, found, sizeof(found));
	IS(found[0], first);
	IS(found[1], second);
	IS(found[2], third);
}

static void constants(void)
{
	cl_program program = of_module();
	const cl_int number = -6;
	const cl_float real = 2.25f;
	const cl_uchar yes = 1;

	expect(program, 5, 15, 0);
	OK(clSetProgramSpecializationConstant(program, 7, sizeof(number), &(cl_int){ 77 }));
	OK(clSetProgramSpecializationConstant(program, 7, sizeof(number), &number));
	OK(clSetProgramSpecializationConstant(program, 8, sizeof(real), &real));
	OK(clSetProgramSpecializationConstant(program, 9, sizeof(yes), &yes));
	IS(clSetProgramSpecializationConstant(program, 10, sizeof(yes), &yes), CL_INVALID_SPEC_ID);
	IS(clSetProgramSpecializationConstant(program, 7, 2, &number), CL_INVALID_VALUE);
	IS(clSetProgramSpecializationConstant(program, 7, sizeof(number), NULL), CL_INVALID_VALUE);
	expect(program, -6, 22, 1);
	OK(clReleaseProgram(program));
}

/* ---- Refusals --------------------------------------------------------------------------- */

static void is_refused(const void *module, size_t length, cl_int code)
{
	cl_int error;

	TRUE(!clCreateProgramWithIL(context, module, length, &error));
	IS(error, code);
}

static void broken(void)
{
	static const char text[] = "kernel void f(void) {} and more words";
	unsigned char *copy = malloc(bytes);

	is_refused(NULL, bytes, CL_INVALID_VALUE);
	is_refused(data, 0, CL_INVALID_VALUE);
	is_refused(data, 20, CL_INVALID_VALUE); /* A header alone. */
	is_refused(data, bytes - 1, CL_INVALID_VALUE);
	is_refused(text, sizeof(text) / 4 * 4, CL_INVALID_VALUE);
	for (int place = 0; place < 8; place += 3) { /* Magic number, version. */
		memcpy(copy, data, bytes);
		copy[place] ^= 0x40;
		is_refused(copy, bytes, CL_INVALID_VALUE);
	}
	memcpy(copy, data, bytes);
	copy[bytes - 2] = 2; /* The last instruction is longer than the module. */
	is_refused(copy, bytes, CL_INVALID_VALUE);
	free(copy);
}

static void unbuilt(void)
{
	cl_program program = of_module();

	IS(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
	print_log(program);
	OK(clReleaseProgram(program));
}

static void questions(int there)
{
	static char text[4096];
	cl_name_version versions[8];
	size_t size;

	OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL));
	IS(strstr(text, "cl_khr_il_program") != NULL, there);
	OK(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof(text), text, NULL));
	IS(strstr(text, "SPIR-V_1.0") != NULL, there);
	OK(clGetDeviceInfo(device, CL_DEVICE_ILS_WITH_VERSION, sizeof(versions), versions, &size));
	IS(size, there ? 5 * sizeof(versions[0]) : 0);
	TRUE(clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR"));
}

int main(int count, char **words)
{
	const char *what = count > 2 ? words[1] : "";

	begin();
	read_file(words[2]);
	questions(strcmp(what, "refused") != 0);
	if (strcmp(what, "same") == 0)
		compare(words[3]);
	else if (strcmp(what, "constants") == 0)
		constants();
	else if (strcmp(what, "broken") == 0)
		broken();
	else if (strcmp(what, "unbuilt") == 0)
		unbuilt();
	else
		is_refused(data, bytes, CL_INVALID_OPERATION);
	return finish();
}

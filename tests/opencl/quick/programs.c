/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and kernels: options, logs, binaries, arguments, sizes of groups. */
#include <stdint.h>

#include "check.h"

static const char source[] =
	"#ifndef K\n#define K 1\n#endif\n"
	"struct pair { char a; int b; };\n"
	"kernel void f(global int *out, struct pair p, local int *tmp, float4 v)\n"
	"{ size_t i = get_global_id(0); tmp[get_local_id(0)] = p.b;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  out[i] = K * 1000 + p.a * 100 + tmp[0] + (int)v.z; }\n"
	"kernel __attribute__((reqd_work_group_size(4, 2, 1))) void g(global int *o)"
	"{ o[get_global_id(1) * 4 + get_global_id(0)] = (int)get_local_size(1); }\n";

struct pair {
	cl_char a;
	cl_int b;
};

static void run(cl_program program, cl_int expected)
{
	struct pair pair = { 2, 30 };
	cl_float4 v = { { 0, 0, 5, 0 } };
	cl_kernel f = kernel(program, "f");
	cl_mem out = buffer(64);
	size_t global = 16, local = 8, wrong = 5;
	cl_int found[16];

	IS(clEnqueueNDRangeKernel(queue, f, 1, NULL, &global, &local, 0, NULL, NULL),
	   CL_INVALID_KERNEL_ARGS);
	IS(clSetKernelArg(f, 4, 4, &pair), CL_INVALID_ARG_INDEX);
	IS(clSetKernelArg(f, 1, 4, &pair), CL_INVALID_ARG_SIZE);
	IS(clSetKernelArg(f, 1, 8, NULL), CL_INVALID_ARG_VALUE);
	IS(clSetKernelArg(f, 2, 32, &pair), CL_INVALID_ARG_VALUE);
	IS(clSetKernelArg(f, 2, 0, NULL), CL_INVALID_ARG_SIZE);
	OK(clSetKernelArg(f, 0, sizeof(out), &out));
	OK(clSetKernelArg(f, 1, sizeof(pair), &pair));
	OK(clSetKernelArg(f, 2, 32, NULL));
	OK(clSetKernelArg(f, 3, sizeof(v), &v));
	IS(clEnqueueNDRangeKernel(queue, f, 1, NULL, &global, &wrong, 0, NULL, NULL),
	   CL_INVALID_WORK_GROUP_SIZE);
	IS(clEnqueueNDRangeKernel(queue, f, 4, NULL, &global, &wrong, 0, NULL, NULL),
	   CL_INVALID_WORK_DIMENSION);
	OK(clEnqueueNDRangeKernel(queue, f, 1, NULL, &global, &local, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 64, found, 0, NULL, NULL));
	for (int i = 0; i < 16; i++)
		IS(found[i], expected);
	OK(clReleaseMemObject(out));
	OK(clReleaseKernel(f));
}

static void required_size(cl_program program)
{
	cl_kernel g = kernel(program, "g");
	cl_mem out = buffer(64);
	const size_t global[2] = { 4, 4 }, wrong[2] = { 2, 2 };
	size_t size[3] = { 0 };
	cl_int found[16];

	OK(clSetKernelArg(g, 0, sizeof(out), &out));
	OK(clGetKernelWorkGroupInfo(g, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(size),
				    size, NULL));
	IS(size[0] * 100 + size[1] * 10 + size[2], 421);
	IS(clEnqueueNDRangeKernel(queue, g, 2, NULL, global, wrong, 0, NULL, NULL),
	   CL_INVALID_WORK_GROUP_SIZE);
	OK(clEnqueueNDRangeKernel(queue, g, 2, NULL, global, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 64, found, 0, NULL, NULL));
	IS(found[15], 2);
	OK(clReleaseMemObject(out));
	OK(clReleaseKernel(g));
}

/** The image of a program makes the same program. */
static void binaries(cl_program program)
{
	unsigned char *image;
	size_t bytes = 0;
	cl_int error, status;
	cl_program again;

	OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL));
	TRUE(bytes > 0);
	image = malloc(bytes);
	OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(image), &image, NULL));
	again = clCreateProgramWithBinary(context, 1, &device, &bytes,
					  (const unsigned char **)&image, &status, &error);
	OK(error);
	OK(status);
	OK(clBuildProgram(again, 1, &device, "", NULL, NULL));
	run(again, 7235);
	OK(clReleaseProgram(again));
	image[0] = 0;
	(void)clCreateProgramWithBinary(context, 1, &device, &bytes, (const unsigned char **)&image,
					&status, &error);
	IS(error, CL_INVALID_BINARY);
	free(image);
}

static void failures_to_build(void)
{
	const char *wrong = "kernel void f(global int *a) { a[0] = nowhere; }";
	char log[4096] = "";
	cl_int error;
	cl_program program = clCreateProgramWithSource(context, 1, &wrong, NULL, &error);

	OK(error);
	IS(clBuildProgram(program, 0, NULL, "-cl-no-such-option", NULL, NULL),
	   CL_INVALID_BUILD_OPTIONS);
	IS(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
	OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
	TRUE(strstr(log, "program.cl:1:") && strstr(log, "nowhere"));
	(void)clCreateKernel(program, "f", &error);
	IS(error, CL_INVALID_PROGRAM_EXECUTABLE);
	OK(clReleaseProgram(program));
}

static cl_program source_of(const char *text)
{
	cl_int error;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);

	OK(error);
	return program;
}

/** A program made of the image of another one, which has the same type; of an image for another kind of device, or one that
 * was cut, none is made. */
static cl_program of_image(cl_program program, cl_program_binary_type expected)
{
	cl_program_binary_type type = 0;
	unsigned char *image;
	size_t bytes = 0, few = 12;
	cl_program again;
	cl_int error;
	char *triple;

	OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL));
	image = calloc(1, bytes + 1);
	OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(image), &image, NULL));
	again = clCreateProgramWithBinary(context, 1, &device, &bytes,
					  (const unsigned char **)&image, NULL, &error);
	OK(error);
	OK(clGetProgramBuildInfo(again, device, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, NULL));
	IS(type, expected);
	(void)clCreateProgramWithBinary(context, 1, &device, &few, (const unsigned char **)&image,
					NULL, &error);
	IS(error, CL_INVALID_BINARY);
	triple = strstr((char *)image, "\"riscv");
	TRUE(triple);
	if (triple)
		memcpy(triple, "\"riscv16", 8);
	(void)clCreateProgramWithBinary(context, 1, &device, &bytes, (const unsigned char **)&image,
					NULL, &error);
	IS(error, CL_INVALID_BINARY);
	free(image);
	return again;
}

/** Runs kernel `f` of a program, of one work-item, on a number in a buffer. @return the number after it. */
static cl_int value_of(cl_program program, cl_mem memory, cl_int value)
{
	cl_kernel f = kernel(program, "f");
	size_t one = 1;

	OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
	OK(clSetKernelArg(f, 0, sizeof(memory), &memory));
	OK(clEnqueueNDRangeKernel(queue, f, 1, NULL, &one, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
	OK(clReleaseKernel(f));
	return value;
}

/** Objects and libraries are kept by programs as executables are: those of a program's images are linked as it is itself. */
static void link_images(cl_program object, cl_program library, cl_mem memory)
{
	cl_program parts[2] = { of_image(object, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT),
				of_image(library, CL_PROGRAM_BINARY_TYPE_LIBRARY) };
	cl_int error;
	cl_program linked = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);

	OK(error);
	IS(value_of(linked, memory, 5), 15);
	OK(clReleaseProgram(linked));
	for (int i = 0; i < 2; i++)
		OK(clReleaseProgram(parts[i]));
}

/** Two sources with a header, compiled alone, one of them into a library, and linked. */
static void compile_and_link(void)
{
	cl_program header = source_of("int three(int);\n");
	cl_program parts[2] = { source_of("#include \"some/three.h\"\n"
					  "kernel void f(global int *a) { a[0] = three(a[0]); }"),
				source_of("int three(int i) { return i * 3; }") };
	const char *name = "some/three.h";
	cl_program_binary_type type = 0;
	cl_program library, linked, failed;
	cl_mem memory = buffer(4);
	cl_int error;

	OK(clCompileProgram(parts[0], 0, NULL, NULL, 1, &header, &name, NULL, NULL));
	OK(clCompileProgram(parts[1], 1, &device, "-D X=1", 0, NULL, NULL, NULL, NULL));
	library = clLinkProgram(context, 0, NULL, "-create-library", 1, &parts[1], NULL, NULL,
				&error);
	OK(error);
	OK(clGetProgramBuildInfo(library, device, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type,
				 NULL));
	IS(type, CL_PROGRAM_BINARY_TYPE_LIBRARY);
	linked = clLinkProgram(context, 1, &device, NULL, 2, (cl_program[]){ parts[0], library },
			       NULL, NULL, &error);
	OK(error);
	IS(value_of(linked, memory, 14), 42);
	link_images(parts[0], library, memory);
	failed = clLinkProgram(context, 0, NULL, NULL, 1, &parts[0], NULL, NULL, &error);
	IS(error, CL_LINK_PROGRAM_FAILURE);
	(void)clLinkProgram(context, 0, NULL, NULL, 1, &header, NULL, NULL, &error);
	IS(error, CL_INVALID_OPERATION);
	IS(clCompileProgram(parts[0], 0, NULL, NULL, 1, NULL, &name, NULL, NULL), CL_INVALID_VALUE);
	OK(clReleaseMemObject(memory));
	OK(clReleaseProgram(failed));
	OK(clReleaseProgram(linked));
	OK(clReleaseProgram(library));
	for (int i = 0; i < 2; i++)
		OK(clReleaseProgram(parts[i]));
	OK(clReleaseProgram(header));
}

/** What a kernel tells of its parameters, of which there are forty. */
static void parameters(void)
{
	char text[2048] =
		"kernel void many(global const volatile int *restrict in, constant float2 *table, "
		"local char *part";
	cl_kernel_arg_type_qualifier qualifier = 0;
	cl_kernel_arg_address_qualifier space = 0;
	cl_program program;
	cl_uint count = 0;
	cl_kernel many;
	char name[32] = "";

	for (int i = 3; i < 40; i++)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), ", int v%d", i);
	(void)strcat(text, ") {}");
	program = build(text);
	many = kernel(program, "many");
	OK(clGetKernelInfo(many, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL));
	IS(count, 40);
	OK(clGetKernelArgInfo(many, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(qualifier), &qualifier,
			      NULL));
	IS(qualifier,
	   CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_VOLATILE | CL_KERNEL_ARG_TYPE_RESTRICT);
	OK(clGetKernelArgInfo(many, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space,
			      NULL));
	IS(space, CL_KERNEL_ARG_ADDRESS_CONSTANT);
	OK(clGetKernelArgInfo(many, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof(name), name, NULL));
	IS(strcmp(name, "float2*"), 0);
	OK(clGetKernelArgInfo(many, 39, CL_KERNEL_ARG_NAME, sizeof(name), name, NULL));
	IS(strcmp(name, "v39"), 0);
	IS(clGetKernelArgInfo(many, 40, CL_KERNEL_ARG_NAME, sizeof(name), name, NULL),
	   CL_INVALID_ARG_INDEX);
	OK(clReleaseKernel(many));
	OK(clReleaseProgram(program));
}

/** Global offsets in two dimensions. */
static void offsets(void)
{
	cl_program program =
		build("kernel void at(global uint *a) {"
		      " a[get_group_id(1) * 2 + get_group_id(0)] ="
		      " get_global_id(1) * 1000 + get_global_id(0) + get_global_offset(1); }");
	cl_kernel at = kernel(program, "at");
	cl_mem memory = buffer(16);
	const size_t global[2] = { 2, 2 }, local[2] = { 1, 1 }, offset[2] = { 7, 50 };
	cl_uint found[4];

	OK(clSetKernelArg(at, 0, sizeof(memory), &memory));
	OK(clEnqueueNDRangeKernel(queue, at, 2, offset, global, local, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 16, found, 0, NULL, NULL));
	for (cl_uint i = 0; i < 4; i++)
		IS(found[i], (50 + i / 2) * 1000 + 7 + i % 2 + 50);
	IS(clEnqueueNDRangeKernel(queue, at, 1, (const size_t[]){ SIZE_MAX }, global, local, 0,
				  NULL, NULL),
	   CL_INVALID_GLOBAL_OFFSET);
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(at));
	OK(clReleaseProgram(program));
}

/** A kernel without work-items writes nothing, but waits for its events and completes; its arguments have to be there. */
static void no_items(void)
{
	cl_program program = build("kernel void one(global int *a) { a[get_global_id(0)] = 1; }");
	const size_t sizes[4][3] = { { 0 }, { 1, 0, 1 }, { 1, 1, 0 }, { 0, 1, 1 } };
	cl_kernel one = kernel(program, "one");
	cl_mem memory = buffer(4);
	cl_event user, event;
	cl_int error, value = 7;

	IS(clEnqueueNDRangeKernel(queue, one, 1, NULL, sizes[0], NULL, 0, NULL, NULL),
	   CL_INVALID_KERNEL_ARGS);
	OK(clSetKernelArg(one, 0, sizeof(memory), &memory));
	IS(clEnqueueNDRangeKernel(queue, one, 0, NULL, sizes[0], NULL, 0, NULL, NULL),
	   CL_INVALID_WORK_DIMENSION);
	OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
	user = clCreateUserEvent(context, &error);
	OK(error);
	OK(clEnqueueNDRangeKernel(queue, one, 1, NULL, sizes[0], NULL, 1, &user, &event));
	TRUE(status_of(event) == CL_QUEUED || status_of(event) == CL_SUBMITTED);
	for (cl_uint i = 1; i < 4; i++)
		OK(clEnqueueNDRangeKernel(queue, one, 3, NULL, sizes[i], NULL, 0, NULL, NULL));
	OK(clEnqueueNDRangeKernel(queue, one, 1, NULL, NULL, NULL, 0, NULL, NULL));
	OK(clSetUserEventStatus(user, CL_COMPLETE));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
	IS(value, 7);
	IS(status_of(event), CL_COMPLETE);
	OK(clReleaseEvent(event));
	OK(clReleaseEvent(user));
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(one));
	OK(clReleaseProgram(program));
}

/** A version is followed by a space and the words of who made it, as the standard has it. */
static void versions(void)
{
	char text[64] = "";

	OK(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof(text), text, NULL));
	IS(strncmp(text, "OpenCL 3.0 ", 11), 0);
	OK(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof(text), text, NULL));
	IS(strncmp(text, "OpenCL 3.0 ", 11), 0);
	OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_VERSION, sizeof(text), text, NULL));
	IS(strncmp(text, "OpenCL C 1.2 ", 13), 0);
}

int main(void)
{
	const char *text = source;
	cl_program program;
	cl_kernel kernels[2];
	cl_uint count = 0;
	cl_int error;
	char names[16];

	begin();
	versions();
	no_items();
	program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	OK(error);
	OK(clBuildProgram(program, 0, NULL, " -D K=7 -cl-mad-enable -I \"/tmp\"", NULL, NULL));
	OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL));
	IS(strcmp(names, "f;g"), 0);
	run(program, 7235);
	required_size(program);
	OK(clCreateKernelsInProgram(program, 2, kernels, &count));
	IS(count, 2);
	IS(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
	OK(clReleaseKernel(kernels[0]));
	OK(clReleaseKernel(kernels[1]));
	binaries(program);
	OK(clReleaseProgram(program));
	failures_to_build();
	compile_and_link();
	parameters();
	offsets();
	return finish();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels are written in: versions of OpenCL C and their features, smaller groups, prints, and programs without
 * kernels. */
#include "check.h"

static cl_program source_of(const char *text)
{
	cl_int error;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);

	OK(error);
	return program;
}

/** A program with options that builds. */
static cl_program build_with(const char *text, const char *options)
{
	cl_program program = source_of(text);

	OK(clBuildProgram(program, 0, NULL, options, NULL, NULL));
	return program;
}

/** A program without kernels is one, too, and can be linked into others. */
static void no_kernels(void)
{
	cl_program program = source_of("int three(int i) { return i * 3; }");
	cl_program empty = build(""), linked;
	size_t count = 7, bytes = 7;
	cl_uint none = 7;
	cl_int error;

	OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL));
	IS(count, 0);
	OK(clGetProgramInfo(empty, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes));
	IS(bytes, 1);
	OK(clCreateKernelsInProgram(program, 0, NULL, &none));
	IS(none, 0);
	(void)clCreateKernel(program, "three", &error);
	IS(error, CL_INVALID_KERNEL_NAME);
	OK(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	linked = clLinkProgram(context, 0, NULL, NULL, 1, &program, NULL, NULL, &error);
	OK(error);
	OK(clReleaseProgram(linked));
	OK(clReleaseProgram(empty));
	OK(clReleaseProgram(program));
}

/** Groups at the end that are smaller, in programs of OpenCL C 3.0 and no others. */
static void edges(void)
{
	static const char text[] =
		"kernel void f(global uint *a) { local int here;\n"
		"  size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
		"  if (get_local_id(0) + get_local_id(1) == 0) here = 0;\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  atomic_inc(&here);\n"
		"  barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  a[at] = here * 100 + get_local_size(0) * 10 + get_local_size(1);\n"
		"#if __OPENCL_C_VERSION__ >= 300\n"
		"  if (get_enqueued_local_size(0) != 4 || get_global_linear_id() != at) a[at] = "
		"0;\n"
		"#endif\n}\n"
		"kernel __attribute__((reqd_work_group_size(4, 1, 1))) void g(global uint *a) {}";
	static const char *const uniform[] = { "", "-cl-std=CL1.2",
					       "-cl-std=CL3.0 -cl-uniform-work-group-size" };
	const size_t global[2] = { 10, 7 }, local[2] = { 4, 3 }, whole[2] = { 12, 6 };
	cl_mem memory = buffer(70 * 4);
	cl_uint found[70], yes = 0;
	cl_program program = build_with(text, "-cl-std=CL3.0");
	cl_kernel f = kernel(program, "f"), g = kernel(program, "g");

	OK(clGetDeviceInfo(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof(yes), &yes,
			   NULL));
	IS(yes, CL_TRUE);
	OK(clSetKernelArg(f, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(g, 0, sizeof(memory), &memory));
	IS(clEnqueueNDRangeKernel(queue, g, 1, NULL, global, NULL, 0, NULL, NULL),
	   CL_INVALID_WORK_GROUP_SIZE);
	OK(clEnqueueNDRangeKernel(queue, f, 2, NULL, global, local, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL));
	for (cl_uint i = 0; i < 70; i++) {
		cl_uint x = i % 10 < 8 ? 4 : 2, y = i / 10 < 6 ? 3 : 1;

		IS(found[i], x * y * 100 + x * 10 + y);
	}
	OK(clReleaseKernel(f));
	OK(clReleaseKernel(g));
	OK(clReleaseProgram(program));
	for (size_t i = 0; i < 3; i++) {
		program = build_with(text, uniform[i]);
		f = kernel(program, "f");
		OK(clSetKernelArg(f, 0, sizeof(memory), &memory));
		IS(clEnqueueNDRangeKernel(queue, f, 2, NULL, global, local, 0, NULL, NULL),
		   CL_INVALID_WORK_GROUP_SIZE);
		OK(clEnqueueNDRangeKernel(queue, f, 2, NULL, whole, local, 0, NULL, NULL));
		OK(clFinish(queue));
		OK(clReleaseKernel(f));
		OK(clReleaseProgram(program));
	}
	OK(clReleaseMemObject(memory));
}

/** OpenCL C 3.0: what its macros and the device say of its features is the same, and each version is named. */
static void version_3(void)
{
	static const char text[] = "kernel void f(global int *a, volatile global atomic_int *b,"
				   " local uint *c) {\n"
				   "  atomic_fetch_add_explicit(b, 2, memory_order_relaxed,"
				   " memory_scope_work_group);\n"
				   "  atomic_fetch_max(b, 1);\n"
				   "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
				   "  a[get_global_linear_id()] = ctz(8 << get_local_linear_id())"
				   " + __OPENCL_VERSION__ + __OPENCL_C_VERSION__\n"
				   "#ifdef %s\n + 1000\n#endif\n ; }";
	cl_name_version features[16] = { 0 }, versions[8] = { 0 };
	const size_t items = 4;
	size_t bytes = 0;
	cl_mem memory = buffer(20);
	cl_int found[5] = { 0 };
	char with[1024];

	OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof(versions), versions,
			   &bytes));
	IS(versions[bytes / sizeof(versions[0]) - 1].version, CL_MAKE_VERSION(3, 0, 0));
	OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof(features), features,
			   &bytes));
	IS(bytes / sizeof(features[0]), 5);
	strcpy(features[5].name, "__opencl_c_images");
	for (size_t i = 0; i < 6; i++) {
		const cl_int zero[5] = { 0 };
		cl_program program;
		cl_kernel f;

		(void)snprintf(with, sizeof(with), text, features[i].name);
		program = build_with(with, "-cl-std=CL3.0");
		f = kernel(program, "f");
		OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 20, zero, 0, NULL, NULL));
		OK(clSetKernelArg(f, 0, sizeof(memory), &memory));
		OK(clSetKernelArg(f, 1, sizeof(memory), &memory));
		OK(clSetKernelArg(f, 2, 4, NULL));
		OK(clEnqueueNDRangeKernel(queue, f, 1, NULL, &items, &items, 0, NULL, NULL));
		OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 20, found, 0, NULL, NULL));
		for (cl_int j = 0; j < 4; j++)
			IS(found[j], 3 + j + 600 + (i < 5 ? 1000 : 0));
		OK(clReleaseKernel(f));
		OK(clReleaseProgram(program));
	}
	OK(clReleaseMemObject(memory));
}

/** A kernel that prints more than the device keeps goes on; what does not fit is left out. */
static void prints(void)
{
	cl_program program = build("kernel void f(global int *a) { int bad = 0;"
				   " for (int i = 0; i < 80; i++) bad += printf(\"\") == -1;"
				   " atomic_add(a, bad); }");
	cl_kernel f = kernel(program, "f");
	cl_mem memory = buffer(4);
	const cl_int record = 16;
	cl_int found = 0;
	size_t many = 1000, one = 1;

	OK(clSetKernelArg(f, 0, sizeof(memory), &memory));
	OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 4, &found, 0, NULL, NULL));
	OK(clEnqueueNDRangeKernel(queue, f, 1, NULL, &many, &one, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &found, 0, NULL, NULL));
	IS(found, 80000 - (1 << 20) / record);
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(f));
	OK(clReleaseProgram(program));
}

/** Local variables of one kernel take no room of another one's; those of a kernel that another one calls do not overlap. */
static void locals(void)
{
	cl_program program = build(
		"#define WIDE(name, type) kernel void name(global int *a) {"
		" local type x[40000 / sizeof(type)]; local int y[16]; int i = "
		"(int)get_local_id(0);"
		" x[600 * i] = (type)a[i]; y[i] = i; barrier(CLK_LOCAL_MEM_FENCE);"
		" a[i] = (int)x[600 * (15 - i)] + y[15 - i] * 100; }\n"
		"WIDE(one, float) WIDE(two, int)\n"
		"kernel void inner(global int *a) { local int z[16]; int i = (int)get_local_id(0);"
		" z[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = z[15 - i]; }\n"
		"kernel void outer(global int *a) { local int w[16]; int i = (int)get_local_id(0);"
		" w[i] = 7000 + i; inner(a); barrier(CLK_LOCAL_MEM_FENCE); a[i] += w[15 - i]; }");
	const char *const names[] = { "one", "two", "inner", "outer" };
	const size_t items = 16;

	for (int i = 0; i < 4; i++) {
		cl_kernel made = kernel(program, names[i]);
		cl_mem memory = buffer(64);
		cl_int values[16];

		for (cl_int k = 0; k < 16; k++)
			values[k] = 3 * k;
		OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 64, values, 0, NULL, NULL));
		OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
		OK(clEnqueueNDRangeKernel(queue, made, 1, NULL, &items, &items, 0, NULL, NULL));
		OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 64, values, 0, NULL, NULL));
		for (cl_int k = 0; k < 16; k++)
			IS(values[k], 3 * (15 - k) + (i < 2   ? 100 * (15 - k)
						      : i > 2 ? 7000 + 15 - k
							      : 0));
		OK(clReleaseMemObject(memory));
		OK(clReleaseKernel(made));
	}
	OK(clReleaseProgram(program));
}

/** Local memory is aligned to its type, up to the 128 bytes of long16 and double16: that of variables and that of
 * arguments. */
static void local_alignments(void)
{
	cl_program program = build(
		"kernel void f(global uint *a, local char *c, local long16 *x, local short *s, "
		"local double16 *y) {\n"
		"  local char odd[3]; local long16 own[2]; local int8 eight;\n"
		"  odd[1] = 1; own[1] = 2; eight = 3; c[2] = 4; x[1] = own[1]; s[2] = 5; y[1] = "
		"6;\n"
		"  a[0] = (size_t)own % 128; a[1] = (size_t)&eight % 32; a[2] = (size_t)x % 128;\n"
		"  a[3] = (size_t)s % 2; a[4] = (size_t)y % 128;\n"
		"  a[5] = odd[1] + x[1].sf + eight.s7 + c[2] + s[2] + y[1].sf; }");
	cl_kernel made = kernel(program, "f");
	cl_mem memory = buffer(24);
	cl_uint found[6];

	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(made, 1, 3, NULL));
	OK(clSetKernelArg(made, 2, 256, NULL));
	OK(clSetKernelArg(made, 3, 6, NULL));
	OK(clSetKernelArg(made, 4, 256, NULL));
	OK(clEnqueueTask(queue, made, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL));
	for (size_t i = 0; i < 5; i++)
		IS(found[i], 0);
	IS(found[5], 1 + 2 + 3 + 4 + 5 + 6);
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(made));
	OK(clReleaseProgram(program));
}

/** A large frame whose vectors are aligned, where sp comes back from the frame pointer by a constant that fits into no
 * instruction: its stack is known. */
static void large_frame(void)
{
	cl_program program =
		build("#define FOUR(x, y) x = mad24(y, x, y); y = mad24(x, y, x); x = mad24(y, x, "
		      "y); y = mad24(x, y, x);\n"
		      "#define SIXTEEN(x, y) FOUR(x, y) FOUR(x, y) FOUR(x, y) FOUR(x, y)\n"
		      "kernel void f(global int *a, int b) {\n"
		      "  int16 x = (int16)(b, b+1, b+2, b+3, b+4, b+5, b+6, b+7, b+8, b+9, b+10, "
		      "b+11, b+12, b+13, b+14, b+15);\n"
		      "  int16 y = (int16)get_local_id(0);\n"
		      "  for (int i = 0; i < 4; i++) { SIXTEEN(x, y) }\n"
		      "  int2 t = y.s01 + y.s23 + y.s45 + y.s67 + y.s89 + y.sab + y.scd + y.sef;\n"
		      "  a[get_global_id(0)] = t.s0 + t.s1; }");
	cl_kernel made = kernel(program, "f");
	cl_mem memory = buffer(64 * sizeof(cl_int));
	const cl_int b = -9;
	size_t items = 64, log = 0;
	cl_int found[64];

	OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &log));
	IS(log, 1);
	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(made, 1, sizeof(b), &b));
	OK(clEnqueueNDRangeKernel(queue, made, 1, NULL, &items, &items, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL));
	for (int item = 0; item < 64; item++) {
		cl_uint sum = 0;

		for (int lane = 0; lane < 16; lane++) {
			cl_uint x = (cl_uint)(b + lane), y = (cl_uint)item;

			for (int i = 0; i < 32; i++) {
				x = y * x + y; /* as mad24() does here with more than 24 bits */
				y = x * y + x;
			}
			sum += y;
		}
		IS(found[item], (cl_int)sum);
	}
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(made));
	OK(clReleaseProgram(program));
}

/** The gamma function, to 16 units in the last place. */
static void gammas(void)
{
	static const double cases[][2] = {
		{ 0x1p-1023, 0x1p1023 },
		{ 0.25, 3.6256099082219083 },
		{ 3.5, 3.3233509704478426 },
		{ 30.5, 4.8226969334909086e+31 },
		{ 150.5, 4.6610726270973779e+261 },
		{ 171.5, 9.4833675668247993e+307 },
		{ -0.75, -4.8341465442958777 },
		{ -30.75, -1.2787726615162977e-33 },
		{ -109.25, 9.5095979552195255e-177 },
	};
	const size_t count = sizeof(cases) / sizeof(cases[0]);
	cl_program program = build("kernel void f(global double *a) { a[0] = tgamma(a[0]); a[1] = "
				   "tgamma((float)a[1]); }");
	cl_kernel made = kernel(program, "f");
	cl_mem memory = buffer(2 * sizeof(double));

	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	for (size_t i = 0; i < count; i++) {
		double a[2] = { cases[i][0], cases[i][0] }, expected = cases[i][1], off;

		OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof(a), a, 0, NULL, NULL));
		OK(clEnqueueTask(queue, made, 0, NULL, NULL));
		OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof(a), a, 0, NULL, NULL));
		off = (a[0] - expected) / expected;
		TRUE(off < 16 * 0x1p-52 && off > -16 * 0x1p-52);
		off = (a[1] - (float)expected) / expected;
		TRUE(i == 0 || i == 4 || i == 5 || i == 8 ||
		     (off < 16 * 0x1p-23 && off > -16 * 0x1p-23));
	}
	OK(clReleaseMemObject(memory));
	OK(clReleaseKernel(made));
	OK(clReleaseProgram(program));
}

int main(void)
{
	begin();
	locals();
	prints();
	no_kernels();
	edges();
	version_3();
	local_alignments();
	large_frame();
	gammas();
	return finish();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* platform SOURCE COUNT: what launches and builds cost through an OpenCL platform, the first that the loader
 * has. COUNT 0: latency, 1,000 in a chain, builds; otherwise only so many in a chain. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <string.h>

#include "figures.h"

#define BUILDS 3

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;

static void launch(void *what)
{
	const size_t one = 1;

	(void)what;
	NEED(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
}

static void finish(void *what)
{
	(void)what;
	NEED(clFinish(queue));
}

static double build(const char *source, cl_program *program)
{
	double begin = clock_us(CLOCK_MONOTONIC);
	cl_kernel made;
	cl_int error;

	*program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
	NEED(error);
	NEED(clBuildProgram(*program, 1, &device, NULL, NULL, NULL));
	made = clCreateKernel(*program, "next", &error);
	NEED(error);
	NEED(clReleaseKernel(made));
	return clock_us(CLOCK_MONOTONIC) - begin;
}

/** Sources that nobody has built before, each once more. */
static void measure_builds(const char *source)
{
	double first[BUILDS], again[BUILDS];
	cl_program program;
	char *text = malloc(strlen(source) + 64);

	if (!text)
		exit(1);
	for (int i = 0; i < BUILDS; i++) {
		(void)sprintf(text, "%s\nconstant int number = %d;\n", source, i);
		first[i] = build(text, &program);
		NEED(clReleaseProgram(program));
		again[i] = build(text, &program);
		NEED(clReleaseProgram(program));
	}
	free(text);
	print_median("first_build", first, BUILDS);
	print_median("build_again", again, BUILDS);
}

int main(int argc, char **argv)
{
	long count = argc == 3 ? atol(argv[2]) : -1;
	cl_platform_id platform;
	cl_program program;
	size_t bytes;
	cl_mem memory;
	cl_int error, result;
	char *source;

	if (count < 0) {
		(void)fprintf(stderr, "platform SOURCE COUNT\n");
		return 1;
	}
	source = read_file(argv[1], &bytes);
	NEED(clGetPlatformIDs(1, &platform, NULL));
	NEED(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	NEED(error);
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
	NEED(error);
	(void)build(source, &program);
	kernel = clCreateKernel(program, "next", &error);
	NEED(error);
	memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4, &(int){ 0 },
				&error);
	NEED(error);
	NEED(clSetKernelArg(kernel, 0, sizeof(memory), &memory));
	launch(NULL);
	finish(NULL);
	if (count == 0) {
		measure_rounds(launch, finish, NULL);
		measure_builds(source);
	}
	measure_chain(count ? count : 1000, launch, finish, NULL);
	NEED(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
	NEED(result != 1 + (count ? count : 1000 + ROUNDS));
	free(source);
	return 0;
}

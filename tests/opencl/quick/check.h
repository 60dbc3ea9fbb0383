/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the quick tests of the OpenCL platform share: a context with its device, and checks that say what
 * was expected where. They use OpenCL's own calls through the loader, as any program does.
 */
#ifndef TESTS_OPENCL_QUICK_CHECK_H
#define TESTS_OPENCL_QUICK_CHECK_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under this sanitizer no memory is given out again at once, and it has the device's addresses itself. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static int failures;

#define IS(value, expected)                                                                 \
	do {                                                                                \
		long long found_ = (long long)(value), wanted_ = (long long)(expected);     \
		if (found_ != wanted_) {                                                    \
			failures++;                                                         \
			printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #value, \
			       found_, wanted_);                                            \
		}                                                                           \
	} while (0)
#define OK(value)   IS(value, CL_SUCCESS)
#define TRUE(value) IS((value) != 0, 1)

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

/** The first device, a context, and a queue in order with profiling. */
static inline void begin(void)
{
	cl_int error;

	OK(clGetPlatformIDs(1, &platform, NULL));
	OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	OK(error);
	queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
	OK(error);
	if (failures)
		exit(1);
}

/** Gives back what begin() made. @return the exit status. */
static inline int finish(void)
{
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
	printf("%d failures\n", failures);
	return failures != 0;
}

/** A program that builds. */
static inline cl_program build(const char *source)
{
	cl_int error;
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);

	OK(error);
	OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	return program;
}

static inline cl_mem buffer(size_t bytes)
{
	cl_int error;
	cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);

	OK(error);
	return made;
}

static inline cl_kernel kernel(cl_program program, const char *name)
{
	cl_int error;
	cl_kernel made = clCreateKernel(program, name, &error);

	OK(error);
	return made;
}

static inline cl_int status_of(cl_event event)
{
	cl_int status = 1234;

	OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
	return status;
}

#endif /* TESTS_OPENCL_QUICK_CHECK_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A kernel to record, and what tests of command buffers do with buffers and states.
 */
#ifndef TESTS_OPENCL_QUICK_STEP_H
#define TESTS_OPENCL_QUICK_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "recordings.h"

#define STEP                                         \
	"kernel void step(global uint *a, uint k)\n" \
	"{ size_t i = get_global_id(0); a[i] = a[i] * 3 + k; }\n"

static cl_program program; /* Has that kernel. */

static inline cl_kernel step_kernel(cl_mem memory, cl_uint k)
{
	cl_kernel made = kernel(program, "step");

	OK(clSetKernelArg(made, 0, sizeof(memory), &memory));
	OK(clSetKernelArg(made, 1, sizeof(k), &k));
	return made;
}

static inline void read_all(cl_mem memory, void *to, size_t bytes)
{
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

static inline cl_mem filled(size_t bytes, uint32_t seed)
{
	cl_mem made = buffer(bytes);
	uint8_t *data = malloc(bytes);

	for (size_t i = 0; i < bytes; i++)
		data[i] = (uint8_t)(i * 7 + (i >> 8) + seed);
	OK(clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
	free(data);
	return made;
}

static inline void same(cl_mem one, cl_mem other, size_t bytes)
{
	uint8_t *a = malloc(bytes), *b = malloc(bytes);

	read_all(one, a, bytes);
	read_all(other, b, bytes);
	IS(memcmp(a, b, bytes), 0);
	free(a);
	free(b);
}

static inline cl_command_buffer_khr make(cl_command_queue with, bool many)
{
	const cl_command_buffer_properties_khr list[] = {
		CL_COMMAND_BUFFER_FLAGS_KHR, many ? CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR : 0, 0
	};
	cl_int error;
	cl_command_buffer_khr made = ext.create(1, &with, list, &error);

	OK(error);
	return made;
}

static inline cl_command_buffer_state_khr state_of(cl_command_buffer_khr recording)
{
	cl_command_buffer_state_khr state = 1234;

	OK(ext.info(recording, CL_COMMAND_BUFFER_STATE_KHR, sizeof(state), &state, NULL));
	return state;
}

static inline void replay(cl_command_buffer_khr recording)
{
	OK(ext.enqueue(0, NULL, recording, 0, NULL, NULL));
}

#endif /* TESTS_OPENCL_QUICK_STEP_H */

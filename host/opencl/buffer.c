/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, writes and copies of runs of bytes. */
#include "host/opencl/transfer.h"

/** What the host may not do with a buffer. */
#define NO_READ  (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define NO_WRITE (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
			   size_t size, void *ptr, cl_uint wait_count, const cl_event *wait_list,
			   cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	USE_MEMORY(memory, buffer);
	const struct transfer transfer = { .from = { .memory = memory, .offset = offset },
					   .to = { .pointer = ptr },
					   .bytes = size,
					   .rows = 1,
					   .slices = 1 };

	if (memory_check_part(memory, offset, size) != CL_SUCCESS || !ptr)
		return CL_INVALID_VALUE;
	if (memory->flags & NO_READ)
		return CL_INVALID_OPERATION;
	return transfer_enqueue(queue, CL_COMMAND_READ_BUFFER, &transfer, &list, blocking, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
			    size_t size, const void *ptr, cl_uint wait_count,
			    const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	USE_MEMORY(memory, buffer);
	const struct transfer transfer = { .from = { .pointer = (uint8_t *)(uintptr_t)ptr },
					   .to = { .memory = memory, .offset = offset },
					   .bytes = size,
					   .rows = 1,
					   .slices = 1 };

	if (memory_check_part(memory, offset, size) != CL_SUCCESS || !ptr)
		return CL_INVALID_VALUE;
	if (memory->flags & NO_WRITE)
		return CL_INVALID_OPERATION;
	return transfer_enqueue(queue, CL_COMMAND_WRITE_BUFFER, &transfer, &list, blocking, event);
}

/** Whether two runs of the same memory have a byte in common. */
static bool overlap(cl_mem from, size_t from_offset, cl_mem to, size_t to_offset, size_t bytes)
{
	size_t a, b;

	if (memory_root(from, &a) != memory_root(to, &b))
		return false;
	a += from_offset;
	b += to_offset;
	return a < b + bytes && b < a + bytes;
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
			   size_t source_offset, size_t target_offset, size_t size,
			   cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	USE_MEMORY(from, source);
	USE_MEMORY(to, target);
	const struct transfer transfer = { .from = { .memory = from, .offset = source_offset },
					   .to = { .memory = to, .offset = target_offset },
					   .bytes = size,
					   .rows = 1,
					   .slices = 1 };

	if (memory_check_part(from, source_offset, size) != CL_SUCCESS ||
	    memory_check_part(to, target_offset, size) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (overlap(from, source_offset, to, target_offset, size))
		return CL_MEM_COPY_OVERLAP;
	return transfer_enqueue(queue, CL_COMMAND_COPY_BUFFER, &transfer, &list, false, event);
}

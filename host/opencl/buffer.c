/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, writes and copies of runs of bytes. */
#include "host/opencl/transfer.h"

/** Checks and enqueues a transfer of one row between two sides that have an offset or a pointer. */
static cl_int enqueue(cl_command_queue queue, cl_command_type type, struct side from,
		      struct side to, size_t size, const struct wait_list *list, bool blocking,
		      cl_event *wanted)
{
	const struct transfer transfer = {
		.from = from, .to = to, .bytes = size, .rows = 1, .slices = 1
	};

	if (transfer_check(&transfer) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (type == CL_COMMAND_COPY_BUFFER && transfer_touches(&transfer))
		return CL_MEM_COPY_OVERLAP;
	return transfer_enqueue(queue, type, &transfer, list, blocking, wanted);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
			   size_t size, void *ptr, cl_uint wait_count, const cl_event *wait_list,
			   cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	USE_MEMORY(memory, buffer);
	const struct side from = { .memory = memory, .offset = offset };
	const struct side to = { .pointer = ptr };

	return enqueue(entered, CL_COMMAND_READ_BUFFER, from, to, size, &list, blocking, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
			    size_t size, const void *ptr, cl_uint wait_count,
			    const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	USE_MEMORY(memory, buffer);
	const struct side from = { .pointer = (uint8_t *)(uintptr_t)ptr };
	const struct side to = { .memory = memory, .offset = offset };

	return enqueue(entered, CL_COMMAND_WRITE_BUFFER, from, to, size, &list, blocking, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
			   size_t source_offset, size_t target_offset, size_t size,
			   cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	USE_MEMORY(from_memory, source);
	USE_MEMORY(to_memory, target);
	const struct side from = { .memory = from_memory, .offset = source_offset };
	const struct side to = { .memory = to_memory, .offset = target_offset };

	return enqueue(entered, CL_COMMAND_COPY_BUFFER, from, to, size, &list, false, event);
}

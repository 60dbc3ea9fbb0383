/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/fill.h"

#include <stdlib.h>
#include <string.h>

#include "host/opencl/command.h"
#include "host/opencl/shared.h"

#define PIECE_BYTES 65536u /* A multiple of all sizes of patterns. */

/** Fills memory with copies of the pattern; `bytes` is a multiple of its size. */
static void repeat(const struct fill *fill, uint8_t *to, size_t bytes)
{
	size_t done = fill->pattern_bytes;

	if (bytes == 0)
		return;
	if (fill->pattern_bytes == 1) {
		memset(to, fill->pattern[0], bytes);
		return;
	}
	memcpy(to, fill->pattern, done);
	while (done < bytes) {
		size_t part = done < bytes - done ? done : bytes - done;

		memcpy(to + done, to, part);
		done += part;
	}
}

/** Where the memory is not shared, and the device does not fill it: piece by piece. */
static cl_int fill_far(const struct fill *fill, cl_device_id device, uint64_t address)
{
	uint32_t word = 0;
	size_t step = fill->bytes < PIECE_BYTES ? fill->bytes : PIECE_BYTES;
	uint8_t *piece = malloc(step);
	cl_int error = piece ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	if (piece)
		repeat(fill, piece, step);
	if (piece && device_moves(device, fill->bytes) && fill->pattern_bytes <= sizeof(word)) {
		memcpy(&word, piece, sizeof(word));
		if (gg_context_fill(device->context, address, word, fill->bytes, DEVICE_MOVE_MS) ==
		    GG_OK) {
			free(piece);
			return CL_SUCCESS;
		}
	}
	for (size_t done = 0; error == CL_SUCCESS && done < fill->bytes; done += step) {
		size_t left = fill->bytes - done;

		error = device_write(device, address + done, piece, left < step ? left : step);
	}
	free(piece);
	return error;
}

static cl_int run(cl_event event)
{
	const struct fill *fill = event->work;
	cl_device_id device = event->queue->device;
	uint64_t address;
	cl_int error;
	uint8_t *view;

	if (!fill->memory) {
		repeat(fill, fill->pointer, fill->bytes);
		return CL_SUCCESS;
	}
	error = memory_place(fill->memory, device, &address);
	if (error != CL_SUCCESS)
		return error;
	view = device_view(device, address + fill->offset);
	if (!view)
		return fill_far(fill, device, address + fill->offset);
	repeat(fill, view, fill->bytes);
	return CL_SUCCESS;
}

bool fill_is_good(const void *pattern, size_t pattern_size, size_t offset, size_t size)
{
	return pattern && pattern_size > 0 && pattern_size <= PATTERN_MOST &&
	       (pattern_size & (pattern_size - 1)) == 0 && offset % pattern_size == 0 &&
	       size % pattern_size == 0;
}

static void end(void *work)
{
	object_drop(((struct fill *)work)->memory);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
			   size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
			   const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_FILL_BUFFER, NULL, run, end };
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	USE_MEMORY(memory, buffer);
	struct fill *fill;
	cl_event made;
	cl_int error;

	if (memory->context != entered->context)
		return CL_INVALID_CONTEXT;
	if (!fill_is_good(pattern, pattern_size, offset, size) ||
	    memory_check_part(memory, offset, size) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (memory_check_origin(memory) != CL_SUCCESS)
		return CL_MISALIGNED_SUB_BUFFER_OFFSET;
	error = command_make(entered, &kind, &list, sizeof(*fill), &made);
	if (error != CL_SUCCESS)
		return error;
	fill = made->work;
	fill->memory = object_hold(memory);
	fill->offset = offset;
	fill->bytes = size;
	fill->pattern_bytes = pattern_size;
	memcpy(fill->pattern, pattern, pattern_size);
	return command_post(made, false, event);
}

cl_int clEnqueueSVMMemFill(cl_command_queue queue, void *pointer, const void *pattern,
			   size_t pattern_size, size_t size, cl_uint wait_count,
			   const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_SVM_MEMFILL, NULL, run, end };
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	struct fill *fill;
	cl_event made;
	cl_int error;

	if (!shared_device(entered->context))
		return CL_INVALID_OPERATION;
	if (!pointer || !fill_is_good(pattern, pattern_size, (uintptr_t)pointer, size))
		return CL_INVALID_VALUE;
	error = command_make(entered, &kind, &list, sizeof(*fill), &made);
	if (error != CL_SUCCESS)
		return error;
	fill = made->work;
	fill->pointer = pointer;
	fill->bytes = size;
	fill->pattern_bytes = pattern_size;
	memcpy(fill->pattern, pattern, pattern_size);
	return command_post(made, false, event);
}

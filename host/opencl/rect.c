/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/rect.h"

/** Lays out a side; pitches of 0 mean those of the box itself.
 * @return CL_INVALID_VALUE: a pitch is too small, or is no multiple of what it should be. */
static cl_int lay_out(struct side *side, const struct box *box, const size_t *region)
{
	size_t row = box->row_pitch ? box->row_pitch : region[0];
	size_t slice = box->slice_pitch ? box->slice_pitch : region[1] * row;

	if (row < region[0] || slice < region[1] * row || slice % row != 0)
		return CL_INVALID_VALUE;
	side->row_pitch = row;
	side->slice_pitch = slice;
	side->offset = box->origin[2] * slice + box->origin[1] * row + box->origin[0];
	return CL_SUCCESS;
}

cl_int rect_lay_out(struct transfer *transfer, const struct box *from, const struct box *to,
		    const size_t *region)
{
	if (!from->origin || !to->origin || !region || region[0] == 0 || region[1] == 0 ||
	    region[2] == 0)
		return CL_INVALID_VALUE;
	transfer->bytes = region[0];
	transfer->rows = region[1];
	transfer->slices = region[2];
	if (lay_out(&transfer->from, from, region) != CL_SUCCESS ||
	    lay_out(&transfer->to, to, region) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	return transfer_check(transfer);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
			       const size_t *buffer_origin, const size_t *host_origin,
			       const size_t *region, size_t buffer_row_pitch,
			       size_t buffer_slice_pitch, size_t host_row_pitch,
			       size_t host_slice_pitch, void *ptr, cl_uint wait_count,
			       const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	const struct box from = { buffer_origin, buffer_row_pitch, buffer_slice_pitch };
	const struct box to = { host_origin, host_row_pitch, host_slice_pitch };
	USE_QUEUE(entered, queue);
	USE_MEMORY(memory, buffer);
	struct transfer transfer = { .from = { .memory = memory }, .to = { .pointer = ptr } };

	if (rect_lay_out(&transfer, &from, &to, region) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	return transfer_enqueue(entered, CL_COMMAND_READ_BUFFER_RECT, &transfer, &list, blocking,
				event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
				const size_t *buffer_origin, const size_t *host_origin,
				const size_t *region, size_t buffer_row_pitch,
				size_t buffer_slice_pitch, size_t host_row_pitch,
				size_t host_slice_pitch, const void *ptr, cl_uint wait_count,
				const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	const struct box from = { host_origin, host_row_pitch, host_slice_pitch };
	const struct box to = { buffer_origin, buffer_row_pitch, buffer_slice_pitch };
	USE_QUEUE(entered, queue);
	USE_MEMORY(memory, buffer);
	struct transfer transfer = { .from = { .pointer = (uint8_t *)(uintptr_t)ptr },
				     .to = { .memory = memory } };

	if (rect_lay_out(&transfer, &from, &to, region) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	return transfer_enqueue(entered, CL_COMMAND_WRITE_BUFFER_RECT, &transfer, &list, blocking,
				event);
}

/** Whether two boxes of the same buffer, with the same pitches, have a byte in common: the test of
 * the standard's appendix. */
static bool overlap(const struct transfer *transfer, const size_t *from, const size_t *to,
		    const size_t *region)
{
	const size_t row = transfer->from.row_pitch, slice = transfer->from.slice_pitch;
	bool boxes = true;

	if (!transfer_touches(transfer))
		return false;
	if (transfer->from.memory->origin != transfer->to.memory->origin)
		return true;
	for (size_t i = 0; i < 3; i++)
		boxes = boxes && from[i] < to[i] + region[i] && to[i] < from[i] + region[i];
	/* Boxes that reach over the end of a row or slice may meet others there. */
	if (from[0] + region[0] > row || to[0] + region[0] > row ||
	    (from[1] + region[1]) * row > slice || (to[1] + region[1]) * row > slice)
		return true;
	return boxes;
}

cl_int rect_lay_out_copy(struct transfer *transfer, const struct box *from, const struct box *to,
			 const size_t *region)
{
	if (rect_lay_out(transfer, from, to, region) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (transfer->from.memory == transfer->to.memory &&
	    (transfer->from.row_pitch != transfer->to.row_pitch ||
	     transfer->from.slice_pitch != transfer->to.slice_pitch))
		return CL_INVALID_VALUE;
	return overlap(transfer, from->origin, to->origin, region) ? CL_MEM_COPY_OVERLAP
								   : CL_SUCCESS;
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
			       const size_t *source_origin, const size_t *target_origin,
			       const size_t *region, size_t source_row_pitch,
			       size_t source_slice_pitch, size_t target_row_pitch,
			       size_t target_slice_pitch, cl_uint wait_count,
			       const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	const struct box from = { source_origin, source_row_pitch, source_slice_pitch };
	const struct box to = { target_origin, target_row_pitch, target_slice_pitch };
	USE_QUEUE(entered, queue);
	USE_MEMORY(from_memory, source);
	USE_MEMORY(to_memory, target);
	struct transfer transfer = { .from = { .memory = from_memory },
				     .to = { .memory = to_memory } };

	cl_int error = rect_lay_out_copy(&transfer, &from, &to, region);

	if (error != CL_SUCCESS)
		return error;
	return transfer_enqueue(entered, CL_COMMAND_COPY_BUFFER_RECT, &transfer, &list, false,
				event);
}

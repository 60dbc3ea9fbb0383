/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/transfer.h"

/** The first byte of a side in memory of a device. */
static cl_int place(const struct side *side, cl_device_id device, uint64_t *address)
{
	cl_int error = CL_SUCCESS;

	*address = 0;
	if (side->memory)
		error = memory_place(side->memory, device, address);
	*address += side->offset;
	return error;
}

static cl_int copy_row(cl_device_id device, const struct transfer *transfer, uint64_t from,
		       uint64_t to)
{
	if (!transfer->from.memory)
		return device_write(device, to, transfer->from.pointer + from, transfer->bytes);
	if (!transfer->to.memory)
		return device_read(device, from, transfer->to.pointer + to, transfer->bytes);
	/* Where it fails, since the ranges overlap or there is no room, the bytes go through the host. */
	if (device_moves(device, transfer->bytes) &&
	    gg_context_copy(device->context, to, from, transfer->bytes, DEVICE_MOVE_MS) == GG_OK)
		return CL_SUCCESS;
	return device_copy(device, to, from, transfer->bytes);
}

static cl_int run(cl_event event)
{
	const struct transfer *transfer = event->work;
	cl_device_id device = event->queue->device;
	uint64_t from = 0, to = 0;
	cl_int error = place(&transfer->from, device, &from);

	if (error == CL_SUCCESS)
		error = place(&transfer->to, device, &to);
	for (size_t z = 0; z < transfer->slices; z++) {
		for (size_t y = 0; error == CL_SUCCESS && y < transfer->rows; y++)
			error = copy_row(device, transfer,
					 from + z * transfer->from.slice_pitch +
						 y * transfer->from.row_pitch,
					 to + z * transfer->to.slice_pitch +
						 y * transfer->to.row_pitch);
	}
	return error;
}

static void end(void *work)
{
	struct transfer *transfer = work;

	object_drop(transfer->from.memory);
	object_drop(transfer->to.memory);
}

static const struct command_kind kinds[] = {
	{ CL_COMMAND_READ_BUFFER, NULL, run, end },
	{ CL_COMMAND_WRITE_BUFFER, NULL, run, end },
	{ CL_COMMAND_COPY_BUFFER, NULL, run, end },
	{ CL_COMMAND_READ_BUFFER_RECT, NULL, run, end },
	{ CL_COMMAND_WRITE_BUFFER_RECT, NULL, run, end },
	{ CL_COMMAND_COPY_BUFFER_RECT, NULL, run, end },
};

static const struct command_kind *kind_of(cl_command_type type)
{
	size_t i = 0;

	while (kinds[i].type != type)
		i++;
	return &kinds[i];
}

/** Bytes from the first to the last one of a side. */
static size_t extent(const struct transfer *transfer, const struct side *side)
{
	return (transfer->slices - 1) * side->slice_pitch + (transfer->rows - 1) * side->row_pitch +
	       transfer->bytes;
}

cl_int transfer_check(const struct transfer *transfer)
{
	const struct side *const sides[] = { &transfer->from, &transfer->to };

	for (size_t i = 0; i < 2; i++) {
		const struct side *side = sides[i];

		if (side->memory ? memory_check_part(side->memory, side->offset,
						     extent(transfer, side)) != CL_SUCCESS
				 : !side->pointer)
			return CL_INVALID_VALUE;
	}
	return CL_SUCCESS;
}

bool transfer_touches(const struct transfer *transfer)
{
	const struct side *from = &transfer->from, *to = &transfer->to;
	size_t a, b;

	if (memory_root(from->memory, &a) != memory_root(to->memory, &b))
		return false;
	a += from->offset;
	b += to->offset;
	return a < b + extent(transfer, to) && b < a + extent(transfer, from);
}

/** Checks a buffer of a transfer. @param refuses  Flags of buffers that the host must not use so. */
static cl_int check_side(cl_context context, const struct side *side, cl_mem_flags refuses)
{
	if (!side->memory)
		return CL_SUCCESS;
	if (side->memory->flags & refuses)
		return CL_INVALID_OPERATION;
	if (side->memory->context != context)
		return CL_INVALID_CONTEXT;
	return memory_check_origin(side->memory);
}

cl_int transfer_check_buffers(const struct transfer *transfer, cl_context context)
{
	const cl_mem_flags no_read = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
	const cl_mem_flags no_write = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
	cl_int error = check_side(context, &transfer->from, transfer->to.memory ? 0 : no_read);

	return error == CL_SUCCESS
		       ? check_side(context, &transfer->to, transfer->from.memory ? 0 : no_write)
		       : error;
}

cl_int transfer_enqueue(cl_command_queue queue, cl_command_type type,
			const struct transfer *transfer, const struct wait_list *list,
			bool blocking, cl_event *wanted)
{
	struct transfer *work;
	cl_event event;
	cl_int error = transfer_check_buffers(transfer, queue->context);

	if (error == CL_SUCCESS)
		error = command_make(queue, kind_of(type), list, sizeof(*work), &event);
	if (error != CL_SUCCESS)
		return error;
	work = event->work;
	*work = *transfer;
	if (work->from.memory)
		(void)object_hold(work->from.memory);
	if (work->to.memory)
		(void)object_hold(work->to.memory);
	return command_post(event, blocking, wanted);
}

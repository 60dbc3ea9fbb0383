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
	{ CL_COMMAND_READ_BUFFER, false, run, end },
	{ CL_COMMAND_WRITE_BUFFER, false, run, end },
	{ CL_COMMAND_COPY_BUFFER, false, run, end },
	{ CL_COMMAND_READ_BUFFER_RECT, false, run, end },
	{ CL_COMMAND_WRITE_BUFFER_RECT, false, run, end },
	{ CL_COMMAND_COPY_BUFFER_RECT, false, run, end },
};

static const struct command_kind *kind_of(cl_command_type type)
{
	size_t i = 0;

	while (kinds[i].type != type)
		i++;
	return &kinds[i];
}

static cl_int check_side(cl_command_queue queue, const struct side *side)
{
	if (!side->memory)
		return CL_SUCCESS;
	if (side->memory->context != queue->context)
		return CL_INVALID_CONTEXT;
	return memory_check_origin(side->memory);
}

cl_int transfer_enqueue(cl_command_queue handle, cl_command_type type,
			const struct transfer *transfer, const struct wait_list *list,
			bool blocking, cl_event *wanted)
{
	USE_QUEUE(queue, handle);
	struct transfer *work;
	cl_event event;
	cl_int error = check_side(queue, &transfer->from);

	if (error == CL_SUCCESS)
		error = check_side(queue, &transfer->to);
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

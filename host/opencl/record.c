/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/record.h"

#include <stdlib.h>
#include <string.h>

#include "host/opencl/recording.h"
#include "host/opencl/rect.h"
#include "host/opencl/shared.h"

#define ARGUMENTS_MOST 256u /* Bytes of the arguments of a kernel in a task graph. */

/** What all calls that record have: a place in the order, and where the answers go. */
struct place_in_order {
	cl_command_queue queue; /* Must be NULL: that of the recording is meant. */
	cl_uint count;
	const cl_sync_point_khr *list;
	cl_sync_point_khr *sync_point;
	cl_mutable_command_khr *handle; /* Must be NULL: only kernels can be changed. */
};

/** The lock is held. */
static cl_int check_locked(cl_command_buffer_khr recording, const struct place_in_order *place)
{
	if (recording->final)
		return CL_INVALID_OPERATION;
	if (place->handle)
		return CL_INVALID_VALUE;
	if ((place->count == 0) != (place->list == NULL))
		return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
	for (cl_uint i = 0; i < place->count; i++) {
		if (place->list[i] == 0 || place->list[i] > recording->count)
			return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
	}
	return CL_SUCCESS;
}

static cl_int check(cl_command_buffer_khr recording, const struct place_in_order *place)
{
	cl_int error;

	if (place->queue)
		return CL_INVALID_COMMAND_QUEUE;
	(void)pthread_mutex_lock(&recording->lock);
	error = check_locked(recording, place);
	(void)pthread_mutex_unlock(&recording->lock);
	return error;
}

/** Adds a step, or frees it. */
static cl_int append(cl_command_buffer_khr recording, const struct place_in_order *place,
		     struct step *step)
{
	cl_sync_point_khr *waits = malloc(place->count * sizeof(*waits) + 1);
	cl_int error = waits ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	if (waits && place->count > 0)
		memcpy(waits, place->list, place->count * sizeof(*waits));
	step->waits = waits;
	step->wait_count = place->count;
	(void)pthread_mutex_lock(&recording->lock);
	if (error == CL_SUCCESS)
		error = check_locked(recording, place); /* Others may have recorded meanwhile. */
	if (error == CL_SUCCESS) {
		*recording->end = step;
		recording->end = &step->next;
		recording->count++;
		if (step->kind == STEP_KERNEL)
			recording->prints = recording->prints || call_prints(&step->call);
		if (place->sync_point)
			*place->sync_point = recording->count;
	}
	(void)pthread_mutex_unlock(&recording->lock);
	if (error != CL_SUCCESS)
		step_end(step);
	return error;
}

cl_int clCommandBarrierWithWaitListKHR(cl_command_buffer_khr recording, cl_command_queue queue,
				       cl_uint wait_count, const cl_sync_point_khr *wait_list,
				       cl_sync_point_khr *sync_point,
				       cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };
	USE_RECORDING(entered, recording);
	cl_int error = check(entered, &place);
	struct step *step = error == CL_SUCCESS ? step_make(STEP_BARRIER) : NULL;

	if (error == CL_SUCCESS && !step)
		return CL_OUT_OF_HOST_MEMORY;
	return step ? append(entered, &place, step) : error;
}

/* ---- Copies ----------------------------------------------------------------------------- */

/** Records a copy whose sides have been checked but for their contexts. */
static cl_int record_copy(cl_command_buffer_khr recording, const struct place_in_order *place,
			  const struct transfer *transfer)
{
	cl_int error = transfer_check_buffers(transfer, recording->queue->context);
	struct step *step;

	if (error != CL_SUCCESS)
		return error;
	if (transfer->bytes > UINT32_MAX || transfer->rows > UINT32_MAX / transfer->slices)
		return CL_OUT_OF_RESOURCES;
	step = step_make(STEP_COPY);
	if (!step)
		return CL_OUT_OF_HOST_MEMORY;
	step->transfer = *transfer;
	if (transfer->from.memory)
		(void)object_hold(transfer->from.memory);
	if (transfer->to.memory)
		(void)object_hold(transfer->to.memory);
	return append(recording, place, step);
}

cl_int clCommandCopyBufferKHR(cl_command_buffer_khr recording, cl_command_queue queue,
			      cl_mem source, cl_mem target, size_t source_offset,
			      size_t target_offset, size_t size, cl_uint wait_count,
			      const cl_sync_point_khr *wait_list, cl_sync_point_khr *sync_point,
			      cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };
	USE_RECORDING(entered, recording);
	cl_int error = check(entered, &place);

	if (error != CL_SUCCESS)
		return error;

	USE_MEMORY(from, source);
	USE_MEMORY(to, target);
	const struct transfer transfer = { .from = { .memory = from, .offset = source_offset },
					   .to = { .memory = to, .offset = target_offset },
					   .bytes = size,
					   .rows = 1,
					   .slices = 1 };

	if (transfer_check(&transfer) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	return transfer_touches(&transfer) ? CL_MEM_COPY_OVERLAP
					   : record_copy(entered, &place, &transfer);
}

cl_int clCommandCopyBufferRectKHR(cl_command_buffer_khr recording, cl_command_queue queue,
				  cl_mem source, cl_mem target, const size_t *source_origin,
				  const size_t *target_origin, const size_t *region,
				  size_t source_row_pitch, size_t source_slice_pitch,
				  size_t target_row_pitch, size_t target_slice_pitch,
				  cl_uint wait_count, const cl_sync_point_khr *wait_list,
				  cl_sync_point_khr *sync_point, cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };
	const struct box from = { source_origin, source_row_pitch, source_slice_pitch };
	const struct box to = { target_origin, target_row_pitch, target_slice_pitch };
	USE_RECORDING(entered, recording);
	cl_int error = check(entered, &place);

	if (error != CL_SUCCESS)
		return error;

	USE_MEMORY(from_memory, source);
	USE_MEMORY(to_memory, target);
	struct transfer transfer = { .from = { .memory = from_memory },
				     .to = { .memory = to_memory } };

	error = rect_lay_out_copy(&transfer, &from, &to, region);
	return error == CL_SUCCESS ? record_copy(entered, &place, &transfer) : error;
}

cl_int clCommandSVMMemcpyKHR(cl_command_buffer_khr recording, cl_command_queue queue, void *to,
			     const void *from, size_t size, cl_uint wait_count,
			     const cl_sync_point_khr *wait_list, cl_sync_point_khr *sync_point,
			     cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };
	const struct transfer transfer = { .from = { .pointer = (uint8_t *)(uintptr_t)from },
					   .to = { .pointer = to },
					   .bytes = size,
					   .rows = 1,
					   .slices = 1 };
	const uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
	USE_RECORDING(entered, recording);
	cl_int error = check(entered, &place);

	if (error != CL_SUCCESS)
		return error;
	if (shared_device(entered->queue->context) != entered->queue->device)
		return CL_INVALID_OPERATION;
	/* What is not shared the device cannot reach. */
	if (size == 0 || !shared_has(entered->queue->context, to, size) ||
	    !shared_has(entered->queue->context, from, size))
		return CL_INVALID_VALUE;
	return a < b + size && b < a + size ? CL_MEM_COPY_OVERLAP
					    : record_copy(entered, &place, &transfer);
}

/* ---- Fills ------------------------------------------------------------------------------ */

static cl_int record_fill(cl_command_buffer_khr recording, const struct place_in_order *place,
			  const struct fill *fill, const void *pattern)
{
	struct step *step = fill->bytes > UINT32_MAX ? NULL : step_make(STEP_FILL);

	if (!step)
		return fill->bytes > UINT32_MAX ? CL_OUT_OF_RESOURCES : CL_OUT_OF_HOST_MEMORY;
	step->fill = *fill;
	memcpy(step->fill.pattern, pattern, fill->pattern_bytes);
	if (fill->memory)
		(void)object_hold(fill->memory);
	return append(recording, place, step);
}

cl_int clCommandFillBufferKHR(cl_command_buffer_khr recording, cl_command_queue queue,
			      cl_mem buffer, const void *pattern, size_t pattern_size,
			      size_t offset, size_t size, cl_uint wait_count,
			      const cl_sync_point_khr *wait_list, cl_sync_point_khr *sync_point,
			      cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };
	USE_RECORDING(entered, recording);
	cl_int error = check(entered, &place);

	if (error != CL_SUCCESS)
		return error;

	USE_MEMORY(memory, buffer);
	const struct fill fill = {
		.memory = memory, .offset = offset, .bytes = size, .pattern_bytes = pattern_size
	};

	if (memory->context != entered->queue->context)
		return CL_INVALID_CONTEXT;
	if (!fill_is_good(pattern, pattern_size, offset, size) ||
	    memory_check_part(memory, offset, size) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	return memory_check_origin(memory) == CL_SUCCESS
		       ? record_fill(entered, &place, &fill, pattern)
		       : CL_MISALIGNED_SUB_BUFFER_OFFSET;
}

cl_int clCommandSVMMemFillKHR(cl_command_buffer_khr recording, cl_command_queue queue,
			      void *pointer, const void *pattern, size_t pattern_size, size_t size,
			      cl_uint wait_count, const cl_sync_point_khr *wait_list,
			      cl_sync_point_khr *sync_point, cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };
	const struct fill fill = { .pointer = pointer,
				   .bytes = size,
				   .pattern_bytes = pattern_size };
	USE_RECORDING(entered, recording);
	cl_int error = check(entered, &place);

	if (error != CL_SUCCESS)
		return error;
	if (shared_device(entered->queue->context) != entered->queue->device)
		return CL_INVALID_OPERATION;
	if (size == 0 || !fill_is_good(pattern, pattern_size, (uintptr_t)pointer, size) ||
	    !shared_has(entered->queue->context, pointer, size))
		return CL_INVALID_VALUE;
	return record_fill(entered, &place, &fill, pattern);
}

/* ---- Kernels ---------------------------------------------------------------------------- */

/** Whether the arguments fit into those of a pass. */
static bool arguments_fit(cl_kernel kernel)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < kernel->info.parameters; i++)
		end = kernel->parameters[i].offset + kernel->parameters[i].bytes;
	return end <= ARGUMENTS_MOST;
}

/** Reads a list that says what can be changed. @return CL_INVALID_VALUE. */
static cl_int read_list(const cl_ndrange_kernel_command_properties_khr *list,
			struct changes *changes)
{
	changes->fields = CHANGES_ALL;
	for (size_t i = 0; list && list[i] != 0; i += 2) {
		if (changes->listed || list[i] != CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR ||
		    (list[i + 1] & ~(cl_bitfield)CHANGES_ALL))
			return CL_INVALID_VALUE;
		changes->listed = true;
		changes->fields = list[i + 1];
	}
	return CL_SUCCESS;
}

static cl_int record_kernel(cl_command_buffer_khr recording, const struct place_in_order *place,
			    cl_kernel kernel, const struct shape *shape,
			    const struct changes *changes, cl_mutable_command_khr *handle)
{
	struct step *step = step_make(STEP_KERNEL);
	cl_kernel own = NULL;
	cl_int error = CL_SUCCESS;

	if (!step)
		return CL_OUT_OF_HOST_MEMORY;
	step->changes = *changes;
	if (handle) {
		step->changes.kernel = object_hold(kernel);
		error = kernel_copy(kernel, &own);
	}
	if (error == CL_SUCCESS)
		error = call_begin(&step->call, own ? own : kernel, recording->queue->device,
				   shape);
	object_drop(own);
	if (error != CL_SUCCESS) {
		step_end(step);
		return error;
	}
	error = append(recording, place, step);
	if (error == CL_SUCCESS && handle) {
		step_show(step);
		*handle = (cl_mutable_command_khr)step;
	}
	return error;
}

cl_int clCommandNDRangeKernelKHR(cl_command_buffer_khr recording, cl_command_queue queue,
				 const cl_ndrange_kernel_command_properties_khr *properties,
				 cl_kernel kernel, cl_uint work_dim, const size_t *offset,
				 const size_t *global, const size_t *local, cl_uint wait_count,
				 const cl_sync_point_khr *wait_list, cl_sync_point_khr *sync_point,
				 cl_mutable_command_khr *handle)
{
	USE_RECORDING(entered, recording);
	const bool may_change = (entered->flags & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0;
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point,
					      may_change ? NULL : handle };
	struct changes changes = { .local = local != NULL,
				   .recording = entered,
				   .serial = entered->object.serial };
	cl_int error = check(entered, &place);
	struct gg_module *module;
	struct shape shape;
	uint32_t index;

	if (error != CL_SUCCESS)
		return error;

	USE_KERNEL(used, kernel);
	error = read_list(properties, &changes);
	if (error != CL_SUCCESS)
		return error;
	if (used->program->context != entered->queue->context)
		return CL_INVALID_CONTEXT;
	error = kernel_find(used, entered->queue->device, &module, &index);
	if (error == CL_SUCCESS)
		error = shape_make(used, entered->queue->device, work_dim, offset, global, local,
				   &shape);
	if (error == CL_SUCCESS && !arguments_fit(used))
		error = CL_OUT_OF_RESOURCES;
	return error == CL_SUCCESS ? record_kernel(entered, &place, used, &shape, &changes, handle)
				   : error;
}

/* ---- Images ----------------------------------------------------------------------------- */

/** There are no images: what was given is none. */
static cl_int refuse_image(cl_command_buffer_khr recording, const struct place_in_order *place)
{
	USE_RECORDING(entered, recording);
	cl_int error = check(entered, place);

	return error == CL_SUCCESS ? CL_INVALID_MEM_OBJECT : error;
}

cl_int clCommandCopyBufferToImageKHR(cl_command_buffer_khr recording, cl_command_queue queue,
				     cl_mem buffer, cl_mem image, size_t offset,
				     const size_t *origin, const size_t *region, cl_uint wait_count,
				     const cl_sync_point_khr *wait_list,
				     cl_sync_point_khr *sync_point, cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };

	(void)buffer;
	(void)image;
	(void)offset;
	(void)origin;
	(void)region;
	return refuse_image(recording, &place);
}

cl_int clCommandCopyImageToBufferKHR(cl_command_buffer_khr recording, cl_command_queue queue,
				     cl_mem image, cl_mem buffer, const size_t *origin,
				     const size_t *region, size_t offset, cl_uint wait_count,
				     const cl_sync_point_khr *wait_list,
				     cl_sync_point_khr *sync_point, cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };

	(void)image;
	(void)buffer;
	(void)origin;
	(void)region;
	(void)offset;
	return refuse_image(recording, &place);
}

cl_int clCommandCopyImageKHR(cl_command_buffer_khr recording, cl_command_queue queue, cl_mem from,
			     cl_mem to, const size_t *from_origin, const size_t *to_origin,
			     const size_t *region, cl_uint wait_count,
			     const cl_sync_point_khr *wait_list, cl_sync_point_khr *sync_point,
			     cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };

	(void)from;
	(void)to;
	(void)from_origin;
	(void)to_origin;
	(void)region;
	return refuse_image(recording, &place);
}

cl_int clCommandFillImageKHR(cl_command_buffer_khr recording, cl_command_queue queue, cl_mem image,
			     const void *color, const size_t *origin, const size_t *region,
			     cl_uint wait_count, const cl_sync_point_khr *wait_list,
			     cl_sync_point_khr *sync_point, cl_mutable_command_khr *handle)
{
	const struct place_in_order place = { queue, wait_count, wait_list, sync_point, handle };

	(void)image;
	(void)color;
	(void)origin;
	(void)region;
	return refuse_image(recording, &place);
}

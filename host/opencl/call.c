/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/call.h"

#include <stdlib.h>
#include <string.h>

#define TIME_LIMIT_US 60000000u

static uint32_t time_limit_us = TIME_LIMIT_US; /* Longest time of a work-group. */

/** Reads it from GANGER_TIME_LIMIT_MS, 0 for none, if that is set. */
static void read_time_limit(void)
{
	const char *text = getenv("GANGER_TIME_LIMIT_MS");
	unsigned long limit = text ? strtoul(text, NULL, 10) : 0;

	if (text && text[0])
		time_limit_us = limit > UINT32_MAX / 1000 ? UINT32_MAX : (uint32_t)limit * 1000;
}

/** Copies one argument. `values` is where the next value goes. */
static cl_int copy_argument(struct call *call, uint32_t i, uint8_t **values)
{
	const struct argument *from = &call->kernel->arguments[i];
	struct gg_argument *to = &call->arguments[i];

	if (!from->set)
		return CL_INVALID_KERNEL_ARGS;
	to->kind = call->kernel->parameters[i].kind;
	to->bytes = from->bytes;
	if (to->kind == GG_ARGUMENT_BUFFER) {
		call->addresses[i] = from->address;
		to->data = &call->addresses[i];
		if (from->memory) {
			call->memories[i] =
				object_enter_again(OBJECT_MEMORY, from->memory, from->serial);
			if (!call->memories[i])
				return CL_INVALID_KERNEL_ARGS;
			return memory_check_origin(call->memories[i]);
		}
	} else if (to->kind == GG_ARGUMENT_VALUE) {
		memcpy(*values, from->value, from->bytes);
		to->data = *values;
		*values += from->bytes;
	}
	return CL_SUCCESS;
}

static cl_int copy_arguments(struct call *call)
{
	cl_int error = CL_SUCCESS;
	size_t bytes = 0;
	uint8_t *values;

	for (uint32_t i = 0; i < call->count; i++)
		bytes += call->kernel->parameters[i].bytes;
	call->arguments = calloc(1, call->count * (sizeof(*call->arguments) + sizeof(cl_mem) +
						   sizeof(*call->addresses)) +
					    bytes + 1);
	if (!call->arguments)
		return CL_OUT_OF_HOST_MEMORY;
	call->memories = (cl_mem *)(call->arguments + call->count);
	call->addresses = (uint64_t *)(call->memories + call->count);
	values = (uint8_t *)(call->addresses + call->count);
	for (uint32_t i = 0; error == CL_SUCCESS && i < call->count; i++)
		error = copy_argument(call, i, &values);
	return error;
}

cl_int call_begin(struct call *call, cl_kernel kernel, cl_device_id device,
		  const struct shape *shape)
{
	cl_int error;

	call->kernel = object_hold(kernel);
	call->count = kernel->info.parameters;
	call->shape = *shape;
	error = copy_arguments(call);
	if (error == CL_SUCCESS && kernel_local_bytes(kernel) > device->info.sm_shared_bytes)
		error = CL_OUT_OF_RESOURCES;
	return error == CL_SUCCESS ? kernel_find(kernel, device, &call->module, &call->index)
				   : error;
}

cl_int call_place(struct call *call, cl_device_id device)
{
	cl_int error = CL_SUCCESS;

	for (uint32_t i = 0; error == CL_SUCCESS && i < call->count; i++) {
		if (call->memories[i])
			error = memory_place(call->memories[i], device, &call->addresses[i]);
	}
	return error;
}

struct gg_work call_work(const struct call *call)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct gg_work work = { .module = call->module,
				.kernel = call->index,
				.dimensions = call->shape.dimensions,
				.mode = GG_TASK_MODE_DEVICE,
				.flags = GG_WORK_FOLD,
				.argument_count = call->count,
				.arguments = call->arguments };

	memcpy(work.grid, call->shape.groups, sizeof(work.grid));
	memcpy(work.block, call->shape.items, sizeof(work.block));
	memcpy(work.offset, call->shape.offset, sizeof(work.offset));
	memcpy(work.edge, call->shape.edge, sizeof(work.edge));
	(void)pthread_once(&once, read_time_limit);
	work.time_limit_us = time_limit_us;
	return work;
}

bool call_prints(const struct call *call)
{
	return !(call->kernel->info.flags & GG_KERNEL_SILENT);
}

void call_end(struct call *call)
{
	for (uint32_t i = 0; call->arguments && i < call->count; i++)
		object_drop(call->memories[i]);
	free(call->arguments);
	object_drop(call->kernel);
}

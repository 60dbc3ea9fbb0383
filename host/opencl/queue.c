/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/queue.h"

#include <stdlib.h>
#include <string.h>

#include "host/opencl/info.h"

#define KNOWN (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
#define ALL   (KNOWN | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)

static void end_queue(void *object)
{
	cl_command_queue queue = object;

	object_drop(queue->context);
	free(queue);
}

static cl_int create(cl_context handle, cl_device_id device_handle,
		     cl_command_queue_properties properties, cl_command_queue *made)
{
	USE_CONTEXT(context, handle);
	USE_DEVICE(device, device_handle);
	cl_command_queue queue;

	if (!context_has(context, device))
		return CL_INVALID_DEVICE;
	if (properties & ~(cl_command_queue_properties)ALL)
		return CL_INVALID_VALUE;
	if (properties & ~(cl_command_queue_properties)KNOWN)
		return CL_INVALID_QUEUE_PROPERTIES;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return CL_OUT_OF_HOST_MEMORY;
	queue->context = object_hold(context);
	queue->device = device;
	queue->properties = properties;
	queue->in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	queue->channel = device_channel(device);
	object_begin(queue, OBJECT_QUEUE, end_queue);
	*made = queue;
	return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
				      cl_command_queue_properties properties, cl_int *errcode_ret)
{
	cl_command_queue made = NULL;

	base_answer(errcode_ret, create(context, device, properties, &made));
	return made;
}

/** Reads a list of properties, whose words with the 0 are counted. */
static cl_int read_list(const cl_queue_properties *list, cl_command_queue_properties *properties,
			size_t *words)
{
	size_t i = 0;

	*properties = 0;
	*words = 0;
	if (!list)
		return CL_SUCCESS;
	for (; list[i] != 0; i += 2) {
		if (i + 2 >= QUEUE_PROPERTIES_MAX)
			return CL_INVALID_VALUE;
		if (list[i] == CL_QUEUE_SIZE)
			return CL_INVALID_QUEUE_PROPERTIES;
		if (list[i] != CL_QUEUE_PROPERTIES)
			return CL_INVALID_VALUE;
		*properties = list[i + 1];
	}
	*words = i + 1;
	return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
						    const cl_queue_properties *list,
						    cl_int *errcode_ret)
{
	cl_command_queue_properties properties;
	cl_command_queue made = NULL;
	size_t words;
	cl_int error = read_list(list, &properties, &words);

	/* Wrong objects come first. */
	if (error != CL_SUCCESS) {
		cl_int other = create(context, device, 0, &made);

		if (other == CL_SUCCESS)
			(void)clReleaseCommandQueue(made);
		made = NULL;
		error = other == CL_SUCCESS ? error : other;
	} else {
		error = create(context, device, properties, &made);
	}
	if (made && words > 0) {
		made->list_bytes = words * sizeof(list[0]);
		memcpy(made->list, list, made->list_bytes);
	}
	base_answer(errcode_ret, error);
	return made;
}

cl_int clRetainCommandQueue(cl_command_queue queue)
{
	return object_retain(OBJECT_QUEUE, queue, CL_INVALID_COMMAND_QUEUE);
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
	return object_release(OBJECT_QUEUE, queue, CL_INVALID_COMMAND_QUEUE);
}

cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
				 cl_bool enable, cl_command_queue_properties *old_properties)
{
	USE_QUEUE(entered, queue);

	(void)properties;
	(void)enable;
	(void)old_properties;
	return CL_INVALID_OPERATION; /* Gone since OpenCL 1.1. */
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t size,
			     void *value, size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_QUEUE(entered, queue);

	switch (name) {
	case CL_QUEUE_CONTEXT:
		return INFO_VALUE(&answer, cl_context, entered->context);
	case CL_QUEUE_DEVICE:
		return INFO_VALUE(&answer, cl_device_id, entered->device);
	case CL_QUEUE_REFERENCE_COUNT:
		return INFO_VALUE(&answer, cl_uint, object_handles(entered));
	case CL_QUEUE_PROPERTIES:
		return INFO_VALUE(&answer, cl_command_queue_properties, entered->properties);
	case CL_QUEUE_PROPERTIES_ARRAY:
		return info_bytes(&answer, entered->list, entered->list_bytes);
	case CL_QUEUE_DEVICE_DEFAULT:
		return INFO_VALUE(&answer, cl_command_queue, NULL);
	case CL_QUEUE_SIZE:
		return CL_INVALID_COMMAND_QUEUE; /* For queues on the device. */
	default:
		return CL_INVALID_VALUE;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/opencl/info.h"
#include "host/opencl/platform.h"

#define PROPERTIES_MAX 32u

bool context_has(cl_context context, cl_device_id device)
{
	cl_uint i = 0;

	while (i < context->device_count && context->devices[i] != device)
		i++;
	return i < context->device_count;
}

/** A text on its way to the callback of a context, which it keeps. */
struct notice {
	cl_context context;
	char text[];
};

static void give_notice(void *what)
{
	struct notice *notice = what;

	notice->context->notify(notice->text, NULL, 0, notice->context->user_data);
	object_drop(notice->context);
	free(notice);
}

void context_tell(cl_context context, const char *text)
{
	struct notice *notice = NULL;

	if (context->notify)
		notice = malloc(sizeof(*notice) + strlen(text) + 1);
	if (!notice) {
		(void)fprintf(stderr, "Ganger: %s\n", text);
		return;
	}
	notice->context = object_hold(context);
	memcpy(notice->text, text, strlen(text) + 1);
	callback_post(give_notice, notice);
}

static void end_context(void *object)
{
	cl_context context = object;

	for (struct callback_entry *entry = callback_take(&context->destructors); entry;
	     entry = callback_next(entry)) {
		context_destructor *function;

		memcpy(&function, &entry->function, sizeof(function));
		function(context, entry->user_data);
	}
	free(context->properties);
	free(context);
}

/** Checks the list of properties, and finds its length with the 0. */
static cl_int check_properties(const cl_context_properties *list, size_t *count)
{
	size_t i = 0;

	*count = 0;
	if (!list)
		return CL_SUCCESS;
	for (; list[i] != 0; i += 2) {
		if (i >= PROPERTIES_MAX)
			return CL_INVALID_PROPERTY;
		for (size_t k = 0; k < i; k += 2) {
			if (list[k] == list[i])
				return CL_INVALID_PROPERTY;
		}
		if (list[i] == CL_CONTEXT_PLATFORM) {
			if (list[i + 1] != (cl_context_properties)platform_of_all())
				return CL_INVALID_PLATFORM;
		} else if (list[i] != CL_CONTEXT_INTEROP_USER_SYNC ||
			   (list[i + 1] != CL_FALSE && list[i + 1] != CL_TRUE)) {
			return CL_INVALID_PROPERTY;
		}
	}
	*count = i + 1;
	return CL_SUCCESS;
}

/** Checks the devices, which are opened here. Each counts once. */
static cl_int take_devices(cl_context context, cl_uint count, const cl_device_id *devices)
{
	cl_int error = CL_SUCCESS;

	for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++) {
		USE_DEVICE(device, devices[i]);

		if (context_has(context, device))
			continue;
		error = device_open(device);
		context->devices[context->device_count++] = device;
	}
	return error;
}

static cl_int create(const cl_context_properties *properties, cl_uint count,
		     const cl_device_id *devices, context_notify *notify, void *user_data,
		     cl_context *made)
{
	size_t words;
	cl_int error = check_properties(properties, &words);
	cl_context context;

	if (error != CL_SUCCESS)
		return error;
	if (count == 0 || !devices || (!notify && user_data))
		return CL_INVALID_VALUE;
	context = calloc(1, sizeof(*context));
	if (!context)
		return CL_OUT_OF_HOST_MEMORY;
	error = take_devices(context, count, devices);
	if (error == CL_SUCCESS && words > 0) {
		context->property_bytes = words * sizeof(*properties);
		context->properties = malloc(context->property_bytes);
		if (context->properties)
			memcpy(context->properties, properties, context->property_bytes);
		else
			error = CL_OUT_OF_HOST_MEMORY;
	}
	if (error != CL_SUCCESS) {
		free(context);
		return error;
	}
	context->notify = notify;
	context->user_data = user_data;
	object_begin(context, OBJECT_CONTEXT, end_context);
	*made = context;
	return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
			   const cl_device_id *devices, context_notify *pfn_notify, void *user_data,
			   cl_int *errcode_ret)
{
	cl_context made = NULL;

	base_answer(errcode_ret,
		    create(properties, num_devices, devices, pfn_notify, user_data, &made));
	return made;
}

cl_context clCreateContextFromType(const cl_context_properties *properties,
				   cl_device_type device_type, context_notify *pfn_notify,
				   void *user_data, cl_int *errcode_ret)
{
	cl_device_id devices[DEVICES_MAX];
	cl_uint count = 0;
	cl_int error = clGetDeviceIDs(platform_of_all(), device_type, DEVICES_MAX, devices, &count);
	cl_context made = NULL;

	if (error == CL_SUCCESS)
		error = create(properties, count, devices, pfn_notify, user_data, &made);
	base_answer(errcode_ret, error);
	return made;
}

cl_int clRetainContext(cl_context context)
{
	return object_retain(OBJECT_CONTEXT, context, CL_INVALID_CONTEXT);
}

cl_int clReleaseContext(cl_context context)
{
	return object_release(OBJECT_CONTEXT, context, CL_INVALID_CONTEXT);
}

cl_int clGetContextInfo(cl_context context, cl_context_info name, size_t size, void *value,
			size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_CONTEXT(entered, context);

	switch (name) {
	case CL_CONTEXT_REFERENCE_COUNT:
		return INFO_VALUE(&answer, cl_uint, object_handles(entered));
	case CL_CONTEXT_NUM_DEVICES:
		return INFO_VALUE(&answer, cl_uint, entered->device_count);
	case CL_CONTEXT_DEVICES:
		return info_bytes(&answer, entered->devices,
				  entered->device_count * sizeof(cl_device_id));
	case CL_CONTEXT_PROPERTIES:
		return info_bytes(&answer, entered->properties, entered->property_bytes);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int clSetContextDestructorCallback(cl_context context, context_destructor *pfn_notify,
				      void *user_data)
{
	USE_CONTEXT(entered, context);

	if (!pfn_notify)
		return CL_INVALID_VALUE;
	return callback_add(&entered->destructors, (void (*)(void))pfn_notify, 0, user_data);
}

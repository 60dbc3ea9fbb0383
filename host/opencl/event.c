/* SPDX-License-Identifier: Apache-2.0 */
/* Events as programs see them: waits, questions, callbacks, user events. */
#include "host/opencl/command.h"
#include "host/opencl/info.h"
#include "host/opencl/reaper.h"

cl_int clRetainEvent(cl_event event)
{
	return object_retain(OBJECT_EVENT, event, CL_INVALID_EVENT);
}

cl_int clReleaseEvent(cl_event event)
{
	return object_release(OBJECT_EVENT, event, CL_INVALID_EVENT);
}

/** Checks the events of a list, which must be of one context. */
static cl_int check_events(cl_uint count, const cl_event *events)
{
	cl_context context = NULL;

	for (cl_uint i = 0; i < count; i++) {
		USE_EVENT(event, events[i]);

		if (context && event->context != context)
			return CL_INVALID_CONTEXT;
		context = event->context;
	}
	return CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
	cl_int result = CL_SUCCESS;
	cl_int error;

	if (count == 0 || !events)
		return CL_INVALID_VALUE;
	error = check_events(count, events);
	for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++) {
		USE_EVENT(event, events[i]);

		if (command_wait(event) < 0)
			result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	return error == CL_SUCCESS ? result : error;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t size, void *value,
		      size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_EVENT(entered, event);
	cl_ulong times[4];

	switch (name) {
	case CL_EVENT_COMMAND_QUEUE:
		return INFO_VALUE(&answer, cl_command_queue, entered->queue);
	case CL_EVENT_CONTEXT:
		return INFO_VALUE(&answer, cl_context, entered->context);
	case CL_EVENT_COMMAND_TYPE:
		return INFO_VALUE(&answer, cl_command_type,
				  entered->kind ? entered->kind->type : CL_COMMAND_USER);
	case CL_EVENT_COMMAND_EXECUTION_STATUS:
		if (entered->queue)
			reaper_look(entered);
		return INFO_VALUE(&answer, cl_int, command_status(entered, times));
	case CL_EVENT_REFERENCE_COUNT:
		return INFO_VALUE(&answer, cl_uint, object_handles(entered));
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size, void *value,
			       size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_EVENT(entered, event);
	cl_ulong times[4];

	if (name < CL_PROFILING_COMMAND_QUEUED || name > CL_PROFILING_COMMAND_COMPLETE)
		return CL_INVALID_VALUE;
	if (!entered->queue || !(entered->queue->properties & CL_QUEUE_PROFILING_ENABLE) ||
	    command_status(entered, times) != CL_COMPLETE)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	/* A kernel has no children whose end could be later. */
	if (name == CL_PROFILING_COMMAND_COMPLETE)
		name = CL_PROFILING_COMMAND_END;
	return INFO_VALUE(&answer, cl_ulong, times[name - CL_PROFILING_COMMAND_QUEUED]);
}

cl_int clSetEventCallback(cl_event event, cl_int status,
			  void(CL_CALLBACK *notify)(cl_event event, cl_int status, void *user_data),
			  void *user_data)
{
	USE_EVENT(entered, event);

	if (!notify || (status != CL_SUBMITTED && status != CL_RUNNING && status != CL_COMPLETE))
		return CL_INVALID_VALUE;
	return command_on_status(entered, status, (void (*)(void))notify, user_data);
}

static cl_int create_user(cl_context handle, cl_event *made)
{
	USE_CONTEXT(context, handle);

	return command_make_user(context, made);
}

cl_event clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
	cl_event made = NULL;

	base_answer(errcode_ret, create_user(context, &made));
	return made;
}

cl_int clSetUserEventStatus(cl_event event, cl_int status)
{
	USE_EVENT(entered, event);

	if (entered->kind)
		return CL_INVALID_EVENT;
	if (status > CL_COMPLETE)
		return CL_INVALID_VALUE;
	return command_end_user(entered, status);
}

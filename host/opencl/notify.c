/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/notify.h"

#include <stdlib.h>
#include <string.h>

typedef void(CL_CALLBACK event_notify)(cl_event event, cl_int status, void *user_data);

/** A call of a program's function, which keeps the event. */
struct event_call {
	cl_event event;
	event_notify *function;
	void *user_data;
	cl_int status;
};

static void call_back(void *what)
{
	struct event_call *call = what;

	call->function(call->event, call->status, call->user_data);
	object_drop(call->event);
	free(call);
}

void notify_announce(cl_event event, cl_int status)
{
	for (cl_int i = CL_SUBMITTED; i >= CL_COMPLETE && i >= status; i--) {
		struct callback_entry *entry = callback_take(&event->callbacks[i]);

		for (; entry; entry = callback_next(entry)) {
			struct event_call *call = malloc(sizeof(*call));

			if (!call)
				continue;
			call->event = object_hold(event);
			memcpy(&call->function, &entry->function, sizeof(call->function));
			call->user_data = entry->user_data;
			call->status = status < 0 ? status : i;
			callback_post(call_back, call);
		}
	}
}

void notify_forget(cl_event event)
{
	for (size_t i = 0; i < sizeof(event->callbacks) / sizeof(event->callbacks[0]); i++) {
		struct callback_entry *entry = callback_take(&event->callbacks[i]);

		while (entry)
			entry = callback_next(entry);
	}
}

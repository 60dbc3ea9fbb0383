/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/order.h"

#include <stdlib.h>

static cl_event ready_first, *ready_last = &ready_first;

/* ---- Queues ----------------------------------------------------------------------------- */

static uint32_t queue_length(cl_command_queue queue)
{
	uint32_t count = 0;

	for (cl_event event = queue->first; event; event = event->next)
		count++;
	return count;
}

static void add_after(cl_event event, cl_event other)
{
	if (other)
		event->after[event->after_count++] = object_hold(other);
}

cl_int order_gather(cl_event event, bool behind_all)
{
	cl_command_queue queue = event->queue;
	bool all = behind_all && event->listed_count == 0 && !queue->in_order;
	size_t room = event->after_count + 1u + (all ? queue_length(queue) : 0);
	cl_event *after = realloc(event->after, room * sizeof(cl_event));

	if (!after)
		return CL_OUT_OF_HOST_MEMORY;
	event->after = after;
	event->waits = calloc(room, sizeof(*event->waits));
	if (!event->waits)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_event other = all ? queue->first : NULL; other; other = other->next)
		add_after(event, other);
	if (!all)
		add_after(event, queue->in_order ? queue->last : queue->barrier);
	if (event->after_count > GG_DEPENDENCES_MAX)
		event->chains = false;
	return CL_SUCCESS;
}

void order_join_queue(cl_event event)
{
	cl_command_queue queue = event->queue;

	event->previous = queue->last;
	if (queue->last)
		queue->last->next = event;
	else
		queue->first = event;
	queue->last = event;
}

void order_leave_queue(cl_event event)
{
	cl_command_queue queue = event->queue;

	if (event->previous)
		event->previous->next = event->next;
	else
		queue->first = event->next;
	if (event->next)
		event->next->previous = event->previous;
	else
		queue->last = event->previous;
}

/* ---- Waits ------------------------------------------------------------------------------ */

static void make_ready(cl_event event)
{
	event->stage = STAGE_READY;
	event->next_ready = NULL;
	*ready_last = event;
	ready_last = &event->next_ready;
}

/** Whether the device sees to it that `event` comes after another one, which it has. */
static bool device_orders(cl_event event, cl_event other)
{
	return event->chains && other->stage == STAGE_ON_DEVICE &&
	       other->queue->device == event->queue->device;
}

void order_arm(cl_event event)
{
	event->stage = STAGE_WAITING;
	event->holds = 0;
	for (uint32_t i = 0; i < event->after_count; i++) {
		cl_event other = event->after[i];
		struct wait *wait = &event->waits[i];

		if (other->stage == STAGE_ENDED || device_orders(event, other))
			continue;
		wait->waiter = event;
		wait->next = other->waiters;
		other->waiters = wait;
		event->holds++;
	}
	if (event->holds == 0)
		make_ready(event);
}

void order_let_go(cl_event event, bool all)
{
	struct wait **link = &event->waiters;

	while (*link) {
		struct wait *wait = *link;

		if (all || device_orders(wait->waiter, event)) {
			*link = wait->next;
			if (--wait->waiter->holds == 0)
				make_ready(wait->waiter);
		} else {
			link = &wait->next;
		}
	}
}

/** The first event that one which waits waits for, or NULL. */
static cl_event first_before(cl_event event)
{
	uint32_t i = 0;

	if (event->stage != STAGE_WAITING)
		return NULL;
	while (i < event->after_count && event->after[i]->stage == STAGE_ENDED)
		i++;
	return i < event->after_count ? event->after[i] : NULL;
}

cl_event order_on_device(cl_event event)
{
	while (event && event->stage != STAGE_ON_DEVICE)
		event = first_before(event);
	return event;
}

bool order_list_failed(cl_event event)
{
	uint32_t i = 0;

	while (i < event->listed_count && event->after[i]->status >= 0)
		i++;
	return i < event->listed_count;
}

cl_event order_take_ready(void)
{
	cl_event event = ready_first;

	if (event) {
		ready_first = event->next_ready;
		if (!ready_first)
			ready_last = &ready_first;
	}
	return event;
}

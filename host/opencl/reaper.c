/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/reaper.h"

#include <stdio.h>

#include "host/opencl/event.h"
#include "host/opencl/thread.h"

#define LOOK_MS 60000u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* Of the lists of all devices. */
/** Commands whose tasks are on their way, oldest first. */
static struct flight {
	cl_event first;
	cl_event *last; /* Where the next one goes; NULL: `first`. */
} flights[DEVICES_MAX];
static uint64_t round_now;

/** Takes the commands out of a device's list whose tasks have completed, and makes a list of them, in
 * their order. A queue in order is looked at up to the first that has not. */
static cl_event take_completed(cl_device_id device)
{
	struct flight *flight = &flights[device->index];
	cl_event *link = &flight->first;
	cl_event taken = NULL, *last = &taken;

	(void)pthread_mutex_lock(&lock);
	round_now++;
	while (*link) {
		cl_event event = *link;
		struct gg_done done = { 0 };

		if (event->queue->looked_at != round_now &&
		    (device->lost || gg_task_poll(event->task, &done) != GG_OK || done.complete)) {
			*link = event->next_flying;
			event->next_flying = NULL;
			*last = event;
			last = &event->next_flying;
			continue;
		}
		if (event->queue->in_order)
			event->queue->looked_at = round_now;
		link = &event->next_flying;
	}
	flight->last = link;
	(void)pthread_mutex_unlock(&lock);
	return taken;
}

static void look(cl_device_id device)
{
	cl_event event = take_completed(device);

	while (event) {
		cl_event next = event->next_flying;

		event->next_flying = NULL;
		event->kind->completed(event);
		event = next;
	}
}

static void *serve(void *what)
{
	cl_device_id device = what;
	uint64_t seen = 0;

	for (;;) {
		enum gg_status status = gg_completions_wait(device->device, LOOK_MS, &seen);

		if (status != GG_OK && status != GG_ERR_TIMEOUT)
			break;
		look(device);
	}
	(void)fprintf(stderr, "Ganger: device %s answers no more\n", device->place.text);
	__atomic_store_n(&device->lost, true, __ATOMIC_RELEASE);
	look(device);
	return NULL;
}

enum gg_status reaper_start(cl_device_id device)
{
	return thread_start(serve, device) ? GG_OK : GG_ERR_NO_MEMORY;
}

void reaper_add(cl_event event)
{
	cl_device_id device = event->queue->device;
	struct gg_task *task = event->task;
	struct flight *flight = &flights[device->index];
	struct gg_done done = { 0 };

	(void)object_hold(event);
	(void)pthread_mutex_lock(&lock);
	event->next_flying = NULL;
	*(flight->last ? flight->last : &flight->first) = event;
	flight->last = &event->next_flying;
	(void)pthread_mutex_unlock(&lock);
	/* The thread may have looked for the last time before this one came. */
	if (device->lost || gg_task_poll(task, &done) != GG_OK || done.complete)
		look(device);
	object_drop(event);
}

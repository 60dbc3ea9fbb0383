/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/reaper.h"

#include <stdio.h>
#include <time.h>

#include "host/opencl/event.h"
#include "host/opencl/thread.h"

#define LOOK_MS 60000u
/* With so many on their way, which take longer than that, the thread lets some complete before it looks again. */
#define MANY    32u
#define NAP_NS  200000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* Of the lists of all devices. */
/** What each device has on its way. */
static struct {
	cl_command_queue queues; /* Those with commands on their way. */
	uint32_t commands;
} flying[DEVICES_MAX];

static bool has_completed(cl_device_id device, struct gg_task *task)
{
	struct gg_done done = { 0 };

	return device->lost || gg_task_poll(task, &done) != GG_OK || done.complete;
}

/** Moves the commands of a queue whose tasks have completed to the end of a list, in their order. A queue in
 * order is looked at up to the first that has not. @return the end of the list. */
static cl_event *take_of(cl_command_queue queue, cl_event *end)
{
	cl_event *link = &queue->flying;

	while (*link) {
		cl_event event = *link;

		if (has_completed(queue->device, event->task)) {
			*link = event->next_flying;
			event->next_flying = NULL;
			*end = event;
			end = &event->next_flying;
			flying[queue->device->index].commands--;
		} else if (queue->in_order) {
			return end;
		} else {
			link = &event->next_flying;
		}
	}
	queue->flying_end = link;
	return end;
}

/** Takes the commands whose tasks have completed out of the lists of a device, and makes one of them.
 * @param left  How many are still on their way. */
static cl_event take_completed(cl_device_id device, uint32_t *left)
{
	cl_command_queue *link = &flying[device->index].queues;
	cl_event taken = NULL, *end = &taken;

	(void)pthread_mutex_lock(&lock);
	while (*link) {
		end = take_of(*link, end);
		if ((*link)->flying)
			link = &(*link)->next_flying;
		else
			*link = (*link)->next_flying;
	}
	*left = flying[device->index].commands;
	(void)pthread_mutex_unlock(&lock);
	return taken;
}

/** Ends the commands whose tasks have completed. @return how many are still on their way. */
static uint32_t look(cl_device_id device)
{
	uint32_t left;
	cl_event event = take_completed(device, &left);

	while (event) {
		cl_event next = event->next_flying;

		event->next_flying = NULL;
		event->kind->completed(event);
		event = next;
	}
	return left;
}

static void *serve(void *what)
{
	cl_device_id device = what;
	const struct timespec nap = { 0, NAP_NS };
	uint64_t seen = 0;

	for (;;) {
		enum gg_status status = gg_completions_wait(device->device, LOOK_MS, &seen);

		if (status != GG_OK && status != GG_ERR_TIMEOUT)
			break;
		if (look(device) >= MANY)
			(void)nanosleep(&nap, NULL);
	}
	(void)fprintf(stderr, "Ganger: device %s answers no more\n", device->place.text);
	__atomic_store_n(&device->lost, true, __ATOMIC_RELEASE);
	(void)look(device);
	return NULL;
}

enum gg_status reaper_start(cl_device_id device)
{
	return thread_start(serve, device) ? GG_OK : GG_ERR_NO_MEMORY;
}

void reaper_add(cl_event event)
{
	cl_command_queue queue = event->queue;
	cl_device_id device = queue->device;
	struct gg_task *task = event->task;

	(void)object_hold(event);
	(void)pthread_mutex_lock(&lock);
	event->next_flying = NULL;
	if (!queue->flying) {
		queue->flying_end = &queue->flying;
		queue->next_flying = flying[device->index].queues;
		flying[device->index].queues = queue;
	}
	flying[device->index].commands++;
	*queue->flying_end = event;
	queue->flying_end = &event->next_flying;
	(void)pthread_mutex_unlock(&lock);
	/* The thread may have looked for the last time before this one came. */
	if (has_completed(device, task))
		(void)look(device);
	object_drop(event);
}

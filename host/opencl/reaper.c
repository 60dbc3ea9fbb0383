/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/reaper.h"

#include <stdio.h>
#include <time.h>

#include "host/common/deadline.h"
#include "host/opencl/event.h"
#include "host/opencl/thread.h"

#define LOOK_MS  60000u
/* With so many on their way, which take longer than that, a thread lets some complete before it looks again. */
#define MANY     32u
#define NAP_NS   200000
/* For so long the device's thread leaves it to the program to wait, since it has just done so. */
#define ASIDE_MS 1u
/* So long it waits to be called before it waits for the device again, which tells when that is lost. */
#define REST_MS  100u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* Of what all devices have here. */
static pthread_cond_t looked =
	PTHREAD_COND_INITIALIZER; /* A thread has ended what had completed. */
/** What each device has on its way, and who waits for it. */
static struct {
	cl_command_queue queues; /* Those with commands on their way. */
	uint32_t commands;
	bool looking; /* A thread ends commands: one at a time, so that they end in their order. */
	bool again;   /* It is to look once more. */
	uint64_t looks;       /* How often one has done so. */
	uint32_t standing_in; /* Threads that wait in place of the device's own. */
	bool stood_in;        /* One did so just now. */
	bool rests;           /* The device's own does until it is called. */
	pthread_cond_t called;
} flying[DEVICES_MAX];

/** Whether a task has completed, or is lost: then `done` says that it has not. */
static bool has_completed(cl_device_id device, struct gg_task *task, struct gg_done *done)
{
	return gg_task_poll(task, done) != GG_OK || done->complete || device->lost;
}

/** Moves the commands of a queue whose tasks have completed to the end of a list, in their order. A queue in
 * order is looked at up to the first that has not. @return the end of the list. */
static cl_event *take_of(cl_command_queue queue, cl_event *end)
{
	cl_event *link = &queue->flying;

	while (*link) {
		cl_event event = *link;

		if (has_completed(queue->device, event->task, &event->done)) {
			*link = event->next_flying;
			event->next_flying = NULL;
			event->flies = false;
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

/** Takes the commands whose tasks have completed out of the lists of a device, and makes one of them. The lock is
 * held. */
static cl_event take_completed(cl_device_id device)
{
	cl_command_queue *link = &flying[device->index].queues;
	cl_event taken = NULL, *end = &taken;

	while (*link) {
		end = take_of(*link, end);
		if ((*link)->flying)
			link = &(*link)->next_flying;
		else
			*link = (*link)->next_flying;
	}
	return taken;
}

/** Ends the commands of a list. */
static void end_all(cl_event event)
{
	while (event) {
		cl_event next = event->next_flying;

		event->next_flying = NULL;
		event->kind->completed(event);
		event = next;
	}
}

/** Ends the commands whose tasks have completed, or has the thread do it that is about that.
 * @param patient  Return only when it is done. Not for what is called by the end of a command.
 * @return how many are still on their way. */
static uint32_t look(cl_device_id device, bool patient)
{
	const cl_uint at = device->index;
	uint64_t first;
	uint32_t left;

	(void)pthread_mutex_lock(&lock);
	flying[at].again = true;
	/* The one after the next has begun after now. */
	for (first = flying[at].looks;
	     patient && flying[at].looking && flying[at].looks < first + 2;)
		(void)pthread_cond_wait(&looked, &lock);
	while (flying[at].again && !flying[at].looking) {
		cl_event event;

		flying[at].again = false;
		event = take_completed(device);
		if (!event)
			break;
		flying[at].looking = true;
		(void)pthread_mutex_unlock(&lock);
		end_all(event);
		(void)pthread_mutex_lock(&lock);
		flying[at].looking = false;
		flying[at].looks++;
		(void)pthread_cond_broadcast(&looked);
	}
	left = flying[at].commands;
	(void)pthread_mutex_unlock(&lock);
	return left;
}

/** Waits until a task has completed, and ends commands. @return GG_OK, or that the device is lost. */
static enum gg_status wait_and_look(cl_device_id device, uint64_t *seen, uint32_t *left)
{
	const struct timespec nap = { 0, NAP_NS };
	enum gg_status status = gg_completions_wait(device->device, LOOK_MS, seen);

	if (status != GG_OK && status != GG_ERR_TIMEOUT)
		return status;
	if (*left >= MANY)
		(void)nanosleep(&nap, NULL);
	*left = look(device, true);
	return GG_OK;
}

/* ---- The device's thread ---------------------------------------------------------------- */

/** Leaves the device to threads that stand in. Its interrupt would wake up both, or this one alone, which then had to wake
 * up the other. */
static void stand_aside(cl_uint at)
{
	bool rested = true;

	(void)pthread_mutex_lock(&lock);
	while (flying[at].stood_in || flying[at].standing_in > 0 ||
	       (!rested && flying[at].commands == 0)) {
		rested = flying[at].rests = !flying[at].stood_in;
		flying[at].stood_in = false;
		deadline_cond_wait(&flying[at].called, &lock, rested ? REST_MS : ASIDE_MS);
		flying[at].rests = false;
	}
	(void)pthread_mutex_unlock(&lock);
}

static void *serve(void *what)
{
	cl_device_id device = what;
	uint32_t left = 0;
	uint64_t seen = 0;

	do {
		stand_aside(device->index);
	} while (wait_and_look(device, &seen, &left) == GG_OK);
	(void)fprintf(stderr, "Ganger: device %s answers no more\n", device->place.text);
	__atomic_store_n(&device->lost, true, __ATOMIC_RELEASE);
	(void)look(device, true);
	return NULL;
}

enum gg_status reaper_start(cl_device_id device)
{
	if (deadline_cond_init(&flying[device->index].called) != 0)
		return GG_ERR_NO_MEMORY;
	return thread_start(serve, device) ? GG_OK : GG_ERR_NO_MEMORY;
}

void reaper_add(cl_event event)
{
	cl_command_queue queue = event->queue;
	cl_device_id device = queue->device;
	struct gg_task *task = event->task;
	struct gg_done done = { 0 };

	(void)object_hold(event);
	(void)pthread_mutex_lock(&lock);
	event->next_flying = NULL;
	event->flies = true;
	if (!queue->flying) {
		queue->flying_end = &queue->flying;
		queue->next_flying = flying[device->index].queues;
		flying[device->index].queues = queue;
	}
	flying[device->index].commands++;
	*queue->flying_end = event;
	queue->flying_end = &event->next_flying;
	if (flying[device->index].rests && flying[device->index].standing_in == 0) {
		flying[device->index].stood_in = true; /* It may do so again. */
		(void)pthread_cond_signal(&flying[device->index].called);
	}
	(void)pthread_mutex_unlock(&lock);
	/* A thread may have looked for the last time before this one came. */
	if (has_completed(device, task, &done))
		(void)look(device, false);
	object_drop(event);
}

/* ---- Threads that stand in -------------------------------------------------------------- */

static bool flies(cl_event event)
{
	bool found;

	(void)pthread_mutex_lock(&lock);
	found = event->flies;
	(void)pthread_mutex_unlock(&lock);
	return found;
}

static void begin(cl_uint at)
{
	(void)pthread_mutex_lock(&lock);
	flying[at].standing_in++;
	flying[at].stood_in = true;
	(void)pthread_mutex_unlock(&lock);
}

/** What is still on its way is left to the device's thread, at once. */
static void leave(cl_uint at)
{
	(void)pthread_mutex_lock(&lock);
	flying[at].standing_in--;
	flying[at].stood_in = flying[at].commands == 0;
	if (flying[at].standing_in == 0 && (flying[at].rests || !flying[at].stood_in))
		(void)pthread_cond_signal(&flying[at].called);
	(void)pthread_mutex_unlock(&lock);
}

void reaper_stand_in(cl_event event)
{
	cl_device_id device = event->queue->device;
	struct gg_traffic traffic = { 0 };
	uint32_t left;

	begin(device->index);
	/* Counted before the look, so that the wait ends with what completes after it. */
	if (gg_traffic(device->device, &traffic) == GG_OK) {
		left = look(device, true);
		while (flies(event) && wait_and_look(device, &traffic.completed, &left) == GG_OK) {
		}
	}
	leave(device->index);
}

void reaper_look(cl_event event)
{
	cl_device_id device = event->queue->device;

	if (flies(event))
		(void)look(device, false);
}

void reaper_call(cl_device_id device)
{
	(void)pthread_mutex_lock(&lock);
	flying[device->index].stood_in = false;
	(void)pthread_cond_signal(&flying[device->index].called);
	(void)pthread_mutex_unlock(&lock);
}

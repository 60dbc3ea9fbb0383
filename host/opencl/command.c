/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/command.h"

#include <stdlib.h>
#include <string.h>

#include "host/opencl/notify.h"
#include "host/opencl/order.h"
#include "host/opencl/reaper.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER; /* A command has ended. */

#define TIME(what) (CL_PROFILING_COMMAND_##what - CL_PROFILING_COMMAND_QUEUED)

/* ---- Making and freeing ----------------------------------------------------------------- */

static void end_event(void *object)
{
	cl_event event = object;

	notify_forget(event);
	for (uint32_t i = 0; i < event->after_count; i++)
		object_drop(event->after[i]);
	if (event->kind && event->kind->end)
		event->kind->end(event->work);
	if (event->task)
		(void)gg_task_release(event->task);
	free(event->after);
	free(event->waits);
	object_drop(event->queue);
	object_drop(event->context);
	free(event);
}

static cl_event make(cl_context context, cl_command_queue queue, cl_int status, size_t work_bytes)
{
	cl_event event = calloc(1, sizeof(*event) + work_bytes);

	if (!event)
		return NULL;
	event->context = object_hold(context);
	event->queue = queue ? object_hold(queue) : NULL;
	event->status = status;
	event->work = event + 1;
	return event;
}

/** Takes references to the events of a list, among which the new one is not: a handle that has ended may be
 * at its address. */
static cl_int take_list(cl_event event, const struct wait_list *list)
{
	if ((list->count == 0) != (list->events == NULL))
		return CL_INVALID_EVENT_WAIT_LIST;
	if (list->count == 0)
		return CL_SUCCESS;
	event->after = malloc(list->count * sizeof(cl_event));
	if (!event->after)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < list->count; i++) {
		cl_event other = object_enter(OBJECT_EVENT, list->events[i]);

		if (!other)
			return CL_INVALID_EVENT_WAIT_LIST;
		event->after[event->after_count++] = other;
		if (other->context != event->context)
			return CL_INVALID_CONTEXT;
	}
	event->listed_count = event->after_count;
	return CL_SUCCESS;
}

cl_int command_make(cl_command_queue queue, const struct command_kind *kind,
		    const struct wait_list *list, size_t work_bytes, cl_event *made)
{
	cl_event event = make(queue->context, queue, CL_QUEUED, work_bytes);
	cl_int error;

	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	error = take_list(event, list);
	if (error != CL_SUCCESS) {
		end_event(event);
		return error;
	}
	event->kind = kind;
	event->chains = kind->completed != NULL;
	object_begin(event, OBJECT_EVENT, end_event);
	*made = event;
	return CL_SUCCESS;
}

cl_int command_run_nothing(cl_event event)
{
	(void)event;
	return CL_SUCCESS;
}

void command_give_up(cl_event event)
{
	(void)object_release(OBJECT_EVENT, event, CL_INVALID_EVENT);
}

/* ---- The end ---------------------------------------------------------------------------- */

/** Ends a command or user event. */
static void finish(cl_event event, cl_int status)
{
	cl_command_queue queue = event->queue;
	bool was_barrier;

	(void)pthread_mutex_lock(&lock);
	event->stage = STAGE_ENDED;
	event->status = status;
	if (queue) {
		order_leave_queue(event);
		queue->failed = queue->failed || status < 0;
		if (event->times[TIME(END)] == 0)
			event->times[TIME(END)] = device_now(queue->device);
	}
	was_barrier = queue && queue->barrier == event;
	if (was_barrier)
		queue->barrier = NULL;
	order_let_go(event, true);
	(void)pthread_cond_broadcast(&changed);
	(void)pthread_mutex_unlock(&lock);
	notify_announce(event, status);
	for (uint32_t i = 0; i < event->after_count; i++)
		object_drop(event->after[i]);
	event->after_count = 0;
	if (was_barrier)
		object_drop(event);
	object_drop(event); /* That of the queue, or of the user event's life. */
}

/** Takes the next command that is ready. `failed`: an event of its list did. */
static cl_event take_ready(bool *failed)
{
	cl_event event;

	(void)pthread_mutex_lock(&lock);
	event = order_take_ready();
	if (event) {
		event->stage = STAGE_RUNNING;
		*failed = order_list_failed(event);
		if (!*failed) {
			event->status = event->kind->completed ? CL_SUBMITTED : CL_RUNNING;
			event->times[TIME(SUBMIT)] = device_now(event->queue->device);
			if (!event->kind->completed)
				event->times[TIME(START)] = event->times[TIME(SUBMIT)];
		}
	}
	(void)pthread_mutex_unlock(&lock);
	return event;
}

/** Runs what is ready, and what becomes ready by that. No lock is held. */
static void run_ready(void)
{
	bool failed = false;
	cl_event event;

	while ((event = take_ready(&failed)) != NULL) {
		cl_int result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;

		if (!failed) {
			notify_announce(event, event->kind->completed ? CL_SUBMITTED : CL_RUNNING);
			result = event->kind->run(event);
		}
		if (result != COMMAND_ON_DEVICE)
			finish(event, result);
	}
}

void command_flies(cl_event event, struct gg_task *task)
{
	(void)pthread_mutex_lock(&lock);
	event->task = task;
	event->stage = STAGE_ON_DEVICE;
	order_let_go(event, false);
	(void)pthread_mutex_unlock(&lock);
}

void command_ended(cl_event event, cl_int status, cl_ulong start, cl_ulong end)
{
	(void)pthread_mutex_lock(&lock);
	event->times[TIME(START)] = start;
	event->times[TIME(END)] = end;
	(void)pthread_mutex_unlock(&lock);
	finish(event, status);
	run_ready();
}

void command_again(cl_event event)
{
	struct gg_task *task = event->task;

	(void)pthread_mutex_lock(&lock);
	event->task = NULL;
	event->done = (struct gg_done){ 0 };
	event->chains = false; /* It waits for the end of all this time. */
	order_arm(event);
	(void)pthread_mutex_unlock(&lock);
	(void)gg_task_release(task);
	run_ready();
}

uint32_t command_tasks_before(cl_event event, struct gg_task **tasks, uint32_t room)
{
	uint32_t count = 0;

	(void)pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < event->after_count && count < room; i++) {
		if (event->after[i]->stage == STAGE_ON_DEVICE)
			tasks[count++] = event->after[i]->task;
	}
	(void)pthread_mutex_unlock(&lock);
	return count;
}

/* ---- Enqueueing ------------------------------------------------------------------------- */

/** Whether a command of the queue failed and nobody was told, who is told now. */
static bool take_failure(cl_command_queue queue)
{
	bool failed;

	(void)pthread_mutex_lock(&lock);
	failed = queue->failed;
	queue->failed = false;
	(void)pthread_mutex_unlock(&lock);
	return failed;
}

static cl_int post(cl_event event, bool behind_all, bool barrier, cl_event *old_barrier)
{
	cl_int error;

	(void)pthread_mutex_lock(&lock);
	error = order_gather(event, behind_all);
	if (error == CL_SUCCESS) {
		(void)object_hold(event); /* Until it ends. */
		order_join_queue(event);
		event->times[TIME(QUEUED)] = device_now(event->queue->device);
		if (barrier) {
			*old_barrier = event->queue->barrier;
			event->queue->barrier = object_hold(event);
		}
		order_arm(event);
	}
	(void)pthread_mutex_unlock(&lock);
	return error;
}

static cl_int post_and_wait(cl_event event, bool behind_all, bool barrier, bool blocking,
			    cl_event *wanted)
{
	cl_event old_barrier = NULL;
	cl_int error = post(event, behind_all, barrier, &old_barrier);

	object_drop(old_barrier);
	if (error != CL_SUCCESS) {
		command_give_up(event);
		return error;
	}
	run_ready();
	if (blocking) {
		error = command_wait(event);
		if (error == CL_SUCCESS && take_failure(event->queue))
			error = CL_OUT_OF_RESOURCES;
	}
	if (wanted)
		*wanted = event;
	else
		command_give_up(event);
	return error;
}

cl_int command_post(cl_event event, bool blocking, cl_event *wanted)
{
	return post_and_wait(event, false, false, blocking, wanted);
}

cl_int command_post_behind_all(cl_event event, bool barrier, bool blocking, cl_event *wanted)
{
	return post_and_wait(event, true, barrier && !event->queue->in_order, blocking, wanted);
}

/** Waits for the end of a command on the device, in place of the device's thread. The lock is held at the call and at
 * the return. */
static void wait_for_device(cl_event event)
{
	(void)object_hold(event);
	(void)pthread_mutex_unlock(&lock);
	reaper_stand_in(event);
	(void)pthread_mutex_lock(&lock);
	while (event->stage == STAGE_ON_DEVICE) /* Another thread is about to end it. */
		(void)pthread_cond_wait(&changed, &lock);
	(void)pthread_mutex_unlock(&lock);
	object_drop(event);
	(void)pthread_mutex_lock(&lock);
}

/** Waits for the end. The lock is held at the call and at the return. */
static void wait_for_end(cl_event event)
{
	while (event->stage != STAGE_ENDED) {
		cl_event before = order_on_device(event);

		if (before)
			wait_for_device(before);
		else
			(void)pthread_cond_wait(&changed, &lock);
	}
}

cl_int command_wait(cl_event event)
{
	cl_int status;

	(void)pthread_mutex_lock(&lock);
	wait_for_end(event);
	status = event->status;
	if (status < 0 && event->queue)
		event->queue->failed = false; /* The caller is told. */
	(void)pthread_mutex_unlock(&lock);
	return status;
}

cl_int command_finish(cl_command_queue queue)
{
	cl_event last;

	(void)pthread_mutex_lock(&lock);
	last = queue->last;
	if (last) {
		(void)object_hold(last);
		wait_for_end(last);
	}
	(void)pthread_mutex_unlock(&lock);
	object_drop(last);
	return take_failure(queue) ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

cl_int command_status(cl_event event, cl_ulong times[4])
{
	cl_int status;

	(void)pthread_mutex_lock(&lock);
	status = event->status;
	memcpy(times, event->times, sizeof(event->times));
	(void)pthread_mutex_unlock(&lock);
	return status;
}

cl_int command_on_status(cl_event event, cl_int status, void (*function)(void), void *user_data)
{
	cl_ulong times[4];
	cl_int error = callback_add(&event->callbacks[status], function, status, user_data);

	if (error == CL_SUCCESS) {
		cl_int now = command_status(event, times);

		if (now <= status)
			notify_announce(event, now);
		else if (event->queue)
			reaper_call(event->queue->device);
	}
	return error;
}

/* ---- User events ------------------------------------------------------------------------ */

cl_int command_make_user(cl_context context, cl_event *made)
{
	*made = make(context, NULL, CL_SUBMITTED, 0);
	if (!*made)
		return CL_OUT_OF_HOST_MEMORY;
	object_begin(*made, OBJECT_EVENT, end_event);
	return CL_SUCCESS;
}

cl_int command_end_user(cl_event event, cl_int status)
{
	bool first;

	(void)pthread_mutex_lock(&lock);
	first = event->stage == STAGE_WAITING;
	if (first)
		event->stage = STAGE_RUNNING; /* Nobody else ends it. */
	(void)pthread_mutex_unlock(&lock);
	if (!first)
		return CL_INVALID_OPERATION;
	(void)object_hold(event);
	finish(event, status);
	run_ready();
	return CL_SUCCESS;
}

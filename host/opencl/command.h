/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands, from the call that enqueues them to their end. The event is the command.
 *
 * A command waits for events: those of its list and, for its queue, for the command before it (in
 * order) or for the last barrier (out of order). One that is ready is run by the thread that made it
 * ready: the one that enqueued it, or the one that ended what it waited for. What runs on the host ends
 * there. A kernel is submitted to the device; the device's thread (reaper.h) sees its end.
 *
 * A kernel does not wait for other kernels of its device to end: it is submitted as soon as they are,
 * and the device keeps the order, by the tasks in `after`. Such a task fails on the device when one
 * of them fails. When that was an event of its list, the command fails, too; otherwise only the order
 * mattered, and it is submitted anew.
 *
 * One lock guards all commands, and the lists of queues. It is not held while a command runs, nor
 * while objects are made or end.
 */
#ifndef HOST_OPENCL_COMMAND_H
#define HOST_OPENCL_COMMAND_H

#include "host/opencl/event.h"

/** The list of events that a call was given. */
struct wait_list {
	cl_uint count;
	const cl_event *events;
};

/** Makes a command, which nobody knows of yet.
 * @param work_bytes  Bytes of `work`, which begin as zeros.
 * @return CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT (an event of another one),
 * CL_OUT_OF_HOST_MEMORY. */
cl_int command_make(cl_command_queue queue, const struct command_kind *kind,
		    const struct wait_list *list, size_t work_bytes, cl_event *made);

/** What a command does that only keeps an order, for `run` of its kind. @return CL_SUCCESS. */
cl_int command_run_nothing(cl_event event);

/** Gives up a command that was not posted. */
void command_give_up(cl_event event);

/** Puts a command into its queue, and runs what is ready.
 * @param blocking  Whether to wait for its end.
 * @param wanted    Where the event goes; NULL: nobody wants it.
 * @return CL_OUT_OF_HOST_MEMORY: the command was given up; of a blocking call also its error, or
 * CL_OUT_OF_RESOURCES when a command of the queue failed before and nobody was told. */
cl_int command_post(cl_event event, bool blocking, cl_event *wanted);

/** The same, but the command waits for all that the queue has, and, as a barrier, all that comes
 * later waits for it. */
cl_int command_post_behind_all(cl_event event, bool barrier, bool blocking, cl_event *wanted);

/** Waits for the end. @return the event's status. */
cl_int command_wait(cl_event event);

/** Waits for the end of all that a queue in order has. @return CL_OUT_OF_RESOURCES: a command failed and nobody was
 * told. */
cl_int command_finish(cl_command_queue queue);

/** Makes a user event. @return CL_OUT_OF_HOST_MEMORY. */
cl_int command_make_user(cl_context context, cl_event *made);

/** Ends a user event. @return CL_INVALID_OPERATION: it has ended. */
cl_int command_end_user(cl_event event, cl_int status);

/** The event's status, and its times. */
cl_int command_status(cl_event event, cl_ulong times[4]);

/** The task of a command is on its way, and belongs to it now: commands that the device orders may
 * follow. For `run`, before the device's thread knows of the command. */
void command_flies(cl_event event, struct gg_task *task);

/** The task of a command has ended; `status` is CL_COMPLETE or an error, `start` and `end` are in ns
 * of the device's clock. */
void command_ended(cl_event event, cl_int status, cl_ulong start, cl_ulong end);

/** The task of a command failed since another one did, whose place in the order was before it. */
void command_again(cl_event event);

/** Tasks that a command on the device comes after. @return their number, at most `room`. */
uint32_t command_tasks_before(cl_event event, struct gg_task **tasks, uint32_t room);

/** Calls a function when the event gets a status (CL_COMPLETE, CL_RUNNING, CL_SUBMITTED), or has got
 * there. @return CL_OUT_OF_HOST_MEMORY. */
cl_int command_on_status(cl_event event, cl_int status, void (*function)(void), void *user_data);

#endif /* HOST_OPENCL_COMMAND_H */

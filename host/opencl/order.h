/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The order of commands: which ones a command waits for, and which are ready. The caller of all of these
 * functions holds the lock of command.c.
 */
#ifndef HOST_OPENCL_ORDER_H
#define HOST_OPENCL_ORDER_H

#include "host/opencl/event.h"

/** Adds to the events that the command waits for those of its queue: the last command (in order), the last
 * barrier (out of order), or all commands.
 * @param behind_all  All, unless the command has a wait list.
 * @return CL_OUT_OF_HOST_MEMORY. */
cl_int order_gather(cl_event event, bool behind_all);

/** Makes the command the last one of its queue. */
void order_join_queue(cl_event event);

/** Takes the command out of its queue. */
void order_leave_queue(cl_event event);

/** Finds what the command still has to wait for; it is ready when that is nothing. */
void order_arm(cl_event event);

/** Lets those go on that wait for this event: all of them, or those that the device orders. */
void order_let_go(cl_event event, bool all);

/** A command on its way to the device without whose end this event does not end: itself, or one that it waits for.
 * NULL: there is none, or another thread runs what it waits for. */
cl_event order_on_device(cl_event event);

/** Whether an event of the command's wait list has failed. */
bool order_list_failed(cl_event event);

/** Takes the command that has been ready for longest; NULL: there is none. */
cl_event order_take_ready(void);

#endif /* HOST_OPENCL_ORDER_H */

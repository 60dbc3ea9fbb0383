/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Calls of a program's functions when an event gets a status. They are made by the thread for callbacks. No lock
 * is held by the caller.
 */
#ifndef HOST_OPENCL_NOTIFY_H
#define HOST_OPENCL_NOTIFY_H

#include "host/opencl/event.h"

/** Has all functions called that wait for a status which the event has reached; each is called once. */
void notify_announce(cl_event event, cl_int status);

/** Forgets all functions that were not called: the event ends. */
void notify_forget(cl_event event);

#endif /* HOST_OPENCL_NOTIFY_H */

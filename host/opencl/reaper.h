/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The thread of a device, which waits for tasks to complete and ends their commands. A thread of the program that waits
 * stands in for it, since one that wakes up another takes longer. Then the device's thread stands aside: while that one
 * waits, and for the first millisecond of the next command.
 */
#ifndef HOST_OPENCL_REAPER_H
#define HOST_OPENCL_REAPER_H

#include "host/opencl/device.h"

/** Starts the thread of a device that is open. @return GG_ERR_NO_MEMORY. */
enum gg_status reaper_start(cl_device_id device);

/** Has the device's thread see to a command whose task is on its way. The event stays as long as
 * its command has not ended. */
void reaper_add(cl_event event);

/** Does the work of the device's thread until a command that was on its way there is not any more: it has ended, or
 * another thread is about to end it. Returns at once if it was not. No lock is held. */
void reaper_stand_in(cl_event event);

/** Ends a command that is on its way, and others, if its task has completed. No lock is held. */
void reaper_look(cl_event event);

/** Has the device's thread wait for the device from now on, unless another one stands in. */
void reaper_call(cl_device_id device);

#endif /* HOST_OPENCL_REAPER_H */

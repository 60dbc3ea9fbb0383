/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The handle of a command, from its making to its end. A task is a command that submits a TMD.
 */
#ifndef HOST_LIB_MAILBOX_TASK_H
#define HOST_LIB_MAILBOX_TASK_H

#include "host/lib/mailbox/device.h"

/** A handle with a reference to its device, not on its way yet. @return NULL: no memory. */
struct gg_task *task_create(struct gg_device *device);

/** Drops a handle that was never posted. The lock is held. */
void task_drop(struct gg_device *device, struct gg_task *task);

/** Gives back the device memory that a task had for its own. The lock is held. */
void task_give_back(struct gg_device *device, struct gg_task *task);

/** Takes a task that was posted off the way, with the outcome in its `done`: takes its prints and
 * its report, gives its memory back, wakes who waits. The lock is held. */
void task_end(struct gg_device *device, struct gg_task *task);

/** Forgets a task, as gg_task_release(). Takes and releases the lock. */
void task_release(struct gg_task *task);

#endif /* HOST_LIB_MAILBOX_TASK_H */

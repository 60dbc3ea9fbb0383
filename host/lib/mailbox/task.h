/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Handles of commands, from their creation to their end. A task is a command that submits a TMD.
 */
#ifndef HOST_LIB_MAILBOX_TASK_H
#define HOST_LIB_MAILBOX_TASK_H

#include "host/lib/mailbox/device.h"

/** Makes a handle with a reference to its device. The lock is held. @return NULL: no memory. */
struct gg_task *task_create(struct gg_device *device);

/** Drops a handle that was never posted. The lock is held. */
void task_drop(struct gg_device *device, struct gg_task *task);

/** Gives back the device memory of a task. The lock is held. */
void task_give_back(struct gg_device *device, struct gg_task *task);

/** Ends a task that was posted, with the outcome in its `done`: takes its prints and its report,
 * gives its memory back, wakes the threads that wait. The lock is held. */
void task_end(struct gg_device *device, struct gg_task *task);

/** Forgets a task, as gg_task_release(). Takes and releases the lock. */
void task_release(struct gg_task *task);

#endif /* HOST_LIB_MAILBOX_TASK_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands of this host, from their creation to their end. A task is a command that submits a TMD.
 */
#ifndef HOST_LIB_MAILBOX_TASK_H
#define HOST_LIB_MAILBOX_TASK_H

#include "host/lib/mailbox/device.h"

/** Makes a task with its handle. The lock is held. @return NULL: no memory. */
struct task *task_create(struct device *device);

/** Frees a task that is not on its way, and that has no handle. */
void task_free(struct task *task);

/** Drops a task that was never posted, and whose handle nobody knows. The lock is held. */
void task_drop(struct task *task);

/** Gives back the device memory of a task. The lock is held. */
void task_give_back(struct device *device, struct task *task);

/** Ends a task that was posted, with the outcome in its `done`: takes its prints and its report,
 * gives its memory back, wakes the threads that wait. The lock is held. */
void task_end(struct device *device, struct task *task);

/** Forgets a task whose handle nobody knows; one on its way still runs to its end. Takes and
 * releases the lock. */
void task_release(struct task *task);

#endif /* HOST_LIB_MAILBOX_TASK_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Retirement of tasks that are over: submits the tasks of their action SCHEDULE, gives back what they held, releases
 * their semaphores, tells their dependents and their parent, and queues their completion.
 */
#ifndef FIRMWARE_CP_FINISH_RETIRE_H
#define FIRMWARE_CP_FINISH_RETIRE_H

struct task;

/** Tell the parent of a plain child, or of the task of a pass, that the child has ended without error. It has left its slot and
 * holds nothing, and its place is still to be given back. */
void retire_child(struct task *task);

/** Retire tasks that are over, a bounded number of them; the stage stays due when more are left. */
void retire_run(void);

#endif /* FIRMWARE_CP_FINISH_RETIRE_H */

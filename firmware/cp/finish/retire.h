/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Retirement of tasks that are over: submits the tasks of their action SCHEDULE, gives back what they held, releases
 * their semaphores, tells their dependents and their parent, and queues their completion.
 */
#ifndef FIRMWARE_CP_FINISH_RETIRE_H
#define FIRMWARE_CP_FINISH_RETIRE_H

/** Retire tasks that are over, a bounded number of them; the stage stays due when more are left. */
void retire_run(void);

#endif /* FIRMWARE_CP_FINISH_RETIRE_H */

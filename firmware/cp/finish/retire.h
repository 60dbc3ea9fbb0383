/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What follows when a task is over: the tasks that it schedules (SCHEDULE), what it held is given back, its
 * semaphores are released, its dependents and its parent are told, and its completion waits for room in the ring.
 */
#ifndef FIRMWARE_CP_FINISH_RETIRE_H
#define FIRMWARE_CP_FINISH_RETIRE_H

/** Bring tasks that are over to their end, a bounded number of them; the stage stays due when more are left. */
void retire_run(void);

#endif /* FIRMWARE_CP_FINISH_RETIRE_H */

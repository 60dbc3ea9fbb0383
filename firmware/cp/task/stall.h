/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Why not issued: for each task, how many turns of the loop its CTAs were kept back, by reason. The
 * turns are added up when the reason changes, so waiting costs nothing, for any number of tasks.
 */
#ifndef FIRMWARE_CP_TASK_STALL_H
#define FIRMWARE_CP_TASK_STALL_H

#include "firmware/cp/task/task.h"

/** A new turn of the loop. */
void stall_turn(void);

/** What keeps back the CTAs of a task from now on; GG_REASON_NONE for nothing. */
void stall_set(struct task *task, enum gg_reason reason);

/** A task is over: its sums are final, and go into the device's. */
void stall_close(struct task *task);

#endif /* FIRMWARE_CP_TASK_STALL_H */

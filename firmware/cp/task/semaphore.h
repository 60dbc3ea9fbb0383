/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Release semaphores: up to two words of device memory that the CP changes when a task has completed without error,
 * before it posts the task's completion and before tasks that wait for it are released.
 */
#ifndef FIRMWARE_CP_TASK_SEMAPHORE_H
#define FIRMWARE_CP_TASK_SEMAPHORE_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** Check the semaphores that a task's TMD names.
 * @return  false, with task->failure set to GG_ERR_SEMAPHORE, when they are refused. */
bool semaphore_check(struct task *task);

/** Apply the operations of a TMD's semaphores, first semaphore 0, then semaphore 1. */
void semaphore_release(const struct gg_tmd *tmd);

#endif /* FIRMWARE_CP_TASK_SEMAPHORE_H */

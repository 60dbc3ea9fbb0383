/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Release semaphores: up to two words of device memory that change when a task has completed without
 * error, before its completion is posted and before tasks that wait for it go on.
 */
#ifndef FIRMWARE_CP_TASK_SEMAPHORE_H
#define FIRMWARE_CP_TASK_SEMAPHORE_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** Check a TMD's semaphores.
 * @return  false, with task->failure set, when they are refused. */
bool semaphore_check(struct task *task);

/** Release them, the first first. */
void semaphore_release(const struct gg_tmd *tmd);

#endif /* FIRMWARE_CP_TASK_SEMAPHORE_H */

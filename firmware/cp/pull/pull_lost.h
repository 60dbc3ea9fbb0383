/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a lost SM had of a PULL grid (sm_lost.h).
 */
#ifndef FIRMWARE_CP_PULL_PULL_LOST_H
#define FIRMWARE_CP_PULL_PULL_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Give a task the items back that a lost SM did not complete. Its streams are still counted.
 * @return  false when that can not be: the task has to fail. */
bool pull_lost(struct task *task, uint32_t sm);

#endif /* FIRMWARE_CP_PULL_PULL_LOST_H */

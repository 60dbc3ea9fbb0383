/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Recovery of the items of a PULL grid that a lost SM had (sm_lost.h).
 */
#ifndef FIRMWARE_CP_PULL_PULL_LOST_H
#define FIRMWARE_CP_PULL_PULL_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Give back to a task the items that a lost SM has not completed. The caller subtracts the SM's streams afterwards.
 * @return  false when the items cannot be recovered: the task has to fail. */
bool pull_lost(struct task *task, uint32_t sm);

#endif /* FIRMWARE_CP_PULL_PULL_LOST_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The cluster words of a TMD: checks them and works out the shape of the task's CGAs (S1-R35…R37). A size that does
 * not fit is refused with its field, never made smaller.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_CGA_H
#define FIRMWARE_CP_ACCEPT_TMD_CGA_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Check the cluster words, and work out task->rules.shape. For a task type without CGAs they must be zero.
 * @param task  With checked type, mode and grid.
 * @return      false: refused, with task->failure set. */
bool tmd_check_cga(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_TMD_CGA_H */

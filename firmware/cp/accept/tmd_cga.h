/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The cluster words of a TMD: the shape of its CGAs (S1-R35…R37). What is wrong is refused with the field
 * that says so; nothing is made smaller so that it fits.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_CGA_H
#define FIRMWARE_CP_ACCEPT_TMD_CGA_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Check the cluster words, and work out task->shape. A type without CGAs has none of them.
 * @param task  Its type, mode and grid are checked. */
bool tmd_check_cga(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_TMD_CGA_H */

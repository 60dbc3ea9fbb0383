/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a TMD says of a PULL grid: its N-D range, its chunks (S4-R35, R57, R60, R95…R98).
 */
#ifndef FIRMWARE_CP_PULL_ND_CHECK_H
#define FIRMWARE_CP_PULL_ND_CHECK_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Rows of an asymmetric range that the CP checks; the rest are the kernel's own risk: SMs read rows in the
 * heap only. */
#define ND_CHECK_ROWS 4096u

/** Check the N-D range of a PULL grid, if it names one, and take the number of items from it.
 * @return  false when the task was refused. */
bool nd_check_range(struct task *task);

/** Check the chunk and what a PULL grid can not be; of other tasks: that they have no chunk. */
bool nd_check_chunk(struct task *task);

#endif /* FIRMWARE_CP_PULL_ND_CHECK_H */

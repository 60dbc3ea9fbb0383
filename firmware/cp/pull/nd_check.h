/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Checks of what a TMD says of a PULL grid: its N-D range and its chunk (S4-R35, R57, R60, R95…R98).
 */
#ifndef FIRMWARE_CP_PULL_ND_CHECK_H
#define FIRMWARE_CP_PULL_ND_CHECK_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Most rows of an asymmetric range that the CP checks. Errors in the others are the kernel's own risk: SMs read rows
 * only inside the heap. */
#define ND_CHECK_ROWS 4096u

/** Check the N-D range of a PULL grid, if its TMD names one, and take the number of items from it.
 * @return  false, with task->failure set, when the task is refused. */
bool nd_check_range(struct task *task);

/** Check a PULL grid's chunk, and that it has no mode that PULL grids do not support; for other tasks, check that
 * they have no chunk.
 * @return  false, with task->failure set, when the task is refused. */
bool nd_check_chunk(struct task *task);

#endif /* FIRMWARE_CP_PULL_ND_CHECK_H */

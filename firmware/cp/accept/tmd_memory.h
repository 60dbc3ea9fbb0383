/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory outside the context's heap that a TMD names: the windows that its kernels may access, and the buffer that
 * they print into. Each function returns false when it refuses the TMD, with task->failure set.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_MEMORY_H
#define FIRMWARE_CP_ACCEPT_TMD_MEMORY_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Copy and check the windows (S3-R45). They must lie in device memory, and those of a TMD that a kernel chose inside
 * its parent's windows. At most TASK_WINDOWS; with CGAs TASK_WINDOWS_CGA, because memory protection has to admit their
 * members, too; and no more than CP_PMP_ENTRIES has room for. */
bool tmd_check_windows(struct task *task);

/** Check the print buffer; only tasks that the host submits may have one. */
bool tmd_check_print(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_TMD_MEMORY_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory outside the context's heap that a TMD names: the windows that its kernels may reach, and the
 * buffer that they print into.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_MEMORY_H
#define FIRMWARE_CP_ACCEPT_TMD_MEMORY_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Copy and check the windows (S3-R45): inside device memory; a kernel's child has none that its parent
 * has not. With CGAs one less: memory protection is also needed for their members. */
bool tmd_check_windows(struct task *task);

/** Check the print buffer; only the host's tasks have one. */
bool tmd_check_print(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_TMD_MEMORY_H */

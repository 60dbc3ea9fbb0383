/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory that a TMD names: its context's heap, the windows outside of it that its kernels may reach, and
 * the buffer that they print into.
 */
#ifndef FIRMWARE_CP_TMD_MEMORY_H
#define FIRMWARE_CP_TMD_MEMORY_H

#include <stdbool.h>

#include "firmware/cp/task.h"

/** Copy and check the windows (S3-R45): inside device memory; a kernel's child has none that its parent
 * has not. With CGAs one less: memory protection is also needed for their members. */
bool tmd_check_windows(struct task *task);

/** Check the print buffer; only the host's tasks have one. */
bool tmd_check_print(struct task *task);

/** Whether memory lies in the heap of a TMD's context, and that in device memory.
 * @param bytes  Not 0; any 64-bit value: the sum does not wrap. */
bool tmd_heap_holds(const struct gg_tmd *tmd, uint64_t base, uint64_t bytes);

#endif /* FIRMWARE_CP_TMD_MEMORY_H */

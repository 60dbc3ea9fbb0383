/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Prints of kernels: appended to the buffer that the host gave with the task.
 */
#ifndef FIRMWARE_CP_COLLECT_PRINT_H
#define FIRMWARE_CP_COLLECT_PRINT_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Append bytes to the print buffer of a task, or of its oldest ancestor; nothing when it has none.
 * @param from   Where the CP sees them; 4-byte aligned.
 * @param bytes  A multiple of 4.
 * @return       GG_OK, GG_ERR_PRINT_FLOOD: no room; GG_ERR_ARGUMENT. Then nothing is appended. */
enum gg_status print_append(struct task *task, const void *from, uint32_t bytes);

#endif /* FIRMWARE_CP_COLLECT_PRINT_H */

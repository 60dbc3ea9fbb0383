/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Prints of kernels: appends them to the print buffer that the host gave with the task.
 */
#ifndef FIRMWARE_CP_COLLECT_PRINT_H
#define FIRMWARE_CP_COLLECT_PRINT_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Append bytes to the print buffer of a task or, when it is a child, of its oldest ancestor. Does nothing when there
 * is no buffer.
 * @param from   The bytes, aligned to 4.
 * @param bytes  How many; a multiple of 4.
 * @return       GG_OK; GG_ERR_PRINT_FLOOD: the buffer has no room; GG_ERR_NO_MEMORY: the same, where the task may print
 *               more than it can; GG_ERR_ARGUMENT: `bytes` is not a multiple of 4.
 *               After an error nothing is appended. */
enum gg_status print_append(struct task *task, const void *from, uint32_t bytes);

#endif /* FIRMWARE_CP_COLLECT_PRINT_H */
